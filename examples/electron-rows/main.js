const { app, BrowserWindow, ipcMain } = require('electron');
const { exampleToObject, openIndexed } = require('tfrecord-native');

// Values as text: the page needs no more, and pictures stay here.
const textOf = (values) => String(values?.map((value) => (value.base64 ? '(bytes)' : value)) ?? '').slice(0, 80);

let opened;
ipcMain.handle('rows', async (_event, first) => {
  const index = await (opened ??= openIndexed(process.argv.at(-1)));
  const rows = [];
  for await (const batch of index.slice(first, first + 100)) {
    for (const record of batch) {
      const features = Object.entries(exampleToObject(record, { int64: 'string' }));
      rows.push(features.map(([name, values]) => [name, textOf(values)]));
    }
  }
  return { records: index.records, rows };
});

void app.whenReady().then(() => {
  const window = new BrowserWindow({ webPreferences: { preload: `${__dirname}/preload.js` } });
  return window.loadFile('index.html');
});
