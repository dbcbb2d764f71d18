'use strict';
/** A worker thread of the main process. */
const { parentPort, workerData } = require('node:worker_threads');

const { work } = require('./work.js');

void work(...workerData).then((result) => parentPort.postMessage(result));
