'use strict';
const Module = require('node:module');

if (process.argv[3] === 'without-tfjs') {
  // A folder above this one may have tfjs.
  const lookUp = Module._nodeModulePaths;
  Module._nodeModulePaths = (from) => lookUp(from).filter((path) => path.startsWith(__dirname));
}

/** Returns the results or errors of calls of `tfrecord-native/tfjs`, and the number of records of `file`, without tfjs. */
module.exports = async function calls({ Dataset, countRecords }, { toTensors, toTfjsDataset }, file) {
  const outcome = async (call) => {
    try {
      return await call();
    } catch ({ code, message }) {
      return { code, message };
    }
  };
  try {
    require('@tensorflow/tfjs-backend-cpu');
  } catch {
    // tfjs is not there, and neither is what needs it.
  }
  return {
    toTensors: await outcome(() => [[...toTensors({ x: Float32Array.of(1, 2) }).x.dataSync()]]),
    toTfjsDataset: await outcome(async () => {
      const batches = await toTfjsDataset(Dataset.range(3).batch(2), (x) => ({ x })).toArray();
      return batches.map(({ x }) => [...x.dataSync()]);
    }),
    records: await countRecords(file),
  };
};
