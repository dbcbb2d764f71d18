/** Signals that abort before, during and after the work: calls reject with the reason, and nothing stays behind. */
import { getEventListeners, once } from 'node:events';
import { createReadStream, existsSync, readFileSync, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';

import { countRecords, readRecords, RecordReader, RecordWriter, writeRecords, type RecordSource } from '../../lib';
import { descriptorsIn } from '../support/running/descriptors';
import { randoms } from '../support/randoms';
import { Folder, numberedRecords } from '../support/records/record-files';

const COUNT = 20_000;
const folder = new Folder();
const records = numberedRecords(COUNT, 100);
const plain = folder.write('plain.tfrecord', records);
const gzip = folder.write('packed.tfrecord.gz', records);
const bytes = readFileSync(plain);
afterAll(() => folder.remove());
// Our descriptors are closed when the promise settles. A destroyed Node stream closes its own a little later.
let streams: Readable[] = [];
afterEach(async () => {
  for (const stream of streams) if (!stream.closed) await once(stream, 'close');
  streams = [];
  expect(descriptorsIn(folder.path)).toBe(0);
});
function nodeStream(): Readable {
  const stream = createReadStream(gzip);
  streams.push(stream);
  return stream;
}

const REASON = { why: 'a reason need not be an Error' };
const SMALL = { batchBytes: 65_536 };
/** Blocks this thread until there is a file at `path`, so that it cannot handle messages of other threads. */
function waitFor(path: string): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 20_000 && !existsSync(path); i++) Atomics.wait(clock, 0, 0, 1);
}
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield Promise.resolve(bytes.subarray(at, at + 10_000));
}

const sources: Record<string, () => RecordSource> = {
  'plain file': () => plain,
  'gzip file': () => gzip,
  'list of files': () => [plain, gzip, plain],
  bytes: () => bytes,
  Blob: () => new Blob([bytes]),
  'async iterable': () => chunks(),
  'Node stream': nodeStream,
};

describe.each(Object.entries(sources))('reading of %s', (_, source) => {
  test('aborted before it is opened', async () => {
    const signal = AbortSignal.abort(REASON);
    await expect(RecordReader.open(source(), { signal })).rejects.toBe(REASON);
    await expect(readRecords(source(), { signal }).next()).rejects.toBe(REASON);
    await expect(countRecords(source(), { signal })).rejects.toBe(REASON);
    expect(listeners(signal)).toBe(0);
  });

  test('aborted while it is opened', async () => {
    const controller = new AbortController();
    const opening = RecordReader.open(source(), { signal: controller.signal });
    controller.abort(REASON);
    await expect(opening).rejects.toBe(REASON);
    expect(listeners(controller.signal)).toBe(0);
  });

  test('aborted while a step is pending; the next step is the end', async () => {
    const controller = new AbortController();
    const reader = await RecordReader.open(source(), { ...SMALL, signal: controller.signal });
    const lane = reader.batches();
    const pending = lane.next();
    controller.abort(REASON);
    await expect(pending).rejects.toBe(REASON);
    await expect(lane.next()).resolves.toEqual({ value: undefined, done: true });
    await reader.close();
    expect(listeners(controller.signal)).toBe(0);
  });

  test('aborted at any record', async () => {
    const random = randoms(7);
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController();
      const last = Math.floor(random() * COUNT);
      let count = 0;
      const all = async (): Promise<void> => {
        for await (const _ of readRecords(source(), { ...SMALL, signal: controller.signal })) {
          if (count++ === last) controller.abort(REASON);
        }
      };
      await expect(all()).rejects.toBe(REASON);
      expect(count).toBe(last + 1);
      expect(listeners(controller.signal)).toBe(0);
    }
  });

  test('aborted after its end: nothing happens', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const iterator = readRecords(source(), { ...SMALL, signal });
    let count = 0;
    for await (const _ of iterator) count++;
    expect(count % COUNT).toBe(0);
    expect(count).toBeGreaterThan(0);
    expect(listeners(signal)).toBe(0);
    controller.abort(REASON);
    await expect(iterator.next()).resolves.toEqual({ value: undefined, done: true });
  });

  test('a reader closed early listens no longer', async () => {
    const { signal } = new AbortController();
    const reader = await RecordReader.open(source(), { ...SMALL, signal });
    expect(listeners(signal)).toBe(1);
    await reader.batches().next();
    await reader.close();
    expect(listeners(signal)).toBe(0);
  });
});

test('one signal ends many readers', async () => {
  const controller = new AbortController();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on('warning', onWarning);
  const readings = Array.from({ length: 20 }, async () => {
    for await (const _ of readRecords(Array<string>(500).fill(plain), { signal: controller.signal })) continue;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  controller.abort(REASON);
  const results = await Promise.allSettled(readings);
  expect(results).toEqual(readings.map(() => ({ status: 'rejected', reason: REASON })));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(listeners(controller.signal)).toBe(0);
});

test('a missing file wins over nothing: its listener goes too', async () => {
  const { signal } = new AbortController();
  await expect(RecordReader.open(folder.at('missing'), { signal })).rejects.toMatchObject({ code: 'ENOENT' });
  expect(listeners(signal)).toBe(0);
});

describe.each(['out.tfrecord', 'out.tfrecord.gz', 'out.tfrecord.zlib'])('writing of %s', (name) => {
  let out: Folder;
  beforeEach(() => (out = new Folder()));
  afterEach(() => {
    expect(descriptorsIn(out.path)).toBe(0);
    out.remove();
  });

  test('aborted before it is opened', async () => {
    const signal = AbortSignal.abort(REASON);
    await expect(RecordWriter.open(out.at(name), { signal })).rejects.toBe(REASON);
    expect(out.names()).toEqual([]);
    expect(listeners(signal)).toBe(0);
  });

  test('aborted in mid-write: every call rejects with the reason, and nothing is left', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const writer = await RecordWriter.open(out.at(name), { signal });
    for (const record of records) await writer.write(record);
    controller.abort(REASON);
    await expect(writer.write('more')).rejects.toBe(REASON);
    await expect(writer.flush()).rejects.toBe(REASON);
    await expect(writer.close()).rejects.toBe(REASON);
    expect(out.names()).toEqual([]);
    expect(listeners(signal)).toBe(0);
  });

  test('aborted by its source', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    function* source(): Generator<Uint8Array> {
      for (let i = 0; ; i++) {
        if (i === 15_000) controller.abort(REASON);
        yield records[i % COUNT] as Uint8Array;
      }
    }
    await expect(writeRecords(out.at(name), source(), { signal })).rejects.toBe(REASON);
    expect(out.names()).toEqual([]);
    expect(listeners(signal)).toBe(0);
  });

  test.each(['abort', 'signal'] as const)('%s behind the commit, before close has heard of it', async (by) => {
    const controller = new AbortController();
    const writer = await RecordWriter.open(out.at(name), { signal: controller.signal });
    await writer.write('record');
    const closed = writer.close();
    waitFor(out.at(name));
    const aborted = by === 'abort' ? writer.abort() : Promise.resolve(controller.abort(REASON));
    await expect(closed).resolves.toMatchObject({ records: 1 });
    await expect(aborted).resolves.toBeUndefined();
    await expect(writer.close()).resolves.toMatchObject({ records: 1 });
    await expect(writer.write('more')).rejects.toThrow('was closed');
    await expect(countRecords(out.at(name))).resolves.toBe(1);
    expect(listeners(controller.signal)).toBe(0);
  });

  test('aborted behind the commit of writeRecords', async () => {
    const controller = new AbortController();
    function* source(): Generator<Uint8Array> {
      yield* records;
      // After the microtasks, when close is under way, and before the event loop turns.
      process.nextTick(() => {
        waitFor(out.at(name));
        controller.abort(REASON);
      });
    }
    const writing = writeRecords(out.at(name), source(), { signal: controller.signal, threads: 64 });
    await expect(writing).resolves.toMatchObject({ records: COUNT });
    await expect(countRecords(out.at(name))).resolves.toBe(COUNT);
  });

  test('aborted at any time of close: it rejects, or the whole file stands', async () => {
    for (let round = 0; round < 30; round++) {
      const writer = await RecordWriter.open(out.at(name));
      for (let i = 0; i < 500 * round; i++) await writer.write(records[i] as Uint8Array);
      const closed = writer.close().then(
        () => [name],
        () => [],
      );
      for (let turn = 0; turn < round % 5; turn++) await new Promise(setImmediate);
      await writer.abort();
      expect(out.names()).toEqual(await closed);
      if (out.names().length > 0) await expect(countRecords(out.at(name))).resolves.toBe(500 * round);
      rmSync(out.at(name), { force: true });
    }
  });

  test('aborted after close: the file stays', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const report = await writeRecords(out.at(name), records, { signal });
    expect(report.records).toBe(COUNT);
    expect(listeners(signal)).toBe(0);
    controller.abort(REASON);
    await expect(countRecords(out.at(name))).resolves.toBe(COUNT);
    expect(out.names()).toEqual([name]);
  });
});

test('a web stream that has ended when its writer is aborted', async () => {
  const target = new WritableStream<Uint8Array>({ close: () => void writer.abort() });
  const writer: RecordWriter = await RecordWriter.open(target);
  await writer.write('record');
  await expect(writer.close()).resolves.toEqual({ records: 1, bytes: 6, fileBytes: 22 });
});
