/** Schemas that are inferred from records. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import {
  readExamples,
  readSequenceExamples,
  specFromJSON,
  specToJSON,
  type TFRecordError,
  type Spec,
} from '../../../lib';
import { inferSchema, type InferredFeature, type InferredSchema } from '../../../lib/schema';
import {
  exampleOf,
  field,
  floats,
  int64s,
  KINDLESS,
  record,
  sequenceOf,
  strings,
  type Wire,
} from '../../support/examples/wire';
import { REAL_FILES, REAL_FACTS, NO_REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { frame, tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const infer = (...records: readonly Uint8Array[]): Promise<InferredSchema> => inferSchema(tfrecord(records));
const one = async (...bodies: readonly (Wire | undefined)[]): Promise<InferredFeature> => {
  const schema = await infer(
    ...bodies.map((body) => exampleOf(body === undefined ? { other: KINDLESS } : { a: body })),
  );
  return schema.features.find(({ name }) => name === 'a')!;
};
const specOf = (schema: InferredSchema): object => JSON.parse(JSON.stringify(schema.toSpecJSON())) as object;

test('no records: an empty schema that says so', async () => {
  const schema = await infer();
  expect(schema).toMatchObject({ records: 0, withLists: 0, recordType: 'Example', features: [], files: ['<bytes>'] });
  expect(specOf(schema)).toEqual({});
  expect(String(schema)).toBe('No records: the schema is empty.\n');
});

test.each<[string, (Wire | undefined)[], object | undefined]>([
  ['one value in every record', [int64s(1), int64s(2)], { type: 'fixedLen', dtype: 'int64', shape: [] }],
  ['three in every record', [floats(1, 2, 3), floats(4, 5, 6)], { type: 'fixedLen', dtype: 'float32', shape: [3] }],
  ['counts that differ', [int64s(1), int64s(2, 3)], { type: 'varLen', dtype: 'int64' }],
  ['missing in one', [int64s(1), undefined], { type: 'varLen', dtype: 'int64' }],
  ['without a kind in one', [int64s(1), KINDLESS], { type: 'varLen', dtype: 'int64' }],
  ['always empty', [int64s(), int64s()], { type: 'varLen', dtype: 'int64' }],
  ['text', [strings('é\t\n'), strings('b')], { type: 'fixedLen', dtype: 'text', shape: [] }],
  ['empty text', [strings('')], { type: 'fixedLen', dtype: 'text', shape: [] }],
  [
    'bytes that are no text',
    [strings('a'), strings(Uint8Array.of(0xff))],
    { type: 'fixedLen', dtype: 'bytes', shape: [] },
  ],
  ['bytes with control characters', [strings('a\0')], { type: 'fixedLen', dtype: 'bytes', shape: [] }],
  ['several kinds', [int64s(1), floats(1)], undefined],
  ['never a kind', [KINDLESS], undefined],
])('the spec for %s', async (_, bodies, expected) => {
  const { spec } = await one(...bodies);
  expect(spec && specToJSON({ spec })['spec']).toEqual(expected);
});

test('plain facts about a feature', async () => {
  expect(await one(int64s(5, -1, 0), int64s(), undefined, KINDLESS)).toMatchObject({
    section: 'context',
    name: 'a',
    kind: 'int64',
    records: 3,
    kinds: { bytes: 0, float32: 0, int64: 2, none: 1 },
    empty: 1,
    counts: { min: 0, max: 3, total: 3 },
    valueCount: { min: 0, max: 3 },
    presence: { minFraction: 0, minCount: 1 },
    inAll: false,
    text: undefined,
    shape: undefined,
    steps: undefined,
    int64: { min: -1n, max: 5n, zeros: 1, distinct: [-1n, 0n, 5n] },
    float32: undefined,
    bytes: undefined,
  });
  expect(await one(floats(1.5, NaN, -0, Infinity, -Infinity))).toMatchObject({
    kind: 'float32',
    inAll: true,
    float32: { min: -0, max: 1.5, zeros: 1, nans: 1, infinities: 2 },
  });
  expect((await one(floats(NaN))).float32).toEqual({
    min: undefined,
    max: undefined,
    zeros: 0,
    nans: 1,
    infinities: 0,
  });
  expect((await one(strings('b', '', 'a', 'b', 'b', 'a'))).bytes).toEqual({
    lengths: { min: 0, max: 1, total: 5 },
    notUtf8: 0,
    withControls: 0,
    pictures: {},
    distinct: [Buffer.from(''), Buffer.from('a'), Buffer.from('b')].map((bytes) => new Uint8Array(bytes)),
  });
});

test('small sets of values that repeat are domains', async () => {
  expect((await one(strings('b', 'a', 'b', 'a'))).domain).toEqual({ type: 'text', values: ['a', 'b'] });
  expect((await one(strings('a', 'b'))).domain).toBeUndefined();
  expect((await one(strings(Uint8Array.of(255), Uint8Array.of(255)))).domain).toBeUndefined();
  expect((await one(int64s(3, 9, 3, 9))).domain).toEqual({ type: 'int64', min: 3n, max: 9n });
  const words = Array.from({ length: 101 }, (_, i) => `w${i}`);
  expect((await one(strings(...words.slice(1), ...words.slice(1)))).domain).toMatchObject({ type: 'text' });
  const many = await one(strings(...words, ...words));
  expect([many.domain, many.bytes?.distinct]).toEqual([undefined, undefined]);
});

test('a feature of the last record of the last file', async () => {
  const plain = Array.from({ length: 500 }, () => exampleOf({ a: int64s(1) }));
  folder.write('last-0', plain);
  folder.write('last-1.gz', [...plain, exampleOf({ a: int64s(1), z: floats(2) })]);
  const schema = await inferSchema(folder.at('last-*'));
  expect(schema).toMatchObject({ records: 1001, files: [folder.at('last-0'), folder.at('last-1.gz')] });
  expect(schema.features.map(({ name, records }) => [name, records])).toEqual([
    ['a', 1001],
    ['z', 1],
  ]);
});

test('features are in the order of their names, those of the context first', async () => {
  const { features } = await infer(
    sequenceOf({ b: int64s(1), '\u{1f600}': int64s(1), '\uff5e': int64s(1) }, { a: [], B: [] }),
    sequenceOf({ a: int64s(1), constructor: int64s(1), __proto__x: int64s(1) }, {}),
  );
  expect(features.map(({ section, name }) => `${section} ${name}`)).toEqual(
    [
      'context __proto__x',
      'context a',
      'context b',
      'context constructor',
      'context \uff5e',
      'context \u{1f600}',
    ].concat(['sequence B', 'sequence a']),
  );
});

test('SequenceExamples: lists of steps', async () => {
  const schema = await infer(
    sequenceOf(
      { id: int64s(1) },
      { fixed: [floats(1, 2), floats(3, 4)], some: [int64s(1)], ragged: [strings('a', 'b'), strings()] },
    ),
    sequenceOf({ id: int64s(2) }, { fixed: [], ragged: [strings('c')], kindless: [KINDLESS] }),
  );
  expect(schema).toMatchObject({ records: 2, withLists: 2, recordType: 'SequenceExample', sequenceExamples: true });
  expect(specOf(schema)).toEqual({
    context: { id: { type: 'fixedLen', dtype: 'int64', shape: [] } },
    sequence: {
      fixed: { type: 'fixedLenSequence', dtype: 'float32', shape: [2] },
      ragged: { type: 'ragged', dtype: 'text' },
      some: { type: 'fixedLenSequence', dtype: 'int64', shape: [], allowMissing: true },
    },
  });
  expect(schema.features.find(({ name }) => name === 'fixed')).toMatchObject({
    records: 2,
    steps: { min: 0, max: 2, total: 2 },
    counts: { min: 2, max: 2, total: 4 },
    inAll: true,
  });
});

test('a step without a kind has no values', async () => {
  const schema = await infer(sequenceOf({}, { a: [int64s(1), KINDLESS] }));
  expect(schema.features[0]!.valueCount).toEqual({ min: 0, max: 1 });
  expect(specOf(schema)).toMatchObject({ sequence: { a: { type: 'ragged', dtype: 'int64' } } });
});

test('one record with feature lists makes all of them SequenceExamples', async () => {
  const schema = await infer(exampleOf({ a: int64s(1) }), record(field(2)), new Uint8Array(0));
  expect(schema).toMatchObject({ records: 3, withLists: 1, recordType: 'SequenceExample' });
});

test('pictures: formats, and the sizes of the first ones', async () => {
  // The least that has a size: a GIF's and a PNG's header.
  const gif = (width: number, height: number): Uint8Array =>
    Buffer.concat([Buffer.from('GIF89a'), Uint8Array.of(width, 0, height, 0), Buffer.alloc(20)]);
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000070000000308060000', 'hex');
  const { pictures } = await one(strings(gif(3, 4)), strings(gif(30, 2)), strings(png), strings('no picture'));
  expect(pictures).toEqual({
    formats: { GIF: 2, PNG: 1 },
    looked: 3,
    width: { min: 3, max: 30 },
    height: { min: 2, max: 4 },
  });
  const many = await one(...Array.from({ length: 300 }, () => strings(...Array<Uint8Array>(3).fill(gif(1, 1)))));
  expect(many.pictures).toMatchObject({ formats: { GIF: 900 }, looked: 16 });
  expect((await one(strings('GIF89a'))).pictures).toMatchObject({ looked: 1, width: undefined });
});

describe('records that are no Examples', () => {
  const good = exampleOf({ a: int64s(1) });
  const cut = exampleOf({ b: int64s(1) }).slice(0, -1);
  const event = Buffer.concat([Uint8Array.of(9), Buffer.from(Float64Array.of(1e9).buffer), Uint8Array.of(0x10, 5)]);
  const file = folder.write('bad', [good, cut, good, event, good]);

  test('the first one is named', async () => {
    await expect(inferSchema(file)).rejects.toMatchObject({
      name: 'TFRecordError',
      code: 'TFR_EXAMPLE',
      file,
      record: 1,
      offset: frame(good).length,
      message: expect.stringMatching(
        /is not an Example or SequenceExample: the protobuf data is malformed: .* at byte/,
      ) as string,
    });
  });

  test('an Event is named', async () => {
    await expect(inferSchema(folder.write('events', [event]))).rejects.toMatchObject({
      code: 'TFR_EXAMPLE',
      found: 'an Event of TensorBoard',
    });
    await expect(infer(record(field(7, [1])))).rejects.toMatchObject({ found: 'a message of another type' });
  });

  test('names that are not UTF-8', async () => {
    const latin = Buffer.from(exampleOf({ x: int64s(1) }).map((byte) => (byte === 0x78 ? 0xe9 : byte)));
    await expect(infer(good, latin)).rejects.toMatchObject({
      record: 1,
      message: expect.stringContaining('UTF-8') as string,
    });
  });

  test('skipped, one by one, as damage is', async () => {
    const errors: TFRecordError[] = [];
    const report = (error: TFRecordError): void => void errors.push(error);
    const schema = await inferSchema(file, { onError: { action: 'skip', report } });
    expect(schema).toMatchObject({ records: 3, stats: { records: 5, skipped: 2 } });
    expect(schema.features.map(({ name }) => name)).toEqual(['a']);
    expect(errors.map(({ record: at }) => at)).toEqual([1, 3]);
    expect(await inferSchema(file, { onError: 'stop' })).toMatchObject({ records: 1 });
    await expect(inferSchema(file, { onError: { action: 'skip', max: 1 } })).rejects.toMatchObject({ record: 3 });
  });

  test('a malformed record comes before later damage', async () => {
    const bytes = Buffer.concat([tfrecord([good, cut]), Buffer.from('no record at all')]);
    await expect(inferSchema(bytes)).rejects.toMatchObject({ code: 'TFR_EXAMPLE', record: 1 });
    await expect(inferSchema(bytes.subarray(0, frame(good).length + 20))).rejects.toMatchObject({
      code: 'TFR_TRUNCATED',
    });
  });
});

test('options', async () => {
  const records = [exampleOf({ a: int64s(1), b: floats(1), c: KINDLESS })];
  const file = folder.write('options', records);
  const { features } = await inferSchema(file, { features: ['c', 'a'] });
  expect(features.map(({ name }) => name)).toEqual(['a', 'c']);
  await expect(inferSchema(file, { features: ['d'] })).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'd' });
  const seen: number[] = [];
  await inferSchema(file, { onProgress: ({ records: count }) => seen.push(count) });
  expect(seen).toEqual([1]);
  const reason = new Error('stop');
  await expect(inferSchema(file, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  for (const wrong of [{ feature: [] }, { features: 'a' }, { features: [1] }, { onProgress: 1 }, { readAhead: -1 }]) {
    await expect(inferSchema(file, wrong as never)).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_/) as string,
    });
  }
  await expect(inferSchema(folder.at('nowhere'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an error of a callback ends the survey', async () => {
  const failure = new Error('mine');
  const onProgress = (): never => {
    throw failure;
  };
  await expect(inferSchema(folder.write('called', [exampleOf({})]), { onProgress })).rejects.toBe(failure);
});

const body = fc.oneof(
  fc.constant(KINDLESS),
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map((values) => int64s(...values)),
  fc.array(fc.float(), { maxLength: 3 }).map((values) => floats(...values)),
  fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 3 }).map((values) => strings(...values)),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }).map((values) => strings(...values)),
);
const features = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'é'), body, { noNullPrototype: false });

/** Reads all of `records` by the inferred spec. Resolves with the number of rows. */
async function rowsBySpec(records: readonly Uint8Array[]): Promise<number> {
  const source = tfrecord(records);
  const { spec, recordType } = await inferSchema(source);
  let rows = 0;
  if (recordType === 'Example') {
    if (Object.keys(spec).length === 0) return records.length;
    const again: Spec = specFromJSON(JSON.parse(JSON.stringify(specToJSON(spec))));
    expect(specToJSON(again)).toEqual(specToJSON(spec));
    for await (const _ of readExamples(source, again)) rows++;
  } else {
    const { context = {}, sequence = {} } = spec;
    if (Object.keys(context).length + Object.keys(sequence).length === 0) return records.length;
    for await (const _ of readSequenceExamples(source, spec)) rows++;
  }
  return rows;
}

test('the spec reads all records that it was inferred from', async () => {
  const sequence = fc.record({
    context: features,
    lists: fc.dictionary(fc.constantFrom('a', 'l'), fc.array(body, { maxLength: 3 })),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(features, { maxLength: 8 }),
      fc.array(sequence, { maxLength: 8 }),
      async (examples, sequences) => {
        expect(await rowsBySpec(examples.map(exampleOf))).toBe(examples.length);
        const records = sequences.map(({ context, lists }) => sequenceOf(context, lists));
        expect(await rowsBySpec(records)).toBe(records.length);
      },
    ),
    { numRuns: 60 },
  );
});

if ((REAL_FACTS as readonly object[]).length === 0) {
  test.todo(NO_REAL_FILES);
} else {
  const files = (REAL_FACTS as readonly { local: string; proto: string }[]).filter(({ proto }) =>
    proto.includes('Example'),
  );
  test.each(files.map(({ local }) => local))('the spec reads all of %s', async (local) => {
    const file = join(REAL_FILES, local);
    const { spec, records, recordType } = await inferSchema(file);
    if (records === 0) return;
    let rows = 0;
    const reader = recordType === 'Example' ? readExamples(file, spec).batches(100) : readSequenceExamples(file, spec);
    for await (const batch of reader) rows += recordType === 'Example' ? rowCount(batch) : 1;
    expect(rows).toBe(records);
  });
  test('there are files', () => expect(readdirSync(REAL_FILES).length).toBeGreaterThan(5));
}

function rowCount(batch: object): number {
  const first = Object.values(batch)[0] as {
    length?: number;
    shape?: readonly number[];
    denseShape?: readonly number[];
  };
  return first.shape?.[0] ?? first.denseShape?.[0] ?? first.length ?? 0;
}

test('the table escapes characters of names that change the direction of text', async () => {
  const schema = await infer(exampleOf({ 'a\u202eb\u2066c\u061c': int64s(1) }));
  expect(String(schema)).toContain('"a\\u202eb\\u2066c\\u061c"');
});
