'use strict';
/** A utility process. */
const { readForever, work } = require('./work.js');

process.parentPort.once('message', ({ data }) => {
  const { workData, readForever: file } = data;
  void (file === undefined ? work(...workData) : readForever(file)).then((result) =>
    process.parentPort.postMessage(result),
  );
});
