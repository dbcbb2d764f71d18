const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('tfrecord', { rows: (first) => ipcRenderer.invoke('rows', first) });
