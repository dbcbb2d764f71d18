/**
 * Compares outputs of native code with those of TypeScript: floats of every pattern, random Examples, damaged records
 * and files, files of real projects. What was written comes back. TFRECORD_FULL=1 takes 4,000,000 floats, 100,000
 * Examples and 20,000 damaged records, twenty times as many as otherwise.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  float,
  int64,
  readRecords,
  varLen,
  type Spec,
} from '../../../../lib';
import { convert, type ConvertOptions } from '../../../../lib/convert';
import { messageLinesOutput, rowLinesOutput } from '../../../../lib/convert/jsonl/lines-output';
import { inferSchema } from '../../../../lib/schema';
import { newTable, type FeatureColumn } from '../../../../lib/table';
import {
  compareOutputs,
  csvOf,
  HAS_NATIVE_LINES,
  printed,
  rowsOf,
  withoutNativeLines,
  type Printing,
} from '../../../support/records/native-outputs';
import { NO_REAL_FILES, REAL_FILES, REAL_SETS } from '../../../support/records/real-data';
import { Folder } from '../../../support/records/record-files';
import { recordValues, type ValuesOptions } from '../../../support/records/record-values';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';
import { randoms } from '../../../support/randoms';

const SCALE = process.env['TFRECORD_FULL'] === '1' ? 20 : 1;
const FLOATS = 200_000 * SCALE;
const EXAMPLES = 5_000 * SCALE;
const DAMAGED = 1_000 * SCALE;
const DAMAGED_FILES = 20 * SCALE;

const onThreads = HAS_NATIVE_LINES ? test : test.skip;
jest.setTimeout(120_000 * SCALE);

const folder = new Folder();
afterAll(() => folder.remove());

const random = randoms(11);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const column = (key: string, dtype: FeatureColumn['dtype']): FeatureColumn => ({
  ...{ key, section: 0, dtype, shape: undefined, nullable: true },
});
const PLAIN: Printing = { format: rowLinesOutput, settings: {} };
const MESSAGES: Printing = { format: messageLinesOutput, settings: {} };

/** Floats of every exponent with edges of the fraction, floats of few digits, and random bits. */
function floatOf(index: number): number {
  const bits = new Uint32Array(1);
  switch (index % 4) {
    case 0: {
      const exponent = (index >>> 2) % 512;
      const fraction = pick([0, 1, 2, 2 ** 22, 2 ** 23 - 1, 2 ** 23 - 2, below(2 ** 23)]);
      bits[0] = exponent * 2 ** 23 + fraction;
      break;
    }
    case 1:
      return Math.fround(pick([1, -1]) * below(10 ** (1 + below(9))) * 10 ** (below(60) - 40));
    case 2:
      return Math.fround(below(2 ** 24) / 2 ** below(24));
    default:
      bits[0] = below(2 ** 32);
  }
  return new Float32Array(bits.buffer)[0]!;
}

describe('floats', () => {
  const MANY = 20_000;

  onThreads('of every pattern in CSV', async () => {
    const printing = csvOf(newTable([column('a', 'float32')], false));
    for (let first = 0; first < FLOATS; first += MANY) {
      const values = Float32Array.from({ length: MANY }, (_, i) => floatOf(first + i));
      const records = times(MANY, (i) => encodeExample({ a: float(values.subarray(i, i + 1)) }));
      expect(await compareOutputs(printing, records)).toEqual({ rows: MANY, errors: 0 });
      const lines = (await printed(printing, records)).text.split('\n');
      expect(values.findIndex((value, i) => !Object.is(Math.fround(Number(lines[i + 1])), value))).toBe(-1);
    }
  });

  onThreads('of every pattern in rows by a spec, and in plain ones', async () => {
    const size = 1000;
    for (let first = 0; first < FLOATS; first += MANY) {
      const lists = times(MANY / size, (i) =>
        Float32Array.from({ length: size }, (_, j) => floatOf(first + i * size + j)),
      );
      const records = lists.map((list) => encodeExample({ a: float(list) }));
      for (const printing of [rowsOf({ a: varLen('float32') }), PLAIN, MESSAGES]) {
        expect(await compareOutputs(printing, records)).toEqual({ rows: lists.length, errors: 0 });
      }
      const { text } = await printed(rowsOf({ a: varLen('float32') }), records);
      const back = text
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { a: unknown[] }).a.map(Number));
      expect(
        back.flat().findIndex((value, i) => !Object.is(Math.fround(value), lists[Math.floor(i / size)]![i % size])),
      ).toBe(-1);
    }
  });
});

const PARTS = [
  '',
  'x',
  ',',
  '"',
  '\n',
  '\r\n',
  '\t',
  'é',
  '🙂',
  '\u2028',
  ' ',
  '0',
  '1',
  '-',
  '.',
  'e',
  '5',
  'NaN',
  'inf',
  'word ',
];
const textOf = (): string => times(below(6), () => pick(PARTS)).join('');
const integerOf = (): bigint =>
  BigInt.asIntN(64, ((BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32))) >> BigInt(below(64)));

/** An Example that CSV can hold: one value of each feature, or none. */
function flatExample(index: number): Uint8Array {
  return encodeExample({
    id: int64([BigInt(index)]),
    ...(below(4) === 0 ? {} : { n: int64([integerOf()]) }),
    ...(below(4) === 0 ? {} : { f: float([floatOf(below(2 ** 20))]) }),
    ...(below(4) === 0 ? {} : { t: bytes([textOf()]) }),
  });
}

/** An Example with lists and any bytes. */
function listExample(index: number): Uint8Array {
  return encodeExample({
    id: int64([BigInt(index)]),
    ...(below(4) === 0 ? {} : { n: int64(times(below(5), integerOf)) }),
    ...(below(4) === 0 ? {} : { f: float(times(below(5), () => floatOf(below(2 ** 20)))) }),
    ...(below(4) === 0 ? {} : { t: bytes(times(below(4), textOf)) }),
    ...(below(4) === 0 ? {} : { b: bytes(times(below(3), () => Uint8Array.from(times(below(9), () => below(256))))) }),
    ...(below(20) === 0 ? { none: [] } : {}),
  });
}

const COLUMNS = [
  column('id', 'int64'),
  column('t', 'text'),
  column('f', 'float32'),
  column('n', 'int64'),
  column('b', 'bytes'),
];
const SPECS: readonly Spec[] = [
  { n: varLen('int64'), f: varLen('float32'), t: varLen('text'), b: varLen('bytes'), id: fixedLen([], 'int64') },
  {
    f: fixedLen([], 'float32', { default: null }),
    t: fixedLen([], 'text', { default: 'é' }),
    n: fixedLen([1, 1], 'int64', { default: -7 }),
  },
  { n: fixedLen([2], 'int64', { default: [1, 2] }), t: varLen('bytes') },
];
const PRINTINGS: readonly Printing[] = [
  csvOf(newTable(COLUMNS, false)),
  csvOf(newTable(COLUMNS.slice(0, 4), false), ';'),
  ...SPECS.map(rowsOf),
  PLAIN,
  MESSAGES,
];

async function back(
  records: readonly Uint8Array[],
  format: 'csv' | 'jsonl' | 'protojson',
  options: ConvertOptions,
): Promise<Buffer[]> {
  const at = folder.place().at;
  await convert(tfrecord(records), at('there'), { to: format });
  await convert(at('there'), at('back'), { from: format, ...options });
  return wholeRecords(readFileSync(at('back')));
}

describe('random Examples', () => {
  const MANY = 500;

  onThreads('are printed alike', async () => {
    let [rows, errors] = [0, 0];
    for (let first = 0; first < EXAMPLES; first += MANY) {
      const records = times(MANY, (i) => (i % 2 === 0 ? flatExample(first + i) : listExample(first + i)));
      for (const printing of PRINTINGS) {
        const result = await compareOutputs(printing, records);
        rows += result.rows;
        errors += result.errors;
      }
    }
    expect(rows + errors).toBe(EXAMPLES * PRINTINGS.length);
    expect(rows / EXAMPLES).toBeGreaterThan(4);
    expect(errors / EXAMPLES).toBeGreaterThan(0.5);
  });

  test.each<['csv' | 'jsonl' | 'protojson', (index: number) => Uint8Array, ValuesOptions]>([
    ['csv', flatExample, { columns: true }],
    ['jsonl', listExample, {}],
    ['protojson', listExample, {}],
  ])('come back from %s', async (format, make, options) => {
    for (let first = 0; first < EXAMPLES; first += MANY) {
      const records = times(MANY, (i) => make(first + i));
      const found = await back(records, format, {});
      expect(found.map((record) => recordValues(record, options))).toEqual(
        records.map((record) => recordValues(record, options)),
      );
    }
  });
});

/** A record with up to three bytes changed, or cut, or with bytes twice. */
function damaged(record: Uint8Array): Uint8Array {
  const bad = Uint8Array.from(record);
  for (let changes = 1 + below(3); changes > 0; changes--) {
    const at = below(bad.length);
    bad[at] = pick([below(256), bad[at]! ^ (1 << below(8)), 0xff, 0]);
  }
  if (below(5) === 0) return bad.subarray(0, below(bad.length));
  if (below(10) === 0) return Buffer.concat([bad, bad.subarray(below(bad.length))]);
  return bad;
}

const SEQUENCE = encodeSequenceExample({
  context: { id: int64([7]) },
  featureLists: { t: [bytes(['x']), float([2])] },
});

describe('damage', () => {
  onThreads('damaged records: the same rows, and the same errors', async () => {
    const MANY = 100;
    let errors = 0;
    for (let first = 0; first < DAMAGED; first += MANY) {
      const records = times(MANY, (i) => damaged(pick([flatExample(i), listExample(i), SEQUENCE])));
      const mixed = records.flatMap((record, i) => (i % 3 === 0 ? [flatExample(i), record] : [record]));
      for (const printing of PRINTINGS) errors += (await compareOutputs(printing, mixed)).errors;
    }
    expect(errors / DAMAGED).toBeGreaterThan(2);
  });

  onThreads.each<[string, ConvertOptions]>([
    ['csv', { to: 'csv', features: ['id', 't'] }],
    ['csv by a spec', { to: 'csv', spec: SPECS[1]! }],
    ['rows by a spec', { to: 'jsonl', spec: SPECS[0]! }],
    ['rows', { to: 'jsonl' }],
    ['messages', { to: 'protojson' }],
  ])('damaged files as %s: the same output, or the same error', async (_, options) => {
    const at = folder.place().at;
    const outcome = async (file: string): Promise<unknown> => {
      try {
        const { records } = await convert(file, at('out'), { ...options, force: true });
        return { records, text: readFileSync(at('out'), 'utf8') };
      } catch (error) {
        const { code, message, record, offset, feature } = error as Record<string, unknown>;
        return { code, message, record, offset, feature };
      }
    };
    const codes = new Set<unknown>();
    for (let i = 0; i < DAMAGED_FILES; i++) {
      const file = at('in');
      const records = times(1 + below(40), (index) =>
        below(20) === 0 ? damaged(listExample(index)) : flatExample(index),
      );
      const whole = tfrecord(records);
      writeFileSync(file, i % 2 === 0 ? whole : damaged(whole));
      const found = await outcome(file);
      expect(found).toEqual(await withoutNativeLines(() => outcome(file)));
      codes.add((found as { code?: unknown }).code);
    }
    expect(codes.size).toBeGreaterThan(1);
  });
});

const files = [REAL_FILES, REAL_SETS]
  .filter((path) => existsSync(path))
  .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, String(name))))
  .filter((path) => statSync(path).isFile() && !/\.(?:md|json|pbtxt|txt)$/.test(path));

if (files.length === 0) test.todo(NO_REAL_FILES);
else {
  onThreads.each(files)('%s', async (file) => {
    const records: Uint8Array[] = [];
    for await (const record of readRecords(file, { onError: 'skip' })) records.push(record);
    const printings = [PLAIN, MESSAGES];
    const { spec } = await inferSchema(file).catch(() => ({ spec: undefined }));
    if (spec !== undefined && !('sequence' in spec) && Object.keys(spec).length > 0) {
      const columns = Object.entries(spec as Spec).map(([name, { dtype }]) => column(name, dtype));
      printings.push(rowsOf(spec), csvOf(newTable(columns, false)));
      // The columns of which each row has one value.
      const single = Object.entries(spec as Spec).filter(
        ([, feature]) => !('shape' in feature) || feature.shape.length === 0,
      );
      printings.push(
        csvOf(
          newTable(
            single.map(([name, { dtype }]) => column(name, dtype)),
            false,
          ),
          '\t',
        ),
      );
    }
    for (const printing of printings) {
      const { rows, errors } = await compareOutputs(printing, records);
      expect(rows + errors).toBe(records.length);
    }
  });
}
