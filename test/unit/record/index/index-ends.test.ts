/** How reads by an index end: `close`, signals, sources that fail, are closed or change meanwhile. */
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import {
  openIndexedFiles,
  type RecordBatch,
  RecordIndex,
  type IndexedSource,
  type ScanProgress,
} from '../../../../lib';
import { isOpen } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(3000, 200);
const CONTENT = tfrecord(RECORDS);
/** Records so far from each other that each is read by a request of its own. */
const SPREAD = Array.from({ length: 30 }, (_, i) => i * 100);

/** A source that counts its reads. `hold` makes later ones wait until `release` is called. */
class HeldSource {
  readonly byteLength = CONTENT.length;
  /** Reads that have begun, and those that have not ended. */
  begun = 0;
  pending = 0;
  failing = false;
  #gate: Promise<void> | undefined;
  release = (): void => undefined;

  hold(): void {
    this.#gate = new Promise((resolve) => (this.release = resolve));
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    this.begun++;
    this.pending++;
    try {
      if (this.failing && this.begun % 2 === 1) throw new Error('of the source');
      await this.#gate;
      return CONTENT.subarray(start, end);
    } finally {
      this.pending--;
    }
  }
}

async function scanned(source: IndexedSource, signal?: AbortSignal): Promise<RecordIndex> {
  const index = RecordIndex.scan(source, { signal });
  await index.done;
  return index;
}

/** True if `batch` has the records of `SPREAD`. */
const isSpread = (batch: RecordBatch): boolean =>
  batch.length === SPREAD.length && SPREAD.every((number, i) => Buffer.compare(RECORDS[number]!, batch.at(i)!) === 0);

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Lets all that is ready go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const SOURCES: Readonly<Record<string, () => Promise<{ source: IndexedSource; after?: () => Promise<void> }>>> = {
  'a file': () => Promise.resolve({ source: folder.put(`${Math.random()}`, CONTENT) }),
  'a Blob': () => Promise.resolve({ source: new Blob([Uint8Array.from(CONTENT)]) }),
  bytes: () => Promise.resolve({ source: Uint8Array.from(CONTENT) }),
  'an object': () => Promise.resolve({ source: new HeldSource() }),
  'a FileHandle': async () => {
    const handle = await open(folder.put(`${Math.random()}`, CONTENT));
    return { source: handle, after: () => handle.close() };
  },
};

describe.each(Object.keys(SOURCES))('close() of the index of %s', (kind) => {
  test('waits for reads, which give their records or TFR_CLOSED; later calls reject', async () => {
    const { source, after } = await SOURCES[kind]!();
    const index = await scanned(source);
    const reads = Array.from({ length: 20 }, () => index.readBatch(SPREAD).then(isSpread, codeOf));
    const slice = index.slice();
    const first = await slice.next();
    expect(first.value!.length).toBeGreaterThan(0);
    await Promise.all([index.close(), index.close()]);
    for (const outcome of await Promise.all(reads)) expect([true, 'TFR_CLOSED']).toContain(outcome);
    await expect(slice.next()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    const closed = { code: 'TFR_CLOSED' };
    await expect(index.at(0)).rejects.toMatchObject(closed);
    await expect(index.readBatch([])).rejects.toMatchObject(closed);
    await expect(index.read(0, 1)).rejects.toMatchObject(closed);
    await expect(index.slice().next()).rejects.toMatchObject(closed);
    await after?.();
  });
});

test('close() waits for the ranges of a batch that are being read, and begins no others', async () => {
  const source = new HeldSource();
  const index = await scanned(source);
  source.hold();
  source.begun = 0;
  const read = index.readBatch(SPREAD);
  const outcome = read.catch((error: unknown) => error);
  while (source.pending === 0) await turn();
  const { begun } = source;
  let isClosed = false;
  const closing = index.close().then(() => (isClosed = true));
  await turn();
  expect(isClosed).toBe(false);
  source.release();
  await closing;
  expect(source).toMatchObject({ pending: 0, begun });
  expect(await outcome).toMatchObject({ code: 'TFR_CLOSED' });
});

test('after a range that cannot be read, no other one is read in the background', async () => {
  const source = new HeldSource();
  const index = await scanned(source);
  source.hold();
  source.failing = true;
  source.begun = 0;
  const read = index.readBatch(SPREAD);
  const outcome = read.catch((error: unknown) => error);
  while (source.begun < 2) await turn();
  source.release();
  expect(await outcome).toMatchObject({ message: 'of the source' });
  const { begun, pending } = source;
  expect(pending).toBe(0);
  await turn();
  expect(source).toMatchObject({ begun, pending: 0 });
  expect(begun).toBeLessThan(SPREAD.length);
  await index.close();
});

onLinux('a loop over a slice may close the index: its file is closed, and the loop ends with the error', async () => {
  const path = folder.put('closed-in-loop.gz', gzipSync(CONTENT));
  const index = await scanned(path);
  const loop = async (): Promise<void> => {
    for await (const batch of index.slice(0, undefined, { batchBytes: 4096 })) {
      expect(batch.length).toBeGreaterThan(0);
      await index.close();
      expect(isOpen(path)).toBe(false);
    }
  };
  await expect(loop()).rejects.toMatchObject({ code: 'TFR_CLOSED', file: path });
});

test('await using closes an index after all that it began', async () => {
  const source = new HeldSource();
  let read: Promise<unknown>;
  {
    await using index = await scanned(source);
    read = index.readBatch(SPREAD).catch((error: unknown) => error);
  }
  expect(source.pending).toBe(0);
  await read;
});

test('a FileHandle that the user closes meanwhile is an error of reads, and of nothing else', async () => {
  const handle = await open(folder.put('closed.tfrecord', CONTENT));
  const index = await scanned(handle);
  const reads = Array.from({ length: 5 }, () => index.readBatch(SPREAD).then(isSpread, codeOf));
  await handle.close();
  for (const outcome of await Promise.all(reads)) expect([true, 'EBADF']).toContain(outcome);
  await expect(index.at(5)).rejects.toMatchObject({ code: 'EBADF' });
  await index.close();
});

describe('a signal', () => {
  const reason = new Error('enough');

  test.each(['a file', 'an object'])('that aborts after the scan ends all reads of %s', async (kind) => {
    const { source } = await SOURCES[kind]!();
    const controller = new AbortController();
    const index = await scanned(source, controller.signal);
    const slice = index.slice(0, undefined, { batchBytes: 4096 });
    await slice.next();
    const read = index.readBatch(SPREAD);
    controller.abort(reason);
    await expect(read).rejects.toBe(reason);
    await expect(slice.next()).rejects.toBe(reason);
    await expect(index.at(0)).rejects.toBe(reason);
    await expect(index.read(0, 1)).rejects.toBe(reason);
    await index.close();
  });

  test('that aborts in the middle of 300 calls', async () => {
    const controller = new AbortController();
    const index = await scanned(folder.put('many.tfrecord', CONTENT), controller.signal);
    const calls = Array.from({ length: 300 }, (_, i) =>
      index.at(i % RECORDS.length).then(
        (record) => (Buffer.compare(record!, RECORDS[i % RECORDS.length]!) === 0 ? 'right' : 'wrong'),
        (error: unknown) => (error === reason ? 'aborted' : 'other'),
      ),
    );
    await calls[0];
    controller.abort(reason);
    const found = new Set(await Promise.all(calls));
    expect(found.has('aborted')).toBe(true);
    expect([...found].filter((outcome) => outcome !== 'right' && outcome !== 'aborted')).toEqual([]);
    await index.close();
  });
});

describe('a file that changes while it is open', () => {
  const CHANGES: Readonly<Record<string, (path: string) => void>> = {
    'is truncated': (path) => truncateSync(path, 1000),
    'is appended to': (path) => appendFileSync(path, CONTENT),
    'is replaced': (path) => {
      writeFileSync(`${path}.new`, tfrecord([...RECORDS].reverse()));
      renameSync(`${path}.new`, path);
    },
  };
  test.each(Object.keys(CHANGES))('%s: reads say so', async (change) => {
    const path = folder.put(`${change}.tfrecord`, CONTENT);
    const index = await scanned(path);
    const slice = index.slice(0, undefined, { batchBytes: 4096, readAhead: 0 });
    await slice.next();
    CHANGES[change]!(path);
    const changed = { code: 'TFR_STATE_MISMATCH', file: path };
    await expect(index.at(2999)).rejects.toMatchObject(changed);
    await expect(index.readBatch(SPREAD)).rejects.toMatchObject(changed);
    await expect(index.read(2990, 2)).rejects.toMatchObject(changed);
    await index.close();
  });
});

describe('the progress of several files', () => {
  test('is that of all together, and ends with all records', async () => {
    const paths = [0, 1, 2].map((i) => folder.put(`progress-${i}.tfrecord`, CONTENT));
    const seen: ScanProgress[] = [];
    const save = true;
    for (const records of [0, 1]) {
      seen.length = 0;
      // The second time, the indexes are there.
      await using files = await openIndexedFiles(paths, { save, onProgress: (progress) => seen.push(progress) });
      const totalBytes = 3 * CONTENT.length;
      expect(seen.at(-1)).toEqual({ records: 9000, compressedBytes: totalBytes, totalBytes, complete: true });
      expect(seen.filter(({ complete }) => complete)).toHaveLength(1);
      for (const [i, step] of seen.entries()) {
        expect(step.records).toBeGreaterThanOrEqual(seen[i - 1]?.records ?? records - 1);
        expect(step.totalBytes).toBe(totalBytes);
      }
      expect(files.records).toBe(9000);
    }
  });

  test('rejects with what its function throws, and closes what was opened', async () => {
    const failure = new Error('of the caller');
    const onProgress = (): never => {
      throw failure;
    };
    const path = folder.put('failing.tfrecord', CONTENT);
    await expect(openIndexedFiles([path], { onProgress })).rejects.toBe(failure);
    await expect(openIndexedFiles([path], { onProgress: 1 as never })).rejects.toThrow(TypeError);
    await expect(openIndexedFiles([], { onProgress: 1 as never })).rejects.toThrow(TypeError);
  });
});
