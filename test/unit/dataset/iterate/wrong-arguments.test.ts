/**
 * Arguments in the style of tf.data that we do not support are refused when the dataset is built. The error says what
 * to write instead.
 */
import { inspect } from 'node:util';

import { Dataset, parseSingleExample, parseSingleSequenceExample, fixedLen, fixedLenSequence } from '../../../../lib';

const loose = (value: unknown): never => value as never;
const records = Dataset.tfrecord('never-opened');

test.each<[string, () => unknown, string, RegExp]>([
  [
    'a compression in the place of options',
    () => Dataset.tfrecord('a', loose('GZIP')),
    'ERR_INVALID_ARG_TYPE',
    /^"options" must be an object: \{ compression, .*readAhead, signal \}\. Received "GZIP"$/,
  ],
  ['no options at all, as text', () => Dataset.tfrecord('a', loose('')), 'ERR_INVALID_ARG_TYPE', /an object: \{ comp/],
  [
    'a source that is none',
    () => Dataset.tfrecord(loose(3)),
    'ERR_INVALID_ARG_TYPE',
    /^"source" must be a path, .* 3$/,
  ],
  [
    'a number of parallel calls',
    () => records.map((record) => record, loose(4)),
    'ERR_INVALID_ARG_TYPE',
    /^"options" must be an object: \{ parallel, ordered \}\. Received 4$/,
  ],
  [
    'a seed',
    () => records.shuffle(9, loose(42)),
    'ERR_INVALID_ARG_TYPE',
    /: \{ seed, reshuffle, bytes \}\. Received 42$/,
  ],
  [
    'a default in the place of options',
    () => fixedLen([], 'int64', loose(0)),
    'ERR_INVALID_ARG_TYPE',
    /^"options" must be an object: \{ default \}\. Received 0$/,
  ],
  ['no buffer', () => records.shuffle(loose(undefined)), 'ERR_INVALID_ARG_TYPE', /a number of elements, or "full"\./],
  ['another buffer', () => records.shuffle(loose('all')), 'ERR_INVALID_ARG_VALUE', /a number of elements, or "full"\./],
  ['no buffer to prefetch', () => records.prefetch(loose(undefined)), 'ERR_INVALID_ARG_TYPE', /elements, or "auto"\./],
  ['AUTOTUNE', () => records.prefetch(loose('AUTOTUNE')), 'ERR_INVALID_ARG_VALUE', /elements, or "auto"\. Rec.*TUNE"$/],
  [
    '-1, which is for ever',
    () => records.repeat(-1),
    'ERR_OUT_OF_RANGE',
    /from 0 on, or left out: for ever\. Rec.* -1$/,
  ],
  [
    'datasets one by one',
    () => Dataset.zip(loose(records)),
    'ERR_INVALID_ARG_TYPE',
    /an object of Datasets: Dataset\.zip\(\[a, b\]\)\. Received an instance of Dataset$/,
  ],
  [
    'a record that is none',
    () => parseSingleExample(loose('text'), { a: fixedLen([], 'int64') }),
    'ERR_INVALID_ARG_TYPE',
    /^"record" must be a Uint8Array\. Received "text"$/,
  ],
  [
    'a SequenceExample that is none',
    () => parseSingleSequenceExample(loose('text'), { sequence: { a: fixedLenSequence([], 'int64') } }),
    'ERR_INVALID_ARG_TYPE',
    /^"record" must be a Uint8Array\. Received "text"$/,
  ],
])('%s', (_habit, build, code, message) => {
  expect(build).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error);
});

test.each([
  ['reduce', async () => Dataset.range(3).reduce(0, loose(undefined))],
  ['forEachAsync', async () => Dataset.range(3).forEachAsync(loose(undefined))],
])('%s without a function', async (_name, run) => {
  await expect(run()).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
    message: '"fn" must be a function. Received undefined',
  });
});

test('a dataset prints as its stages', () => {
  expect(inspect(records.shuffle(9).batch(2))).toBe('Dataset { tfrecord > shuffle(9) > batch(2) }');
});

test('what cannot be held in memory is refused with its number, before anything is read', () => {
  const many = Dataset.range(1e12);
  for (const make of [
    () => many.shuffle('full'),
    () => many.skip(7).shuffle(2 ** 31 - 1),
    () => many.batch(2 ** 31 - 1),
    () => many.window(2 ** 31 - 1),
    () => Dataset.range(5).repeat().shuffle('full'),
  ]) {
    expect(make).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
  }
  expect(() => many.shuffle('full')).toThrow('1000000000000 elements');
  // Any size is allowed if few elements come.
  expect(() =>
    Dataset.range(100)
      .shuffle(2 ** 31 - 1)
      .batch(2 ** 31 - 1),
  ).not.toThrow();
  expect(() => many.shuffle(1000).batch(64)).not.toThrow();
});
