/**
 * readSequenceExamples: rows and batches of every source, over files; bad records; what it shares with readExamples.
 */
import { writeFileSync } from 'node:fs';

import {
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  int64,
  parseSequenceExample,
  parseSingleSequenceExample,
  ragged,
  readSequenceExamples,
  varLen,
  type FeatureLike,
  type TFRecordError,
} from '../../../../lib';
import { expectEqual } from '../../../support/comparable';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';
import { SOURCE_KINDS } from '../../../support/records/source-kinds';
import { CODECS, compress, flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';
import { floats, int64s, record, sequenceOf, strings, wireOf } from '../../../support/examples/wire';

const SPEC = {
  context: { id: fixedLen([], 'int64'), tags: varLen('bytes') },
  sequence: {
    tokens: fixedLenSequence([], 'int64'),
    boxes: fixedLenSequence([2], 'float32', { allowMissing: true }),
    words: varLen('bytes'),
    groups: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] }),
  },
};

/** Record `i`, of no to four steps a list. */
function numbered(i: number): Uint8Array {
  const steps = <T>(count: number, step: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => step(k));
  return sequenceOf(
    { id: int64s(i), tags: strings(...steps(i % 3, (k) => `${i}.${k}`)) },
    {
      tokens: steps(i % 5, (k) => int64s(i * k)),
      ...(i % 2 === 0 && { boxes: steps(i % 4, (k) => floats(i, k)) }),
      words: steps(i % 4, (k) => strings(...steps(k, () => `w${i}`))),
      n: steps(i % 3, (k) => int64s(...steps(k + 1, () => i))),
      len: steps(i % 3, (k) => int64s(k, 1)),
    },
  );
}

type RaggedOf = ReturnType<typeof ragged<'int64', readonly [{ by: 'rowSplits' | 'rowLengths'; key: string }]>>;
type Plain = Readonly<Record<string, unknown>>;
const plain = (parts: object): Plain =>
  Object.fromEntries(Object.entries(parts).map(([name, features]) => [name, plainFeatures(features as object)]));

const RECORDS = Array.from({ length: 300 }, (_, i) => numbered(i));
const ROWS = RECORDS.map((each) => plain(parseSingleSequenceExample(each, SPEC)));
const batched = (size: number): Plain[] =>
  Array.from({ length: Math.ceil(RECORDS.length / size) }, (_, i) =>
    plain(parseSequenceExample(RECORDS.slice(i * size, (i + 1) * size), SPEC)),
  );

interface Read {
  readonly all: Plain[];
  readonly error: TFRecordError | undefined;
}
async function drained(steps: AsyncIterable<object>): Promise<Read> {
  const all: Plain[] = [];
  try {
    for await (const step of steps) all.push(plain(step));
  } catch (error) {
    return { all, error: error as TFRecordError };
  }
  return { all, error: undefined };
}

const folder = new Folder();
afterAll(() => folder.remove());

describe.each(CODECS)('%s', (codec) => {
  const bytes = compress(tfrecord(RECORDS), codec);
  const path = folder.at(`source.${codec}`);
  beforeAll(() => writeFileSync(path, bytes));

  test.each(SOURCE_KINDS)('$name', async (kind) => {
    const read = (): ReturnType<typeof readSequenceExamples<(typeof SPEC)['context'], (typeof SPEC)['sequence']>> =>
      readSequenceExamples(kind.make(path, bytes), SPEC);
    const reader = read();
    expectEqual(await drained(reader), { all: ROWS, error: undefined });
    expect(reader.origin).toMatchObject({ file: kind.file(path), record: 299, offset: offsets(RECORDS)[299] });
    expect(reader.stats).toMatchObject({ records: 300, compression: codec, skipped: 0 });
    expectEqual(await drained(read().batches(64)), { all: batched(64), error: undefined });
  });
});

test('rows and batches share a position, and batches go on across files', async () => {
  const paths = [0, 1, 2].map((shard) => {
    const path = folder.at(`part-${shard}`);
    writeFileSync(path, tfrecord(RECORDS.slice(100 * shard, 100 * shard + 100)));
    return path;
  });
  expectEqual((await drained(readSequenceExamples(paths, SPEC).batches(64))).all, batched(64));
  const reader = readSequenceExamples(folder.at('part-*'), SPEC);
  const rows = reader[Symbol.asyncIterator]();
  expect(plain((await rows.next()).value as object)).toEqual(ROWS[0]);
  const batch = await reader.batches(150).next();
  expect(plain(batch.value as object)).toEqual(plain(parseSequenceExample(RECORDS.slice(1, 151), SPEC)));
  expect(plain((await rows.next()).value as object)).toEqual(ROWS[151]);
  await reader.close();
  expect(await rows.next()).toEqual({ value: undefined, done: true });
});

test('int64 as numbers, and no batch that is not full', async () => {
  const reader = readSequenceExamples(tfrecord(RECORDS), SPEC, { int64: 'number' });
  let count = 0;
  for await (const { context, lengths } of reader.batches(64, { dropRemainder: true })) {
    expect(context.id).toBeInstanceOf(Float64Array);
    count += lengths.tokens.length;
  }
  expect(count).toBe(256);
});

describe('records at fault', () => {
  const step = int64s(1, 2);
  const FAULTS = {
    'no SequenceExample': record(wireOf('0a 7f 01')),
    'no id': sequenceOf({}, { tokens: [] }),
    'no tokens': sequenceOf({ id: int64s(1) }, {}),
    'two values in a step': sequenceOf({ id: int64s(1) }, { tokens: [step] }),
    'another kind in a step': sequenceOf({ id: int64s(1) }, { tokens: [int64s(1), floats(1)] }),
    'lengths that do not add up': sequenceOf({ id: int64s(1) }, { tokens: [], n: [int64s(1)], len: [int64s(7)] }),
  };
  const at = [0, 7, 8, 150, 298, 299];
  const wrong = RECORDS.map((each, i) => (at.includes(i) ? Object.values(FAULTS)[at.indexOf(i)]! : each));
  const good = RECORDS.filter((_, i) => !at.includes(i));

  test.each(Object.entries(FAULTS))('%s: the rows before it come, then the error names it', async (_name, bad) => {
    const bytes = tfrecord([...RECORDS.slice(0, 100), bad, ...RECORDS.slice(100)]);
    const expected = thrown(() => parseSequenceExample([bad], SPEC)) as TFRecordError;
    for (const size of [undefined, 30]) {
      const reader = readSequenceExamples(bytes, SPEC);
      const { all, error } = await drained(size === undefined ? reader : reader.batches(size));
      expect(all).toEqual(
        size === undefined
          ? ROWS.slice(0, 100)
          : [...batched(30).slice(0, 3), plain(parseSequenceExample(RECORDS.slice(90, 100), SPEC))],
      );
      expect(error).toMatchObject({ code: expected.code, record: 100, file: '<bytes>' });
      expect(error?.feature).toBe(expected.feature);
    }
  });

  test("'skip' leaves out each of them, 'stop' ends before the first", async () => {
    const bytes = flipBit(tfrecord([...wrong, numbered(1)]), offsets([...wrong, numbered(1)])[300]! + 14);
    const skipping = readSequenceExamples(bytes, SPEC, { onError: 'skip' });
    expectEqual(await drained(skipping), {
      all: ROWS.filter((_, i) => !at.includes(i)),
      error: undefined,
    });
    expect(skipping.stats.skipped).toBe(7);
    expectEqual((await drained(readSequenceExamples(bytes, SPEC, { onError: 'skip' }).batches(100))).all, [
      plain(parseSequenceExample(good.slice(0, 100), SPEC)),
      plain(parseSequenceExample(good.slice(100, 200), SPEC)),
      plain(parseSequenceExample(good.slice(200), SPEC)),
    ]);
    expectEqual(await drained(readSequenceExamples(bytes, SPEC, { onError: 'stop' })), {
      all: [],
      error: undefined,
    });
  });
});

describe('ragged features in the context', () => {
  const ragged2 = (by: 'rowSplits' | 'rowLengths'): RaggedOf =>
    ragged({ dtype: 'int64', valueKey: 'v', partitions: [{ by, key: 's' }] });
  const rowsOf = (splits: readonly number[], values: readonly number[]): Uint8Array =>
    sequenceOf({ v: int64s(...values), s: int64s(...splits) }, {});

  test('no row splits are no rows, as in a batch and in one record', async () => {
    const spec = { context: { r: ragged2('rowSplits') } };
    const bytes = tfrecord([rowsOf([0, 2], [5, 6]), sequenceOf({}, {}), rowsOf([0], [])]);
    for (const onError of ['throw', 'skip', 'stop'] as const) {
      const rows = await drained(readSequenceExamples(bytes, spec, { onError }));
      expect(rows).toEqual({
        all: [[0, 2], [0], [0]].map((splits, i) => ({
          context: { r: { splits: [splits], values: { shape: [i === 0 ? 2 : 0], data: i === 0 ? [5, 6] : [] } } },
          sequence: {},
        })),
        error: undefined,
      });
    }
    const { context } = parseSingleSequenceExample(sequenceOf({}, {}), spec);
    expect(context.r.rowSplits.map((splits) => [...splits].map(Number))).toEqual([[0]]);
  });

  test('the first record at fault is named, whichever check finds it', async () => {
    const spec = {
      context: { a: ragged2('rowLengths') },
      sequence: {
        b: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] }),
      },
    };
    const record = (a: number, b: number, steps = 1): Uint8Array =>
      sequenceOf(
        { v: int64s(1), s: int64s(a) },
        { n: [int64s(1)], len: Array.from({ length: steps }, () => int64s(b)) },
      );
    const named = async (...records: Uint8Array[]): Promise<unknown> => {
      const { error } = await drained(readSequenceExamples(tfrecord(records), spec));
      return [error?.record, error?.feature];
    };
    const good = record(1, 1);
    // Of one feature all records are checked for their steps before any for its lengths.
    expect(await named(good, good, record(1, 7), good, record(1, 1, 2))).toEqual([2, 'b']);
    expect(await named(good, record(7, 1), record(1, 1, 2))).toEqual([1, 'a']);
    expect(await named(good, record(1, 7), record(7, 1))).toEqual([1, 'b']);
  });
});

test('one long record does not make rows of short ones long', async () => {
  // Padded, they would be 4 GB.
  const tokens = new Array<FeatureLike>(250_000).fill(int64(1));
  const long = encodeSequenceExample({ context: { id: int64(1) }, featureLists: { tokens } });
  const short = sequenceOf({ id: int64s(2) }, { tokens: [int64s(3)] });
  const bytes = tfrecord([long, ...Array.from({ length: 2000 }, () => short)]);
  const spec = { sequence: { tokens: SPEC.sequence.tokens } };
  let steps = 0;
  for await (const { sequence } of readSequenceExamples(bytes, spec)) steps += sequence.tokens.length;
  expect(steps).toBe(252_000);
});

test('wrong arguments are told at once', () => {
  const read = readSequenceExamples as (...args: unknown[]) => unknown;
  expect(thrown(() => read('x', {}))).toMatchObject({ code: 'TFR_SPEC' });
  expect(thrown(() => read('x', { id: fixedLen([], 'int64') }))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  expect(thrown(() => read('x', SPEC, { int64: 'text' }))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  expect(thrown(() => read(7, SPEC))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});
