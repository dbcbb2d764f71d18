'use strict';
/** A preload script without a sandbox, in a world of its own. */
const { contextBridge } = require('electron');

const { work } = require('./work.js');

contextBridge.exposeInMainWorld('work', work);
