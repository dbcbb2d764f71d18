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
  ['jsonl', {}],
  ['protojson', {}],
  ['parquet', { columns: true, nans: true }],
  ['arrow', { columns: true, nans: true }],
  ['arrows', { columns: true, nans: true }],
];
const ROUND_TRIPS = Math.ceil(1000 / FORMATS.length / 2);

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
    const refused = /SequenceExamples|[Ff]eature "[^"]+" has \d+ (?:values|bytes that are no text)/;
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

const KINDS: readonly fc.Arbitrary<FeatureLike>[] = [
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map((all) => int64(all)),
  fc.array(fc.oneof(fc.float(), fc.constantFrom(-0, NaN, Infinity)), { maxLength: 3 }).map((all) => float(all)),
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
type Members<T> = readonly (readonly [string, T | undefined])[];
const members = <T>(of: readonly (readonly [string, fc.Arbitrary<T>])[]): fc.Arbitrary<Members<T>> =>
  fc.tuple(...of.map(([name, values]) => fc.tuple(fc.constant(name), fc.option(values, { nil: undefined }))));
const examples = features.chain((all) => fc.array(members(all), { maxLength: 6 }));
const sequences = fc
  .tuple(features, features)
  .chain(([context, lists]) =>
    fc.array(
      fc.tuple(
        members(context),
        members(lists.map(([name, values]) => [`l${name}`, fc.array(values, { maxLength: 3 })] as const)),
      ),
      { maxLength: 5 },
    ),
  );

function object<T>(all: Members<T>): Record<string, T> {
  const result = Object.create(null) as Record<string, T>;
  for (const [name, value] of all) if (value !== undefined) result[name] = value;
  return result;
}

test('random data sets: csv has the same values, or refuses them', async () => {
  const options = { columns: true, nans: true };
  await fc.assert(
    fc.asyncProperty(examples, async (rows) => {
      const records = rows.map((row) => encodeExample(object(row)));
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
      fc.asyncProperty(examples, (rows) => check(rows.map((row) => encodeExample(object(row))))),
      { numRuns: ROUND_TRIPS },
    );
  });

  test('SequenceExamples', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (rows) =>
        check(
          rows.map(([context, lists]) =>
            encodeSequenceExample({ context: object(context), featureLists: object(lists) }),
          ),
        ),
      ),
      { numRuns: ROUND_TRIPS },
    );
  });
});
