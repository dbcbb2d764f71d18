/** Damage in the files that describe a data set of TensorFlow Datasets: each has a code, the file, and a short message. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TFRecordError } from '../../../lib';
import { readTfds } from '../../../lib/schema';
import { Folder } from '../../support/records/record-files';
import { dict, label, scalar, tensor, writeTfds, type TfdsFeature } from '../../support/records/tfds-sets';

const folder = new Folder();
afterAll(() => folder.remove());

const FEATURES = 'features.json';
const INFO = 'dataset_info.json';
const DEPTH = 100_000;
const DEEP = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
/** An object that neither `String` nor `Number` takes. */
const ODD = { toString: 1, valueOf: 1 };

/** A valid set, of which `files` replace some. */
function setOf(files: Readonly<Record<string, string | Buffer>>): string {
  const path = writeTfds(folder.fresh(), { features: dict({ a: scalar('int64') }), splits: { train: [[{ a: 1 }]] } });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

/** The error about `file` of the set. */
async function errorOf(file: string, files: Readonly<Record<string, string | Buffer>>): Promise<TFRecordError> {
  const path = setOf(files);
  const error = await readTfds(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TFRecordError);
  expect(error).toMatchObject({ file: join(path, file) });
  expect((error as TFRecordError).message.length).toBeLessThan(path.length + 250);
  return error as TFRecordError;
}

const featureOf = (member: string, content: unknown): TfdsFeature => dict({ a: { [member]: content } });

describe('features.json', () => {
  const LONG = 'x'.repeat(100_000);
  test.each<[string, unknown]>([
    ['a dtype', featureOf('tensor', { dtype: ODD })],
    ['a dtype in a list', featureOf('tensor', { dtype: ['int64'] })],
    ['an encoding', featureOf('tensor', { dtype: 'int64', encoding: ODD })],
    ['a size', featureOf('tensor', { dtype: 'int64', shape: { dimensions: [ODD] } })],
    ['a size in a list', featureOf('tensor', { dtype: 'int64', shape: { dimensions: [[3]] } })],
    ['a size without digits', featureOf('tensor', { dtype: 'int64', shape: { dimensions: [''] } })],
    ['a shape', featureOf('tensor', { dtype: 'int64', shape: { dimensions: ODD } })],
    ['sizes with too large a product', dict({ a: tensor('int64', 2 ** 52, 2 ** 52) })],
    ['many sizes', dict({ a: tensor('int64', ...Array.from({ length: 1000 }, () => 1)) })],
    [
      'many unknown sizes of a sequence',
      featureOf('sequence', {
        feature: dict({ b: featureOf('sequence', { feature: tensor('int64', ...new Array<number>(1000).fill(-1)) }) }),
      }),
    ],
    ['a length', featureOf('sequence', { length: ODD, feature: scalar('int64') })],
    ['a number of classes', featureOf('classLabel', { numClasses: ODD })],
    ['languages', featureOf('translation', { languages: [ODD] })],
    ['a long class', dict({ a: { pythonClassName: LONG } })],
    ['a long name', dict({ [LONG]: scalar('complex64') })],
    ['long JSON in jsonFeature', dict({ a: { pythonClassName: 'a.Text', jsonFeature: { json: LONG } } })],
  ])('%s: an error with code and file', async (_, features) => {
    expect(await errorOf(FEATURES, { [FEATURES]: JSON.stringify(features) })).toMatchObject({ code: 'TFR_SPEC' });
  });

  test.each([
    ['the root', DEEP],
    ['a feature', `{"featuresDict":{"features":{"a":${DEEP}}}}`],
    ['a number of classes', `{"featuresDict":{"features":{"a":{"classLabel":{"numClasses":${DEEP}}}}}}`],
  ])('%s of many lists in one another', async (_, text) => {
    expect(await errorOf(FEATURES, { [FEATURES]: text })).toMatchObject({ code: 'TFR_SPEC' });
  });

  test('that is cut is an error of JSON', async () => {
    const error = await errorOf(FEATURES, { [FEATURES]: '{"a' });
    expect(error).toMatchObject({ code: 'TFR_DECODE', expected: 'JSON' });
  });

  test('sizes are numbers or texts of digits; null is unknown', async () => {
    const shape = { dimensions: [2, '3'] };
    const features = dict({
      a: { tensor: { dtype: 'int64', shape } },
      b: { tensor: { dtype: 'int64', encoding: null, shape: { dimensions: [null] } } },
    });
    const { spec } = await readTfds(setOf({ [FEATURES]: JSON.stringify(features) }));
    expect(spec).toMatchObject({ a: { shape: [2, 3] }, b: { dtype: 'int64', shape: [] } });
  });

  test.each(['a\0b', 'a\ud800'])('%j: no file can have the names of its classes', async (name) => {
    const error = await errorOf(FEATURES, { [FEATURES]: JSON.stringify(dict({ [name]: label(2) })) });
    expect(error).toMatchObject({ code: 'TFR_SPEC', feature: name });
  });
});

describe('dataset_info.json', () => {
  const info = (more: object): string => JSON.stringify({ name: 'my_set', ...more });
  const split = (more: object): string => info({ splits: [{ name: 'train', shardLengths: ['1'], ...more }] });
  test.each([
    ['a name', info({ name: ODD })],
    ['a name of many parts', info({ name: Array.from({ length: 100_000 }, () => 'x') })],
    ['a long name', info({ name: 'x'.repeat(100_000) })],
    ['a format', info({ fileFormat: ODD })],
    ['many splits in one another', `{"name":"my_set","splits":{"a":${DEEP}}}`],
    ['the name of a split', split({ name: [ODD] })],
    ['a long name of a split', split({ name: 'x'.repeat(1000), shardLengths: 1 })],
    ['a template', split({ filepathTemplate: ODD })],
    ['a template that repeats the name', split({ name: 'x'.repeat(1000), filepathTemplate: '{SPLIT}'.repeat(100) })],
    ['two splits of one name', info({ splits: [{ name: 'train', shardLengths: [1] }, { name: 'train' }] })],
    ...[ODD, null, true, '', [], ['7'], '0x10', ' 5 ', 1.5, -1, '-1', 2 ** 53].map((length): [string, string] => [
      `the number of records ${JSON.stringify(length)}`,
      split({ shardLengths: [length] }),
    ]),
    ['lists as a number of records', `{"name":"my_set","splits":[{"name":"train","shardLengths":[${DEEP}]}]}`],
  ])('%s: an error with code and file', async (_, text) => {
    expect(await errorOf(INFO, { [INFO]: text })).toMatchObject({ code: 'TFR_DECODE' });
  });
});

test.each([
  [FEATURES, JSON.stringify(dict({ é: scalar('int64'), è: scalar('int64') }))],
  [INFO, JSON.stringify({ name: 'é', splits: [] })],
  ['a.labels.txt', 'café\nthé\n'],
])('%s in Latin-1 is not valid', async (file, text) => {
  const files = { [FEATURES]: JSON.stringify(dict({ a: label(2) })), [file]: Buffer.from(text, 'latin1') };
  expect(await errorOf(file, files)).toMatchObject({ code: 'TFR_DECODE', expected: 'UTF-8' });
});

test.each([null, undefined, 5, {}])('readTfds(%j): the usual error of an argument', async (path) => {
  await expect(readTfds(path as never)).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
});
