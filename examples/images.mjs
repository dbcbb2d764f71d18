// Writes images with height, width, depth, label and bytes. The pixels are drawn here; the bytes of a PNG or JPEG file work
// the same way.
//
//   node examples/images.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordWriter, encodeExample, fixedLen, int64, readExamples } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const target = process.argv[2] ?? join(folder, 'images.tfrecord');

const LABELS = ['disc', 'cross', 'stripes'];
const SHAPES = [
  (y, x) => (y - 0.5) ** 2 + (x - 0.5) ** 2 < 0.2,
  (y, x) => Math.abs(y - x) < 0.2 || Math.abs(y + x - 1) < 0.2,
  (y) => Math.floor(6 * y) % 2 === 1,
];

const writer = await RecordWriter.open(target);
for (const [height, width, depth, label] of [
  [7, 12, 1, 0],
  [6, 12, 3, 1],
  [6, 9, 3, 2],
]) {
  const image_raw = draw(height, width, depth, SHAPES[label]);
  // A plain number could be an int64 or a float, so `int64()` says which. A Uint8Array is bytes.
  const record = encodeExample({
    height: int64(height),
    width: int64(width),
    depth: int64(depth),
    label: int64(label),
    image_raw,
  });
  await writer.write(record);
}
await writer.close();

const spec = {
  height: fixedLen([], 'int64'),
  width: fixedLen([], 'int64'),
  depth: fixedLen([], 'int64'),
  label: fixedLen([], 'int64'),
  image_raw: fixedLen([], 'bytes'),
};
for await (const image of readExamples(target, spec, { int64: 'number' })) {
  const { height, width, depth, label, image_raw } = image;
  if (image_raw.length !== height * width * depth) throw new Error('the pixels do not fit the size');
  console.log(`${LABELS[label]}, ${height} x ${width} x ${depth}, ${image_raw.length} bytes`);
  for (let y = 0; y < height; y += 1) {
    const row = Array.from({ length: width }, (_, x) => image_raw[(y * width + x) * depth]);
    console.log(`  ${row.map((value) => (value > 127 ? '#' : '.')).join('')}`);
  }
}

/** Draws pixels row by row, one byte per channel: light where `inside` is true, for coordinates from 0 to 1. */
function draw(height, width, depth, inside) {
  const pixels = new Uint8Array(height * width * depth);
  for (let i = 0; i < pixels.length; i += 1) {
    const pixel = Math.floor(i / depth);
    const y = (Math.floor(pixel / width) + 0.5) / height;
    const x = ((pixel % width) + 0.5) / width;
    pixels[i] = inside(y, x) ? 255 - 60 * (i % depth) : 20 * (i % depth);
  }
  return pixels;
}
