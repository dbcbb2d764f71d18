/** Sources of which any range can be read: the same as from a file, however the ranges come. */
import fc from 'fast-check';

import { readExamples, readRecords, RecordReader, type ReadOptions, type RecordSource } from '../../../../lib';
import { classifySource } from '../../../../lib/io';
import {
  recordSequence,
  resolveReadOptions,
  UNREAD,
  type AheadBudget,
  type RecordSequence,
} from '../../../../lib/record';
import { batchesIn, NUMBERED, numbered, rowsIn } from '../../../support/examples/example-files';
import { numberedRecords } from '../../../support/records/record-files';
import { never, SlowSource, type SlowOptions } from '../../../support/records/slow-source';
import { compress, flipBit, ownMember, tfrecord } from '../../../support/records/tfrecord';

const RECORDS = [...numberedRecords(3000, 90), ...numberedRecords(40, 30_000), ...numberedRecords(500, 300)];
const PLAIN = tfrecord(RECORDS);

/** Returns the end of each record in a plain file. */
function ends(records: readonly Uint8Array[]): number[] {
  let end = 0;
  return records.map(({ length }) => (end += length + 16));
}

const WHOLE = ends(RECORDS);

function ownFile(records: readonly Buffer[], each: number): Buffer {
  const members: Buffer[] = [];
  for (let i = 0; i < records.length; i += each) {
    const part = records.slice(i, i + each);
    members.push(ownMember(tfrecord(part), part.length));
  }
  return Buffer.concat(members);
}

const FILES = {
  plain: PLAIN,
  gzip: compress(PLAIN, 'gzip'),
  'gzip of ours': ownFile(RECORDS, 200),
  zlib: compress(PLAIN, 'zlib'),
  empty: Buffer.alloc(0),
};
const NAMES = Object.keys(FILES) as (keyof typeof FILES)[];

interface Outcome {
  readonly records: string[];
  readonly error: unknown;
}

async function outcomeOf(source: RecordSource, options?: ReadOptions): Promise<Outcome> {
  const records: string[] = [];
  try {
    for await (const record of readRecords(source, options)) records.push(Buffer.from(record).toString('latin1'));
    return { records, error: undefined };
  } catch (error) {
    return { records, error };
  }
}

/** What an error says, but for the name of the file, and what depends on how far was read. */
function facts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, record, offset, compressedOffset, expected, found, part } = error as unknown as Record<string, unknown>;
  return { code, record, offset, compressedOffset, expected, found, part };
}

describe.each(NAMES)('%s', (name) => {
  const bytes = FILES[name];
  const expected = bytes.length === 0 ? [] : RECORDS.map((record) => record.toString('latin1'));

  test.each<SlowOptions>([{}, { knowsSize: false }, { seed: 1 }, { seed: 2, knowsSize: false }])(
    'gives its records: %j',
    async (options) => {
      const slow = new SlowSource(bytes, options);
      const { records, error } = await outcomeOf(slow.source);
      expect(error).toBeUndefined();
      expect(records).toEqual(expected);
      // One more than the others, if native code waits for it.
      expect(slow.most).toBeLessThanOrEqual(4);
    },
  );

  test('gives its batches', async () => {
    const reader = RecordReader.open(new SlowSource(bytes, { seed: 3 }).source, { batchBytes: 4096 });
    let count = 0;
    for await (const batch of (await reader).batches()) count += batch.length;
    expect(count).toBe(expected.length);
  });
});

test('random schedules give the same records and errors as the bytes themselves', async () => {
  const damaged = fc.record({
    name: fc.constantFrom(...NAMES.slice(0, 4)),
    flips: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 2 }),
    cutAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3, nil: undefined }),
  });
  const schedule = fc.record({ seed: fc.nat(), knowsSize: fc.boolean() });
  const options = fc.record({
    readAhead: fc.constantFrom(0, 1, 5),
    batchBytes: fc.constantFrom(undefined, 4096, 70_000),
    onError: fc.constantFrom('throw' as const, 'skip' as const),
    verify: fc.constantFrom('all' as const, 'none' as const),
  });
  await fc.assert(
    fc.asyncProperty(damaged, schedule, options, async ({ name, flips, cutAt }, slow, read) => {
      let bytes = flips.reduce((file, at) => flipBit(file, Math.floor(at * file.length), 3), SMALL[name]);
      if (cutAt !== undefined) bytes = bytes.subarray(0, Math.floor(cutAt * bytes.length));
      const whole = await outcomeOf(bytes, read);
      const ranged = await outcomeOf(new SlowSource(bytes, slow).source, read);
      expect(ranged.records).toEqual(whole.records);
      expect(facts(ranged.error)).toEqual(facts(whole.error));
    }),
    { numRuns: 200 },
  );
});

const FEW = [...numberedRecords(300, 90), ...numberedRecords(6, 30_000), ...numberedRecords(50, 300)];
const SMALL: Record<keyof typeof FILES, Buffer> = {
  plain: tfrecord(FEW),
  gzip: compress(tfrecord(FEW), 'gzip'),
  'gzip of ours': ownFile(FEW, 40),
  zlib: compress(tfrecord(FEW), 'zlib'),
  empty: Buffer.alloc(0),
};

describe('Examples', () => {
  const examples = Array.from({ length: 1000 }, (_, i) => numbered(i));
  const file = tfrecord(examples);
  const schedules: SlowOptions[] = [{}, { seed: 5 }, { seed: 6, knowsSize: false }];

  test.each(schedules)('rows: %j', async (schedule) => {
    const whole = await rowsIn(readExamples(file, NUMBERED), NUMBERED);
    const ranged = await rowsIn(readExamples(new SlowSource(file, schedule).source, NUMBERED), NUMBERED);
    expect(whole.rows).toHaveLength(1000);
    expect(ranged).toEqual(whole);
  });

  test.each(schedules)('batches: %j', async (schedule) => {
    const whole = await batchesIn(readExamples(file, NUMBERED), 700);
    const ranged = await batchesIn(readExamples(new SlowSource(file, schedule).source, NUMBERED), 700);
    expect(whole.rows).toHaveLength(2);
    expect(ranged).toEqual(whole);
  });

  test('random schedules give the same batches and errors', async () => {
    const few = examples.slice(0, 300);
    const files = [tfrecord(few), compress(tfrecord(few), 'gzip'), ownFile(few.map(Buffer.from), 60)];
    const ratio = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const flip = fc.option(ratio, { freq: 2, nil: undefined });
    const options = fc.record({
      readAhead: fc.constantFrom(0, 3),
      onError: fc.constantFrom('throw' as const, 'skip' as const),
    });
    const schedule = fc.record({ seed: fc.nat(), knowsSize: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), flip, schedule, options, async (file, at, slow, read) => {
        const bytes = at === undefined ? file : flipBit(file, Math.floor(at * file.length));
        const whole = await batchesIn(readExamples(bytes, NUMBERED, read), 64);
        const ranged = await batchesIn(readExamples(new SlowSource(bytes, slow).source, NUMBERED, read), 64);
        expect(ranged.rows).toEqual(whole.rows);
        expect(facts(ranged.error)).toEqual(facts(whole.error));
      }),
      { numRuns: 40 },
    );
  });

  test('rows before a range that fails, then its error', async () => {
    const failure = new Error('connection reset');
    const instead = (at: number): undefined => {
      if (at >= 65_536) throw failure;
    };
    const rows: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const row of readExamples(new SlowSource(file, { instead }).source, NUMBERED)) rows.push(row);
    };
    await expect(read()).rejects.toBe(failure);
    expect(rows).toHaveLength(ends(examples).filter((end) => end <= 65_536).length);
  });
});

describe('a read that fails', () => {
  const failure = new Error('connection reset');
  const failingFrom = (from: number): SlowOptions => ({
    instead: (at, length) => {
      if (at + length > from) throw failure;
      return undefined;
    },
  });

  test.each([0, 2])('rejects after all records before it, with readAhead %d', async (readAhead) => {
    for (const from of [0, 1, 300_000, PLAIN.length - 1]) {
      const slow = new SlowSource(PLAIN, failingFrom(from));
      const { records, error } = await outcomeOf(slow.source, { readAhead });
      expect(error).toBe(failure);
      const failedAt = Math.min(...slow.reads.filter(([at, length]) => at + length > from).map(([at]) => at));
      expect(records).toHaveLength(WHOLE.filter((end) => end <= failedAt).length);
    }
  });

  test('also rejects where it throws at once, and gives no bytes', async () => {
    const synchronous = (): never => {
      throw failure;
    };
    const thrown = Object.assign(new SlowSource(PLAIN), { read: synchronous });
    expect(await outcomeOf(thrown.source)).toEqual({ records: [], error: failure });
    const text = Object.assign(new SlowSource(PLAIN), { read: () => Promise.resolve('text') });
    expect((await outcomeOf(text.source)).error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  test('does not matter to a reader that ends before it', async () => {
    const slow = new SlowSource(PLAIN, failingFrom(100_000));
    for await (const record of readRecords(slow.source)) {
      expect(Buffer.from(record).equals(RECORDS[0]!)).toBe(true);
      break;
    }
  });

  test('is an error of the reader even where damage is skipped', async () => {
    const { error } = await outcomeOf(new SlowSource(PLAIN, failingFrom(100_000)).source, { onError: 'skip' });
    expect(error).toBe(failure);
  });
});

test('an answer that is too long is refused: it may begin anywhere', async () => {
  const instead = (): Promise<Buffer> => Promise.resolve(PLAIN);
  const { records, error } = await outcomeOf(new SlowSource(PLAIN, { instead }).source);
  expect(records).toEqual([]);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toHaveProperty('code', 'ERR_INVALID_ARG_VALUE');
  const wanted = '1 to 65536 bytes of slow.tfrecord from byte 0 on';
  expect(error).toHaveProperty('message', `"chunk" must be ${wanted}. Received "${PLAIN.length} bytes"`);
});

test('a source that is shorter than its size is truncated', async () => {
  const { records, error } = await outcomeOf(new SlowSource(PLAIN, { claims: PLAIN.length + 100_000, seed: 9 }).source);
  expect(records).toHaveLength(RECORDS.length);
  expect(error).toMatchObject({ code: 'TFR_TRUNCATED', file: 'slow.tfrecord' });
});

test('what lies after the size is not read', async () => {
  const slow = new SlowSource(Buffer.concat([PLAIN, PLAIN]), { claims: PLAIN.length });
  expect((await outcomeOf(slow.source)).records).toHaveLength(RECORDS.length);
  expect(Math.max(...slow.reads.map(([at, length]) => at + length))).toBe(PLAIN.length);
});

describe('a source that does not answer any more', () => {
  const hanging = (): SlowSource => new SlowSource(PLAIN, { instead: (at) => (at >= 200_000 ? never() : undefined) });

  test('does not keep a reader from closing', async () => {
    const slow = hanging();
    const reader = await RecordReader.open(slow.source);
    let records = 0;
    const reading = (async () => {
      for await (const batch of reader.batches()) records += batch.length;
    })();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(records).toBeGreaterThan(0);
    expect(slow.signal?.aborted).toBe(false);
    await reader.close();
    await reading;
    expect(slow.signal?.aborted).toBe(true);
  });

  test('does not keep a signal from aborting', async () => {
    const slow = hanging();
    const abort = new AbortController();
    const reason = new Error('enough');
    const reading = outcomeOf(slow.source, { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 50);
    const { records, error } = await reading;
    expect(error).toBe(reason);
    expect(records.length).toBeGreaterThan(0);
    expect(slow.signal?.aborted).toBe(true);
  });
});

describe('a budget', () => {
  /** Counts the bytes that readers hold, and the largest sum of them. */
  class Counted implements AheadBudget {
    held = 0;
    peak = 0;
    readonly #bytes: number;
    constructor(bytes: number) {
      this.#bytes = bytes;
    }
    get room(): number {
      return this.#bytes - this.held;
    }
    hold(bytes: number): void {
      this.held += bytes;
      this.peak = Math.max(this.peak, this.held);
    }
    release(bytes: number): void {
      this.held -= bytes;
    }
  }

  const large = tfrecord(numberedRecords(400, 30_000));
  const opened = (slow: SlowSource, ahead: Counted): RecordSequence =>
    recordSequence(classifySource(slow), { ...resolveReadOptions({ batchBytes: 65_536 }), ahead });
  const countOf = async (sequence: RecordSequence): Promise<number> => {
    let count = 0;
    for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) count += batch.length;
    return count;
  };

  test('without room lets a reader read what it needs only', async () => {
    const [slow, budget] = [new SlowSource(large, { seed: 8 }), new Counted(0)];
    expect(await countOf(opened(slow, budget))).toBe(400);
    // One more, if native code waits for it.
    expect(slow.most).toBeLessThanOrEqual(2);
    expect(budget.peak).toBeLessThan(2 ** 18);
    expect(budget.held).toBe(0);
  });

  test('with some room is not exceeded, and is free again at the end', async () => {
    const [slow, budget] = [new SlowSource(large, { seed: 8 }), new Counted(2.5 * 2 ** 20)];
    expect(await countOf(opened(slow, budget))).toBe(400);
    expect(budget.peak).toBeGreaterThan(2 * 2 ** 20);
    expect(budget.peak).toBeLessThanOrEqual(2.5 * 2 ** 20);
    expect(budget.held).toBe(0);
  });

  test('is free again after close, while a read hangs and after damage', async () => {
    const hanging = new SlowSource(large, { instead: (at) => (at >= 1_200_000 ? never() : undefined) });
    const budget = new Counted(64 * 2 ** 20);
    const sequence = opened(hanging, budget);
    await sequence.next();
    expect(budget.held).toBeGreaterThan(0);
    const counting = countOf(sequence);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await sequence.close();
    expect(await counting).toBeGreaterThan(0);
    expect(budget.held).toBe(0);

    const damaged = new SlowSource(flipBit(large, 2_000_000, 1), { seed: 3 });
    const reading = opened(damaged, budget);
    await expect(countOf(reading)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA' });
    await reading.close();
    expect(budget.held).toBe(0);
  });
});

test('reading begins at a place', async () => {
  const slow = new SlowSource(PLAIN, { seed: 4 });
  const place = { record: 3010, offset: WHOLE[3009]! };
  const sequence = recordSequence(classifySource(slow), resolveReadOptions(undefined), { input: 0, place });
  const found: Buffer[] = [];
  for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) {
    expect(batch.origin(0)?.record).toBe(3010 + found.length);
    for (const record of batch) found.push(Buffer.from(record));
  }
  expect(Buffer.concat(found).equals(Buffer.concat(RECORDS.slice(3010)))).toBe(true);
  expect(Math.min(...slow.reads.map(([at]) => at))).toBe(place.offset);
});

test('the data of records that are only measured is not read', async () => {
  const large = tfrecord(numberedRecords(12, 400_000));
  const slow = new SlowSource(large);
  const sequence = recordSequence(classifySource(slow), { ...resolveReadOptions(undefined), verify: UNREAD });
  let count = 0;
  for (let batch = await sequence.next(); batch !== undefined; batch = await sequence.next()) count += batch.length;
  expect(count).toBe(12);
  expect(slow.asked).toBeLessThan(large.length / 3);
});

test('a reader that is not asked for more does not read on', async () => {
  const large = tfrecord(numberedRecords(300, 30_000));
  const slow = new SlowSource(large);
  const records = readRecords(slow.source)[Symbol.asyncIterator]();
  await records.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(slow.asked).toBeLessThan(6 * 1024 * 1024);
  await records.return?.();
});
