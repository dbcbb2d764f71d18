// MNIST's idx files, plain or gzipped, to TFRecords with the features of TensorFlow's tutorial: height, width, depth,
// label, image_raw.
//
//   node examples/mnist.mjs train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz mnist.tfrecord.gz
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
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
async function readIdx(file, dimensions) {
  const given = await readFile(file);
  const bytes = given[0] === 0x1f ? unzipped(file, given) : given;
  const start = 4 + 4 * dimensions;
  if (bytes.length < start || bytes.readUInt32BE(0) !== 0x0800 + dimensions) {
    throw new Error(`${file} is not an idx file of bytes in ${dimensions} dimension${dimensions === 1 ? '' : 's'}`);
  }
  const shape = Array.from({ length: dimensions }, (_, i) => bytes.readUInt32BE(4 + 4 * i));
  const expected = shape.reduce((product, size) => product * size, 1);
  // A cut file would give images that are cut, too.
  if (bytes.length - start !== expected) {
    throw new Error(`${file}: expected ${expected} bytes behind its header, found ${bytes.length - start}`);
  }
  return { shape, data: bytes.subarray(start) };
}

function unzipped(file, bytes) {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

async function* records(imagesFile, labelsFile) {
  const encode = exampleEncoder(spec);
  const [images, labels] = [await readIdx(imagesFile, 3), await readIdx(labelsFile, 1)];
  const [count, height, width] = images.shape;
  if (labels.data.length !== count) throw new Error(`${count} images, ${labels.data.length} labels`);
  const size = height * width;
  for (let i = 0; i < count; i += 1) {
    const image_raw = images.data.subarray(i * size, (i + 1) * size);
    yield encode({ height, width, depth: 1, label: labels.data[i], image_raw });
  }
}

// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
// Ctrl-C gives the output up: no half of it stays.
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));
const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const given = process.argv.slice(2);
if (given.length === 1 || given.length > 3) {
  console.error('usage: mnist.mjs IMAGES LABELS [TARGET]');
  process.exit(2);
}
const [images, labels] = given.length > 1 ? given : await drawDigits(folder);
const target = given[2] ?? join(folder, 'mnist.tfrecord.gz');
const { records: written } = await writeRecords(target, records(images, labels), { signal: stopping.signal });
const found = new Map();
for await (const { label, image_raw } of readExamples(target, spec, { int64: 'number' })) {
  const ink = image_raw.reduce((sum, value) => sum + value, 0);
  found.set(label, (found.get(label) ?? 0) + ink);
}
console.log(`${written} images`);
for (const [label, ink] of [...found].sort(([a], [b]) => a - b)) console.log(`  ${label}: ${ink}`);

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
