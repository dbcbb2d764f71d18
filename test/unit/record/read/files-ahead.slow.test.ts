/** Files that are read ahead of their turn: compressed ones by a budget of bytes, others by some slabs. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { Dataset, readExamples, readRecords, RecordReader, type RecordSource } from '../../../../lib';
import { FillOutcome, native, type ReaderHandle, type SlabFill } from '../../../../lib/native';
import { classifySource } from '../../../../lib/io';
import { recordSequence, resolveReadOptions, type ReadPlan } from '../../../../lib/record';
import { filesClosed, freeDescriptors } from '../../../../lib/io/files/descriptors';
import { NUMBERED, numbered } from '../../../support/examples/example-files';
import { expectEqual } from '../../../support/comparable';
import { onLinux } from '../../../support/on-linux';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { compress, cut, ownMember, tfrecord } from '../../../support/records/tfrecord';

const MIB = 1024 * 1024;
/** Of all files ahead together. */
const BUDGET = 16 * MIB;
const SLAB = 384 * 1024;
const RECORD = 60 * 1024;

const folder = new Folder();
afterAll(() => folder.remove());
afterEach(() => jest.restoreAllMocks());

/** The slabs of all readers, since this was made. */
class Slabs {
  /** By file, in the order of their first fills. */
  readonly files: { asked: number; answered: number; records: number; ended: boolean; closed: boolean }[] = [];
  /** Bytes of the slabs that are being filled, or hold records. */
  bytes = 0;
  readonly #handles = new Map<ReaderHandle, Slabs['files'][number]>();

  constructor() {
    const { readerFill, readerClose } = native();
    jest.spyOn(native(), 'readerFill').mockImplementation(async (handle, slab) => {
      const file = this.#handles.get(handle) ?? { asked: 0, answered: 0, records: 0, ended: false, closed: false };
      if (!this.#handles.has(handle)) this.files.push(file);
      this.#handles.set(handle, file);
      file.asked++;
      this.bytes += slab.length;
      const fill: SlabFill = await readerFill(handle, slab);
      file.answered++;
      file.records += fill.frames.length / 2;
      file.ended ||= fill.outcome === FillOutcome.End;
      if (fill.frames.length === 0) this.bytes -= slab.length;
      return fill;
    });
    jest.spyOn(native(), 'readerClose').mockImplementation((handle) => {
      const file = this.#handles.get(handle);
      if (file !== undefined) file.closed = true;
      return readerClose(handle);
    });
  }

  /** Waits until that is so: reading ahead takes its time. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
    await this.quiet();
  }

  /** Waits until nothing is under way. */
  async quiet(): Promise<void> {
    for (let still = 0, before = -1; still < 5;) {
      const now = this.files.reduce((sum, { asked, answered }) => sum + asked + answered, this.files.length);
      still = now === before && this.files.every(({ asked, answered }) => asked === answered) ? still + 1 : 0;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

/** `count` files of `records` records of 60 KiB each, a quarter less when they are compressed. */
function bigFiles(count: number, records: number, suffix: string): string[] {
  const name = `big-${records}${suffix}`;
  if (!folder.names().includes(name)) {
    // Six bits of each byte are random: text of the same length in base64 compresses to as much.
    const payloads = Array.from({ length: records }, () => randomBytes((RECORD * 3) / 4).toString('base64'));
    folder.write(
      name,
      payloads.map((text) => Buffer.from(text)),
    );
  }
  return Array<string>(count).fill(folder.at(name));
}

/** The reader's batches, and their slabs; each batch is given up. */
async function* batchesOf(files: readonly string[], slabs: Slabs, plan: Partial<ReadPlan> = {}) {
  const inputs = recordSequence(classifySource(files), { ...resolveReadOptions({}), ...plan });
  try {
    for (let batch = await inputs.next(); batch !== undefined; batch = await inputs.next()) {
      yield batch;
      slabs.bytes -= batch.at(0)!.buffer.byteLength;
    }
  } finally {
    await inputs.close();
  }
}

describe.each(['.gz', '.zlib'])('the next files of a list of %s files', (suffix) => {
  test('are read to their ends before their turn, several, until the budget is used', async () => {
    const files = bigFiles(8, 96, suffix); // 5.6 MiB each
    const slabs = new Slabs();
    let records = 0;
    let most = 0;
    for await (const batch of batchesOf(files, slabs)) {
      if (records === 0) {
        const ended = (): string => slabs.files.map((file) => (file.ended ? 'ended' : 'more')).join(' ');
        await slabs.until(() => ended() === 'more ended ended more' && slabs.bytes > BUDGET - 4 * SLAB);
      }
      await slabs.quiet();
      most = Math.max(most, slabs.bytes);
      records += batch.length;
    }
    expect(records).toBe(8 * 96);
    // The slabs of the budget, and those of the file whose turn it is: the one in hand, and two ahead.
    expect(most).toBeLessThanOrEqual(BUDGET + 3 * SLAB);
    expect(slabs.files.every(({ closed }) => closed)).toBe(true);
  });

  test('are small: few of them are open', async () => {
    const files = bigFiles(12, 2, suffix);
    const slabs = new Slabs();
    const open = (): number => slabs.files.filter(({ closed }) => !closed).length;
    let records = 0;
    for await (const batch of batchesOf(files, slabs)) {
      if (records === 0) await slabs.until(() => open() === 5);
      await slabs.quiet();
      expect(open()).toBeLessThanOrEqual(5);
      records += batch.length;
    }
    expect(records).toBe(24);
  });

  test('are closed with the reader', async () => {
    const files = bigFiles(5, 96, suffix);
    const slabs = new Slabs();
    const held = new Held(Infinity);
    for await (const batch of batchesOf(files, slabs, { ahead: held })) {
      await slabs.until(() => held.bytes > BUDGET - 4 * SLAB);
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    // How many were opened ahead depends on which of them filled the budget first.
    expect(slabs.files.length).toBeGreaterThan(1);
    expect(slabs.files.every(({ closed }) => closed)).toBe(true);
    expect(held.bytes).toBe(0);
  });

  test('leave alone what else runs ahead: they wait for room in its budget', async () => {
    const files = bigFiles(5, 96, suffix);
    const slabs = new Slabs();
    const held = new Held(10 * MIB);
    let most = 0;
    let records = 0;
    for await (const batch of batchesOf(files, slabs, { ahead: held })) {
      if (records === 0) await slabs.until(() => held.bytes > 8 * MIB);
      await slabs.quiet();
      most = Math.max(most, held.bytes);
      records += batch.length;
    }
    expect(records).toBe(5 * 96);
    expect(most).toBeLessThanOrEqual(10 * MIB + SLAB);
    expect(held.bytes).toBe(0);
  });

  test('are aborted with it', async () => {
    const files = bigFiles(5, 96, suffix);
    const slabs = new Slabs();
    const abort = new AbortController();
    const records = readRecords(files, { signal: abort.signal });
    await records.next();
    await slabs.until(() => slabs.files.length > 2);
    abort.abort(new Error('enough'));
    await expect(
      (async () => {
        for await (const record of records) expect(record).toHaveLength(RECORD);
      })(),
    ).rejects.toThrow('enough');
    expect(slabs.files.every(({ closed }) => closed)).toBe(true);
  });

  test('are not read with readAhead: 0', async () => {
    const slabs = new Slabs();
    let batches = 0;
    for await (const batch of batchesOf(bigFiles(3, 96, suffix), slabs, { readAhead: 0 })) {
      await slabs.quiet();
      expect(slabs.files.filter(({ closed }) => !closed)).toHaveLength(1);
      expect(slabs.bytes).toBeLessThanOrEqual(SLAB);
      batches += Math.sign(batch.length);
    }
    expect(batches).toBeGreaterThan(3 * 16);
  });
});

/** A budget that counts. */
class Held {
  bytes = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get room(): number {
    return this.#most - this.bytes;
  }

  hold(bytes: number): void {
    this.bytes += bytes;
  }

  release(bytes: number): void {
    this.bytes -= bytes;
  }
}

test('a plain file is opened when the file before it was read to its end, and read two slabs ahead', async () => {
  const slabs = new Slabs();
  let records = 0;
  for await (const batch of batchesOf(bigFiles(3, 96, ''), slabs)) {
    await slabs.quiet();
    records += batch.length;
    const open = slabs.files.filter(({ closed }) => !closed);
    expect(open.length).toBeLessThanOrEqual(open[0]!.ended ? 2 : 1);
    if (open.length > 1) expect(open[1]!.asked).toBe(2);
    expect(slabs.bytes).toBeLessThanOrEqual(5 * SLAB);
  }
  expect(records).toBe(3 * 96);
});

test('a plain file behind compressed ones is read two slabs ahead, and the one behind it is not', async () => {
  const [packed] = bigFiles(1, 96, '.gz');
  const slabs = new Slabs();
  for await (const batch of batchesOf([packed!, ...bigFiles(2, 96, '')], slabs)) {
    await slabs.until(() => slabs.files.length > 1);
    expect(slabs.files.map(({ asked }) => asked).slice(1)).toEqual([2]);
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
});

describe('damage in a file ahead', () => {
  const good = compress(tfrecord(numberedRecords(100, 20_000)), 'gzip');
  const more = compress(tfrecord(numberedRecords(30, 20_000)), 'gzip');
  const ways: Record<string, (source: RecordSource) => AsyncIterable<Uint8Array>> = {
    readRecords: (source) => readRecords(source),
    'Dataset.tfrecord': (source) => Dataset.tfrecord(source as string[]),
  };

  test.each(Object.keys(ways))('is told when all before it was given: %s', async (way) => {
    const files = [folder.put('a.gz', good), folder.put('b.gz', cut(more, more.length - 9)), folder.put('c.gz', good)];
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const slabs = new Slabs();
    let records = 0;
    const read = async (): Promise<void> => {
      for await (const record of ways[way]!(files)) {
        if (records++ === 0) await slabs.until(() => slabs.files[1]?.records === 30);
        expect(record).toHaveLength(20_000);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'TFR_TRUNCATED', file: files[1] });
    expect(records).toBe(130);
    expect(slabs.files.every(({ closed }) => closed)).toBe(true);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  test('and a file that is not there, and one that is a folder', async () => {
    const files = [folder.put('a.gz', good), folder.at('missing'), folder.put('b.gz', more), folder.path];
    const codes: string[] = [];
    let records = 0;
    const onError = {
      action: 'skip' as const,
      report: ({ code }: { code: string }) => void codes.push(`${records} ${code}`),
    };
    for await (const record of readRecords(files, { onError })) records += Math.sign(record.length);
    expect([records, codes]).toEqual([130, ['100 ENOENT', '130 EISDIR']]);
  });
});

test('a record that no slab holds is read at the turn of its file', async () => {
  const long = compress(tfrecord([Buffer.alloc(9 * MIB, 'long'), ...numberedRecords(3, 100)]), 'gzip');
  const files = [...bigFiles(1, 96, '.gz'), folder.put('long.gz', long), ...bigFiles(1, 96, '.gz')];
  const lengths: number[] = [];
  for await (const record of readRecords(files)) lengths.push(record.length);
  expect(lengths).toEqual([
    ...Array<number>(96).fill(RECORD),
    9 * MIB,
    100,
    100,
    100,
    ...Array<number>(96).fill(RECORD),
  ]);
});

describe('every way to read gives the same records, whatever the files are', () => {
  const CONTENTS: Readonly<Record<'plain' | 'gzip' | 'zlib' | 'members', (records: Uint8Array[]) => Buffer>> = {
    plain: (records) => tfrecord(records),
    gzip: (records) => compress(tfrecord(records), 'gzip'),
    zlib: (records) => compress(tfrecord(records), 'zlib'),
    members: (records) => {
      const parts = [0, 1, 2].map((i) => records.filter((_, at) => Math.floor((3 * at) / records.length) === i));
      return Buffer.concat(
        parts.map((part) => (part.length === 0 ? part : ownMember(tfrecord(part), part.length))).flat(),
      );
    },
  };
  const kinds = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[];
  const file = fc.record({
    kind: fc.constantFrom(...kinds),
    records: fc.oneof(fc.nat(3), fc.nat(600), fc.constant(4000)),
  });

  const examples: Uint8Array[] = [];
  const example = (at: number): Uint8Array => (examples[at] ??= numbered(at));

  test('in order', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 7 }),
        fc.nat(3),
        fc.constantFrom(undefined, 4096, 100_000),
        async (files, readAhead, batchBytes) => {
          run++;
          let first = 0;
          const paths = files.map(({ kind, records }, i) => {
            const content = CONTENTS[kind](Array.from({ length: records }, (_, at) => example(first + at)));
            first += records;
            return folder.put(`mixed-${run}-${i}`, content);
          });
          const wanted = Array.from({ length: first }, (_, at) => at);
          const idOf = (record: Uint8Array): string => Buffer.from(record).toString('latin1');
          const options = { readAhead, batchBytes };
          const all = wanted.map((at) => idOf(example(at)));
          const one: string[] = [];
          for await (const record of readRecords(paths, options)) one.push(idOf(record));
          expectEqual(one, all);
          const inBatches: string[] = [];
          const reader = await RecordReader.open(paths, options);
          for await (const batch of reader.batches()) for (const record of batch) inBatches.push(idOf(record));
          expectEqual(inBatches, all);
          const ofDataset: string[] = [];
          for await (const record of Dataset.tfrecord(paths, options)) ofDataset.push(idOf(record));
          expectEqual(ofDataset, all);
          const ids: number[] = [];
          for await (const batch of readExamples(paths, NUMBERED, options).batches(64))
            ids.push(...Array.from(batch.id, Number));
          expectEqual(ids, wanted);
          const rows: number[] = [];
          for await (const row of readExamples(paths, NUMBERED, options)) rows.push(Number(row.id));
          expectEqual(rows, wanted);
        },
      ),
      { numRuns: 8 },
    );
  });
});

onLinux('a pipe is not opened before its turn, so freeing descriptors loses none of its records', async () => {
  const file = folder.write('before-pipe.tfrecord', numberedRecords(3, 10));
  const pipe = folder.at('pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = await RecordReader.open([file, pipe]);
  const writer = createWriteStream(pipe);
  writer.end(tfrecord(['b0', 'b1']));
  const texts: string[] = [];
  for await (const record of reader) {
    texts.push(Buffer.from(record).toString());
    if (texts.length > 1) continue;
    // Time for a pipe that was opened too early to be drained.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await freeDescriptors(filesClosed());
  }
  expect(texts.slice(3)).toEqual(['b0', 'b1']);
});

test('gaps of compressed files hold no memory', async () => {
  const gap = gzipSync(Buffer.alloc(64 * MIB));
  const [one, other] = [folder.put('gap-1.gz', gap), folder.put('gap-2.gz', gap)];
  const fill = jest.spyOn(native(), 'readerFill');
  const records = Dataset.fixedLength([one, other], 4, { headerBytes: 64 * MIB - 4 });
  await expect(records.count()).resolves.toBe(2);
  // Slabs without records serve again: those of two files would be 128 MiB.
  const slabs = new Set(fill.mock.calls.map(([, slab]) => slab.buffer));
  expect([...slabs].reduce((bytes, { byteLength }) => bytes + byteLength, 0)).toBeLessThan(32 * MIB);
});
