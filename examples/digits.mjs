// Trains a small model of TensorFlow.js on drawn digits in TFRecord files, stops in the middle of an epoch, and resumes from
// JSON: with the very next batch, and with the same final weights as training without a break.
//
//   npm install @tensorflow/tfjs-core @tensorflow/tfjs-data @tensorflow/tfjs-layers @tensorflow/tfjs-backend-cpu
//   node examples/digits.mjs
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import { initializers, layers, sequential } from '@tensorflow/tfjs-layers';
import { Dataset, exampleEncoder, fixedLen } from 'tfrecord-native';
import { toTfjsDataset } from 'tfrecord-native/tfjs';

tf.enableProdMode();
const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// Images like MNIST's, one byte per pixel: 1,000 for training, in four files, and 300 for validation.
const SIDE = 12;
const spec = { id: fixedLen([], 'int64'), image: fixedLen([], 'bytes'), label: fixedLen([], 'int64') };
const encode = exampleEncoder(spec);
const digits = Dataset.range(1300).map((id, { rng }) => encode({ id, image: draw(id % 10, rng), label: id % 10 }));
await digits.seed(7).take(1000).writeTo(join(folder, 'train.tfrecord'), { shards: 4 });
await digits.seed(7).skip(1000).writeTo(join(folder, 'others.tfrecord'));

const batches = Dataset.files(join(folder, 'train-*.tfrecord'))
  .shuffle('full')
  .interleave((file) => Dataset.tfrecord(file), { cycleLength: 4 })
  .shuffle(500)
  .parse(spec)
  .batch(20)
  .seed(42);

// Training without a break, for comparison.
const epochs = 4;
const expected = [];
const whole = newModel();
await train(whole, expected);

// Training that stops in the second epoch. Everything that is kept is JSON.
const seen = [];
const stopped = newModel();
const state = await train(stopped, seen, { stopAfter: 67 });
const saved = JSON.stringify({ state, weights: weightsOf(stopped) });
console.log(`stopped in epoch ${state.epoch}, after ${state.position} of its 50 batches`);

// Perhaps in another process: a new model takes the weights, and the dataset takes the state.
const { state: from, weights } = JSON.parse(saved);
const resumed = newModel();
resumed.setWeights(weights.map(({ shape, values }) => tf.tensor(values, shape)));
await train(resumed, seen, { state: from });
assert.deepEqual(seen, expected);
console.log(`${seen.length} batches in all: those of a training without a break`);
assert.deepEqual(weightsOf(resumed), weightsOf(whole));
console.log('and the same weights');

const others = Dataset.tfrecord(join(folder, 'others.tfrecord')).parse(spec).batch(100);
const [, accuracy] = await resumed.evaluateDataset(
  toTfjsDataset(others, example, { dtypes: { image: 'float32' } }),
  {},
);
const right = accuracy.dataSync()[0];
console.log(`knows ${right >= 0.95 ? 'more than' : 'less than'} 95 % of 300 digits that it never saw`);

/** Bytes become float32 [batch, 144], labels int32 [batch]. */
function example({ image, label }) {
  return { xs: tf.div(image, 255), ys: tf.oneHot(label, 10) };
}

/** Trains to the end, or for `stopAfter` batches. Adds the ids of the batches to `ids`. Returns the state. */
async function train(model, ids, { state, stopAfter = Infinity } = {}) {
  const record = (tensors) => {
    ids.push([...tensors.id.dataSync()]);
    return example(tensors);
  };
  const dataset = toTfjsDataset(batches, record, { state, dtypes: { image: 'float32' } });
  const onBatchEnd = () => {
    if (ids.length >= stopAfter) model.stopTraining = true;
  };
  // The epochs of the model are those of the dataset.
  await model.fitDataset(dataset, { epochs, initialEpoch: state?.epoch ?? 0, verbose: 0, callbacks: { onBatchEnd } });
  await dataset.stop(); // tfjs does not close a dataset that it did not read to the end
  return dataset.state();
}

function newModel() {
  const kernel = (seed) => ({ kernelInitializer: initializers.glorotUniform({ seed }) });
  const model = sequential({
    layers: [
      layers.dense({ units: 32, activation: 'relu', inputShape: [SIDE * SIDE], ...kernel(1) }),
      layers.dense({ units: 10, activation: 'softmax', ...kernel(2) }),
    ],
  });
  // This optimizer has no state. For one with moments, also keep optimizer.getWeights().
  model.compile({ optimizer: tf.train.sgd(0.3), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  return model;
}

function weightsOf(model) {
  return model.getWeights().map((tensor) => ({ shape: tensor.shape, values: [...tensor.dataSync()] }));
}

/** Draws a digit somewhere in the image, with noise. */
function draw(digit, rng) {
  // Each glyph has five rows of three pixels.
  const glyph = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717'][digit];
  const image = Uint8Array.from({ length: SIDE * SIDE }, () => rng.int(80));
  const [top, left] = [rng.int(3), 2 + rng.int(2)];
  for (let y = 0; y < 10; y += 1) {
    for (let x = 0; x < 6; x += 1) {
      const isSet = (Number(glyph[y >> 1]) >> (2 - (x >> 1))) & 1;
      if (isSet === 1) image[(top + y) * SIDE + left + x] = 150 + rng.int(106);
    }
  }
  return image;
}
