// MNIST's idx files, plain or gzipped, to TFRecords with the features of TensorFlow's tutorial: height, width, depth,
// label, image_raw.
//
//   node examples/mnist.mjs train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz mnist.tfrecord.gz
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { exampleEncoder, fixedLen, readExamples, writeRecords } from 'tfrecord-native';

const spec = {
  height: fixedLen([], 'int64'),
  width: fixedLen([], 'int64'),
  depth: fixedLen([], 'int64'),
  label: fixedLen([], 'int64'),
  image_raw: fixedLen([], 'bytes'),
};

/** An idx file: two zeros, the type (8: bytes), the number of dimensions, their sizes, the values. */
async function readIdx(file) {
  const given = await readFile(file);
  const bytes = given[0] === 0x1f ? gunzipSync(given) : given;
  if (bytes.readUInt16BE(0) !== 0 || bytes[2] !== 8) throw new Error(`${file} is no idx file of bytes`);
  const shape = Array.from({ length: bytes[3] }, (_, i) => bytes.readUInt32BE(4 + 4 * i));
  return { shape, data: bytes.subarray(4 + 4 * shape.length) };
}

async function* records(imagesFile, labelsFile) {
  const encode = exampleEncoder(spec);
  const [images, labels] = [await readIdx(imagesFile), await readIdx(labelsFile)];
  const [count, height, width] = images.shape;
  if (labels.data.length !== count) throw new Error(`${count} images, ${labels.data.length} labels`);
  const size = height * width;
  for (let i = 0; i < count; i += 1) {
    const image_raw = images.data.subarray(i * size, (i + 1) * size);
    yield encode({ height, width, depth: 1, label: labels.data[i], image_raw });
  }
}

const folder = await mkdtemp(join(tmpdir(), 'tfrecord-example-'));
const given = process.argv.slice(2);
const [images, labels] = given.length > 1 ? given : await drawDigits(folder);
const target = given[2] ?? join(folder, 'mnist.tfrecord.gz');
const { records: written } = await writeRecords(target, records(images, labels));
const found = new Map();
for await (const { label, image_raw } of readExamples(target, spec, { int64: 'number' })) {
  const ink = image_raw.reduce((sum, value) => sum + value, 0);
  found.set(label, (found.get(label) ?? 0) + ink);
}
console.log(`${written} images`);
for (const [label, ink] of [...found].sort(([a], [b]) => a - b)) console.log(`  ${label}: ${ink}`);
await rm(folder, { recursive: true });

/** Thirty images of 28 x 28 pixels that stand for digits. */
async function drawDigits(to) {
  const [count, side] = [30, 28];
  const head = (...numbers) => Buffer.concat(numbers.map((n) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n])));
  const pixels = Buffer.alloc(count * side * side);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = i % side < Math.floor(i / side ** 2) % 10 ? 1 : 0;
  const digits = Buffer.from(Array.from({ length: count }, (_, i) => i % 10));
  const files = [join(to, 'images.gz'), join(to, 'labels.gz')];
  await writeFile(files[0], gzipSync(Buffer.concat([head(0x0803, count, side, side), pixels])));
  await writeFile(files[1], gzipSync(Buffer.concat([head(0x0801, count), digits])));
  return files;
}
