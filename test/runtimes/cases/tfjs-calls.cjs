'use strict';
const Module = require('node:module');

if (process.argv[3] === 'without-tfjs') {
  // A folder above this one may have it.
  const lookUp = Module._nodeModulePaths;
  Module._nodeModulePaths = (from) => lookUp(from).filter((path) => path.startsWith(__dirname));
}

/** What the calls of `tfrecord-native/tfjs` give, or their errors; and the records of `file`, which need no tfjs. */
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
    // Not there: neither is what asks for it.
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
