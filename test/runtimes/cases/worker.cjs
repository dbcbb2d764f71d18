'use strict';
// Loads the addon only in a worker, which ends before the process.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

if (isMainThread) {
  const worker = new Worker(__filename, { workerData: process.argv[2] });
  worker.on('message', (result) => console.log(JSON.stringify(result)));
  worker.on('exit', (code) => (process.exitCode = code));
} else {
  const { digest } = require('./digest.cjs');
  digest(require('tfrecord-native'), workerData).then((result) => parentPort.postMessage(result));
}
