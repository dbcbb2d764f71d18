// Reads CIFAR-10's files: records of 3,073 bytes, each a label and 32 x 32 pixels, first all reds, then greens, then blues.
// Without an argument, it makes files in this layout: one colour for each class, with noise.
//
//   node examples/cifar.mjs [pattern]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, decodeRaw } from 'tfrecord-native';

const PIXELS = 32 * 32;
const RECORD = 1 + 3 * PIXELS;
const CLASSES = ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'];
const COLOURS = CLASSES.map((_, label) => [20 + 20 * label, 220 - 20 * label, 25 + ((100 + 50 * label) % 200)]);

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = process.argv[2] ?? writeCifar(folder);

const batches = Dataset.fixedLength(files, RECORD)
  .shuffle(500, { seed: 42 })
  .map((record) => ({ label: record[0], image: record.subarray(1) })) // views: no pixel is copied yet
  .batch(64)
  .map((rows) => ({
    labels: Uint8Array.from(rows, ({ label }) => label),
    images: decodeRaw(
      rows.map(({ image }) => image),
      { outType: 'uint8' },
    ),
  }));

const found = CLASSES.map(() => ({ count: 0, sum: [0, 0, 0] }));
const sizes = [];
for await (const { labels, images } of batches) {
  sizes.push(labels.length);
  const [count, bytes] = images.shape;
  if (count !== labels.length || bytes !== 3 * PIXELS) throw new Error('an image is not 32 x 32 x 3');
  labels.forEach((label, row) => {
    if (label >= CLASSES.length) throw new Error(`a record has the label ${label}: it is not of CIFAR-10`);
    found[label].count += 1;
    for (const channel of [0, 1, 2]) {
      const first = row * bytes + channel * PIXELS;
      found[label].sum[channel] += mean(images.data.subarray(first, first + PIXELS));
    }
  });
}
console.log(`${sizes.reduce((a, b) => a + b, 0)} images in batches of ${sizes.join(', ')}`);
for (const [label, { count, sum }] of found.entries()) {
  const colour = sum.map((value) => Math.round(value / count)).join(', ');
  console.log(count === 0 ? `${CLASSES[label]}: 0` : `${CLASSES[label]}: ${count}, on average rgb(${colour})`);
}

/** Writes three files of 100 images, with the classes in turn. Returns their pattern. */
function writeCifar(target) {
  let state = 1;
  const noise = () => ((state = (state * 48_271) % 2_147_483_647) % 21) - 10;
  for (const file of [1, 2, 3]) {
    const bytes = new Uint8ClampedArray(100 * RECORD);
    for (let i = 0; i < 100; i += 1) {
      const label = i % CLASSES.length;
      bytes[i * RECORD] = label;
      for (let at = 0; at < 3 * PIXELS; at += 1) {
        bytes[i * RECORD + 1 + at] = COLOURS[label][Math.floor(at / PIXELS)] + noise();
      }
    }
    writeFileSync(join(target, `data_batch_${file}.bin`), bytes);
  }
  return join(target, 'data_batch_*.bin');
}

function mean(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
