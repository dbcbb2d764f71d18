/** Worked examples of the field: checks their output, and the contents of their files as read by protobufjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import protobuf from 'protobufjs';

import { ROOT } from '../../support/running/compiled-sources';
import { Folder } from '../../support/records/record-files';
import { runExample } from '../../support/running/run-example';
import { wholeRecords } from '../../support/records/tfrecord';

/** Messages as plain objects of protobufjs, with members as in the `.proto` files. */
interface PlainFeature {
  readonly int64List?: { readonly value: readonly string[] };
  readonly floatList?: { readonly value: readonly number[] };
  readonly bytesList?: { readonly value: readonly Uint8Array[] };
}
interface PlainFeatures {
  readonly feature: Readonly<Record<string, PlainFeature>>;
}
interface PlainSequenceExample {
  readonly context: PlainFeatures;
  readonly featureLists: { readonly featureList: Readonly<Record<string, { readonly feature: PlainFeature[] }>> };
}
type Values = readonly (string | number)[];
/** Features by name: int64 as digits, bytes as Latin-1. */
type Features = Record<string, Values>;

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const proto = protobuf.loadSync(join(ROOT, 'proto', 'example.proto'));

/** Returns `record` as protobufjs decodes it. */
function decoded(type: string, record: Buffer): unknown {
  const message = proto.lookupType(`tensorflow.${type}`);
  return message.toObject(message.decode(record), { longs: String, defaults: false, arrays: true });
}

function valuesOf({ int64List, floatList, bytesList }: PlainFeature): Values {
  if (bytesList) return bytesList.value.map((bytes) => Buffer.from(bytes).toString('latin1'));
  return (int64List ?? floatList)!.value;
}

function featuresOf({ feature }: PlainFeatures): Features {
  return Object.fromEntries(Object.entries(feature).map(([name, value]) => [name, valuesOf(value)]));
}

function examplesIn(file: Buffer): Features[] {
  return wholeRecords(file).map((record) =>
    featuresOf((decoded('Example', record) as { features: PlainFeatures }).features),
  );
}

test('10,000 observations of four features', () => {
  const target = folder.at('observations.tfrecord.gz');
  const lines = runExample('observations.mjs', [target]).split('\n');
  expect(lines.slice(0, 2)).toEqual(['wrote 10000 observations', 'read back 10000, all the same']);

  const rows = examplesIn(gunzipSync(readFileSync(target)));
  expect(rows).toHaveLength(10_000);
  for (const row of rows) {
    expect(Object.keys(row).sort()).toEqual(['rained', 'sky', 'station', 'temperature']);
    expect(Object.values(row).map((values) => values.length)).toEqual([1, 1, 1, 1]);
  }
  const sum = (name: string): number => rows.reduce((total, row) => total + Number(row[name]![0]), 0);
  expect(lines[2]).toBe(
    `10 batches: ${sum('rained')} of them rainy, ${(sum('temperature') / 10_000).toFixed(2)} degrees on average`,
  );
  expect(new Set(rows.map(({ station }) => station![0]))).toEqual(new Set(['0', '1', '2', '3', '4']));
  expect(new Set(rows.map(({ sky }) => Buffer.from(String(sky![0]), 'latin1').toString()))).toEqual(
    new Set(['clear', 'cloudy', 'overcast', 'fog', 'föhn']),
  );
});

test('images with height, width, depth, label and bytes', () => {
  const target = folder.at('images.tfrecord');
  const printed = runExample('images.mjs', [target]).split('\n');
  expect(printed.filter((line) => !line.startsWith(' '))).toEqual([
    'disc, 7 x 12 x 1, 84 bytes',
    'cross, 6 x 12 x 3, 216 bytes',
    'stripes, 6 x 9 x 3, 162 bytes',
    '',
  ]);
  expect(printed.slice(9, 15)).toEqual(
    ['###......###', '.####..####.', '...######...', '...######...', '.####..####.', '###......###'].map(
      (line) => `  ${line}`,
    ),
  );

  const images = examplesIn(readFileSync(target));
  expect(images.map(({ height, width, depth, label }) => [height, width, depth, label].flat().map(Number))).toEqual([
    [7, 12, 1, 0],
    [6, 12, 3, 1],
    [6, 9, 3, 2],
  ]);
  // Stripes: alternating dark and light rows, in all three channels.
  const stripes = Buffer.from(String(images[2]!['image_raw']![0]), 'latin1');
  const row = (...pixel: number[]): number[] => Array.from({ length: 9 }, () => pixel).flat();
  const pair = [...row(0, 20, 40), ...row(255, 195, 135)];
  expect([...stripes]).toEqual([...pair, ...pair, ...pair]);
});

test('captions: SequenceExamples with a context and lists', () => {
  const target = folder.at('captions.tfrecord');
  expect(runExample('captions.mjs', [target]).trimEnd().split('\n')).toEqual([
    'ids     0 1 2 3 4 5 6 7',
    'padded  [[0,12,7,9,4,0,0,0],[11,6,3,0,0,0,0,0],[0,7,6,5,11,12,3,0],[12,10,0,0,0,0,0,0],[11,8,9,0,2,0,0,0],' +
      '[0,4,2,6,5,0,12,7],[4,10,0,0,0,0,0,0],[8,1,6,3,0,0,0,0]]',
    'lengths 5 3 7 2 5 8 2 4',
    'image 0: a white disc on black',
    'image 1: two crossed bars',
    'image 2: a disc crossed by two white bars',
    'image 3: white stripes',
    'image 4: two discs on a bar',
    'image 5: a black bar crossed by a white disc',
    'image 6: black stripes',
    'image 7: discs and crossed bars',
    // Full buckets come first, as they fill. Each batch is padded to its own longest caption.
    'batch of images 0 4, 5 words',
    '  [[0,12,7,9,4],[11,8,9,0,2]]',
    '  lengths 5 5',
    'batch of images 2 5, 8 words',
    '  [[0,7,6,5,11,12,3,-1],[0,4,2,6,5,0,12,7]]',
    '  lengths 7 8',
    'batch of images 1 3 6, 3 words',
    '  [[11,6,3],[12,10,-1],[4,10,-1]]',
    '  lengths 3 2 2',
    'batch of images 7, 4 words',
    '  [[8,1,6,3]]',
    '  lengths 4',
  ]);
  const records = wholeRecords(readFileSync(target)).map(
    (record) => decoded('SequenceExample', record) as PlainSequenceExample,
  );
  expect(records).toHaveLength(8);
  expect(records.map(({ context }) => featuresOf(context))).toEqual(
    records.map((_, id) => ({ 'image/id': [String(id)], 'image/data': [String.fromCharCode(id).repeat(4)] })),
  );
  const steps = (name: string): Values[][] =>
    records.map(({ featureLists }) => featureLists.featureList[name]!.feature.map(valuesOf));
  expect(steps('image/caption')[1]).toEqual([['two'], ['crossed'], ['bars']]);
  expect(
    steps('image/caption_ids')
      .slice(0, 3)
      .map((list) => list.flat().map(Number)),
  ).toEqual([
    [0, 12, 7, 9, 4],
    [11, 6, 3],
    [0, 7, 6, 5, 11, 12, 3],
  ]);
});

test('a movie recommendation with every kind of feature', () => {
  const target = folder.at('users.tfrecord');
  expect(runExample('movie-recommendation.mjs', [target]).split('\n')).toEqual([
    'age                  Float32Array(2) [ 29, 41 ]',
    'suggestion           BytesArray(2) ["Salt and Signal", "Paper Rivers"]',
    'suggestion_purchased BigInt64Array(2) [ 1n, 0n ]',
    'purchase_price       Float32Array(2) [ 9.989999771118164, 0 ]',
    'movie                SparseTensor bytes [2, 2] {[0, 0]: "Paper Rivers", [0, 1]: "The Lighthouse Clock"}',
    'movie_ratings        DenseTensor float32 [2, 2] [[9, 9.7], [-1, -1]]',
    'genres               SparseTensor float32 [2, 8] {[0, 2]: 0.9, [0, 6]: 0.5}',
    'casts                RaggedTensor bytes [2, ?, ?] [[["Ada Quill", "Jon Marrow"], ["Mia Stern"]], []]',
    'genres, dense        [[0,0,0.9,0,0,0,0.5,0],[0,0,0,0,0,0,0,0]]',
    '29 years old, has seen 2 movies: [["Ada Quill","Jon Marrow"],["Mia Stern"]]',
    '41 years old, has seen 0 movies: []',
    'TFR_FEATURE Record 1 of the file (byte 321). Feature "movie": expected 2 bytes values, found no such feature. ' +
      "Check the name, give fixedLen a default, or use varLen('bytes').",
    '',
  ]);
  const [user, newUser] = examplesIn(readFileSync(target));
  expect(user).toEqual({
    age: [29],
    movie: ['Paper Rivers', 'The Lighthouse Clock'],
    movie_ratings: [9, Math.fround(9.7)],
    suggestion: ['Salt and Signal'],
    suggestion_purchased: ['1'],
    purchase_price: [Math.fround(9.99)],
    genre: ['6', '2'],
    liking: [0.5, Math.fround(0.9)],
    cast: ['Ada Quill', 'Jon Marrow', 'Mia Stern'],
    cast_lengths: ['2', '1'],
  });
  expect(newUser).toEqual({ age: [41], suggestion: ['Paper Rivers'] });
});
