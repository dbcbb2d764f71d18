'use strict';
// Parts of the package that load files of their own: Examples, and worker threads, whose module the command line may name.
const { Dataset, encodeExample, fixedLen, parseSingleExample } = require('tfrecord-native');

const example = encodeExample({ label: [3n] });
const spec = { label: fixedLen([], 'int64') };
Dataset.range(3)
  .mapWorker(process.argv[2] ?? require.resolve('./double.cjs'), { workers: 1 })
  .toArray()
  .then((doubled) => {
    console.log(JSON.stringify({ label: Number(parseSingleExample(example, spec).label), doubled }));
  });
