'use strict';
// Loads the package and prints the size of the heap in bytes; then reads a file again and again, up to so many bytes. To be
// run with --expose-gc and --trace-gc: V8's lines after "reading" are the collections of reading.
//
//   node --expose-gc --trace-gc heap.cjs FILE BYTES [PACKAGE]
const [file, bytes, name = 'tfrecord-native'] = process.argv.slice(2);
const { RecordReader } = require(name);

globalThis.gc();
console.log(`heap ${process.memoryUsage().heapUsed}`);

(async () => {
  console.log('reading');
  let read = 0;
  while (read < Number(bytes)) {
    const reader = await RecordReader.open(file);
    for await (const { byteLength } of reader.batches()) read += byteLength;
  }
  console.log('done');
})();
