/** TFRecords to every other format and back: each real file of Examples, and 1,000 random data sets. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { bytes, encodeExample, encodeSequenceExample, float, int64, readRecords, type FeatureLike } from '../../../lib';
import { convert } from '../../../lib/convert';
import type { ConvertFormat } from '../../../lib/convert/formats';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES, REAL_SETS } from '../../support/records/real-data';
import { recordValues, type ValuesOptions } from '../../support/records/record-values';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

/** The formats that keep all values, and what counts as equal. */
const FORMATS: readonly (readonly [ConvertFormat, ValuesOptions])[] = [
  ['tfrecord', { nans: true }],
  ['jsonl', {}],
  ['protojson', {}],
  ['parquet', { columns: true, nans: true }],
  ['arrow', { columns: true, nans: true }],
  ['arrows', { columns: true, nans: true }],
];
/** Random data sets of each format: of Examples, and of SequenceExamples. */
const ROUND_TRIPS = 100;

async function back(input: string | Uint8Array, format: ConvertFormat): Promise<Buffer[]> {
  const at = folder.place().at;
  await convert(input, at('there'), { to: format });
  await convert(at('there'), at('back'), { from: format });
  return wholeRecords(readFileSync(at('back')));
}

interface Facts {
  readonly local: string;
  readonly proto: string;
}

/** Files of Examples or SequenceExamples in a folder, by what their names say. */
function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile() && path.includes('tfrecord') && !/stats_tfrecord$|\.json$/.test(path))
    .sort();
}

const facts = REAL_FACTS as readonly Facts[];
const parsed = facts.filter(({ proto }) => proto.endsWith('Example'));
const others = facts.filter(({ proto }) => !proto.endsWith('Example'));

if (facts.length === 0) test.todo(NO_REAL_FILES);
else {
  const files = [...parsed.map(({ local }) => join(REAL_FILES, local)), ...filesIn(REAL_SETS)];
  describe.each(FORMATS)('%s', (format, options) => {
    test.each(files)('%s', async (file) => {
      const records: unknown[] = [];
      for await (const record of readRecords(file)) records.push(recordValues(record, options));
      expect(records.length).toBeGreaterThan(0);
      expect((await back(file, format)).map((record) => recordValues(record, options))).toEqual(records);
    });
  });

  test.each(files)('csv: %s comes back, or is refused by name', async (file) => {
    const options = { columns: true, nans: true };
    const refused = /SequenceExamples|[Ff]eature "[^"]+" has \d+ (?:values|bytes? that (?:is|are) not text)/;
    let found: Buffer[];
    try {
      found = await back(file, 'csv');
    } catch (error) {
      expect(error).toMatchObject({ code: 'TFR_FEATURE', message: expect.stringMatching(refused) as string });
      expect(file).not.toMatch(/taxi|tfds|tensorflow\+tfx/);
      return;
    }
    const records: unknown[] = [];
    for await (const record of readRecords(file)) records.push(recordValues(record, options));
    expect(found.map((record) => recordValues(record, options))).toEqual(records);
  });

  test.each(others)('$local is no file of Examples', async ({ local, proto }) => {
    const file = join(REAL_FILES, local);
    const at = folder.place().at;
    const refusal = { none: 'TFR_SPEC', Event: 'TFR_EXAMPLE' }[proto];
    await expect(convert(file, at('out.parquet'))).rejects.toMatchObject({ code: refusal });
    if (proto === 'Event') await expect(convert(file, at('out.jsonl'))).rejects.toMatchObject({ code: refusal });
    else expect(await convert(file, at('out.jsonl'))).toMatchObject({ records: 0 });
    expect((await back(file, 'protojson')).length).toBe(proto === 'Event' ? 105 : 0);
    expect(readdirSync(at('.')).filter((name) => name !== 'out.jsonl')).toEqual([]);
  });

  test('statistics are no Examples', async () => {
    const file = join(REAL_SETS, 'tfx-taxi', 'stats_tfrecord');
    for (const format of ['parquet', 'jsonl', 'protojson'] as const) {
      await expect(convert(file, folder.place().at('out'), { to: format })).rejects.toMatchObject({
        code: 'TFR_EXAMPLE',
        file,
      });
    }
  });
}

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];
const integers = fc.oneof(fc.bigInt({ min: LEAST, max: MOST }), fc.constantFrom(LEAST, MOST, 2n ** 53n + 1n, -1n, 0n));
/** 0, the smallest numbers and the largest, infinity, NaNs quiet and signalling; with the bit of the sign or without. */
const EDGES = [0, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fc00001, 0x7f800001, 0x3dcccccd];
const floatBits = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.tuple(fc.constantFrom(...EDGES), fc.constantFrom(0, 2 ** 31)).map(([bits, sign]) => bits + sign),
);
const KINDS: readonly fc.Arbitrary<FeatureLike>[] = [
  fc.array(integers, { maxLength: 3 }).map((all) => int64(all)),
  fc.array(floatBits, { maxLength: 5 }).map((all) => float(new Float32Array(Uint32Array.from(all).buffer))),
  floatBits.map((bits) => float(new Float32Array(Uint32Array.of(bits).buffer))),
  fc
    .array(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 5 }), fc.constant('')), { maxLength: 3 })
    .map((all) => bytes(all)),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { minLength: 1, maxLength: 1 }).map((all) => bytes(all)),
];
const names = fc.uniqueArray(
  fc.oneof(fc.constantFrom('a', 'b', 'é', '__proto__', '1', 'x/y', '"'), fc.string({ minLength: 1, maxLength: 3 })),
  // DuckDB folds case, and cannot have null characters.
  { maxLength: 4, selector: (name) => name.toLowerCase(), comparator: 'IsStrictlyEqual' },
);

/** Each feature has one kind in all records. */
const features = names
  .map((all) => all.filter((name) => name.isWellFormed() && !name.includes('\0')))
  .chain((all) =>
    fc.tuple(fc.constant(all), fc.array(fc.nat(KINDS.length - 1), { minLength: all.length, maxLength: all.length })),
  )
  .map(([all, kinds]) => all.map((name, i) => [name, KINDS[kinds[i]!]!] as const));
/** A feature that is there, but is of no kind. */
const NO_KIND = 'no kind';
type Members<T> = readonly (readonly [string, T | typeof NO_KIND | undefined])[];
const members = <T>(
  of: readonly (readonly [string, fc.Arbitrary<T>])[],
  others: readonly (undefined | typeof NO_KIND)[] = [undefined],
): fc.Arbitrary<Members<T>> =>
  fc.tuple(
    ...of.map(([name, values]) => {
      const other = fc.constantFrom(...others);
      return fc.tuple(fc.constant(name), fc.oneof({ arbitrary: values, weight: 4 }, { arbitrary: other, weight: 1 }));
    }),
  );
const featuresOf = (all: Parameters<typeof members<FeatureLike>>[0]): fc.Arbitrary<Members<FeatureLike>> =>
  members(all, [undefined, NO_KIND]);
const examples = features.chain((all) => fc.array(featuresOf(all), { maxLength: 6 }));
const sequences = fc
  .tuple(features, features)
  .chain(([context, lists]) =>
    fc.array(
      fc.tuple(
        featuresOf(context),
        members(lists.map(([name, values]) => [`l${name}`, fc.array(values, { maxLength: 3 })] as const)),
      ),
      { maxLength: 5 },
    ),
  );

function object<T>(all: Members<T>): Record<string, T> {
  const result = Object.create(null) as Record<string, T>;
  for (const [name, value] of all) if (value !== undefined && value !== NO_KIND) result[name] = value;
  return result;
}

/** `record` with the features of `all` that have no kind: protobuf joins messages that stand behind each other. */
function withKindless(record: Uint8Array, all: Members<FeatureLike>): Buffer {
  const field = (number: number, data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.of((number << 3) | 2, data.length), data]);
  const entries = all
    .filter(([, value]) => value === NO_KIND)
    .map(([name]) => field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.alloc(0))])));
  return Buffer.concat([record, ...entries.map((entry) => field(1, entry))]);
}

test('random data sets: csv has the same values, or refuses them', async () => {
  // CSV has one NaN.
  const options = { columns: true };
  await fc.assert(
    fc.asyncProperty(examples, async (rows) => {
      const records = rows.map((row) => withKindless(encodeExample(object(row)), row));
      let found: Buffer[];
      try {
        found = await back(tfrecord(records), 'csv');
      } catch (error) {
        expect(error).toMatchObject({ code: 'TFR_FEATURE' });
        return;
      }
      expect(found.map((record) => recordValues(record, options))).toEqual(
        records.map((record) => recordValues(record, options)),
      );
    }),
    { numRuns: ROUND_TRIPS },
  );
});

describe.each(FORMATS)('random data sets: %s', (format, compared) => {
  // A feature that is empty in all rows loses its kind.
  const options = { ...compared, kindless: format === 'jsonl' };
  const check = async (records: readonly Uint8Array[]): Promise<void> => {
    const expected = records.map((record) => recordValues(record, options));
    try {
      const found = await back(tfrecord(records), format);
      expect(found.map((record) => recordValues(record, options))).toEqual(expected);
    } catch (error) {
      // A file of Parquet has a column.
      const bare = records.every((record) => JSON.stringify(recordValues(record, options)) === '[[],[]]');
      if (format !== 'parquet' || !bare || (error as { code?: string }).code !== 'TFR_SPEC') throw error;
    }
  };

  test('Examples', async () => {
    await fc.assert(
      fc.asyncProperty(examples, (rows) => check(rows.map((row) => withKindless(encodeExample(object(row)), row)))),
      { numRuns: ROUND_TRIPS },
    );
  });

  test('SequenceExamples', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (rows) =>
        check(
          rows.map(([context, lists]) =>
            withKindless(encodeSequenceExample({ context: object(context), featureLists: object(lists) }), context),
          ),
        ),
      ),
      { numRuns: ROUND_TRIPS },
    );
  });
});
