/** A FileHandle is read as the path of its file is: sizes, states, losses, and files that shrink. */
import { readFileSync, truncateSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, encodeRecords, RecordReader, type RecordSource, type TFRecordError } from '../../../../lib';
import { classifySource } from '../../../../lib/io';
import { Folder } from '../../../support/records/record-files';
import { flipBit } from '../../../support/records/tfrecord';

const folder = new Folder();
const handles: FileHandle[] = [];
/** A file of more than the readers hold at once. */
const LARGE = encodeRecords(Array.from({ length: 200 }, () => Buffer.alloc(50_000)));

afterAll(async () => {
  for (const handle of handles) await handle.close();
  folder.remove();
});

/** Writes `bytes` to a file. Resolves with its path, and a handle of it. */
async function both(name: string, bytes: Uint8Array): Promise<[path: string, handle: FileHandle]> {
  const path = folder.put(name, bytes);
  const handle = await open(path);
  handles.push(handle);
  return [path, handle];
}

async function failure(source: RecordSource, shrink?: () => void): Promise<TFRecordError | undefined> {
  try {
    let records = 0;
    const reader = await RecordReader.open(source, { readAhead: 0 });
    for await (const batch of reader.batches()) if ((records += batch.length) < 100) shrink?.();
    return undefined;
  } catch (error) {
    return error as TFRecordError;
  }
}

function facts({ code, expected, found, lostBytes, message }: Partial<TFRecordError>, file: string): object {
  return { code, expected, found, lostBytes, message: message?.replace(file, 'FILE') };
}

test('damage: the same error, with the bytes that are lost', async () => {
  const [path, handle] = await both('damaged', flipBit(LARGE, 50_016 * 3 + 2, 0));
  const ofPath = facts((await failure(path))!, path);
  expect(ofPath).toMatchObject({ code: 'TFR_CORRUPT_LENGTH', lostBytes: LARGE.length - 50_016 * 3 });
  expect(facts((await failure(handle))!, '<handle>')).toEqual(ofPath);
});

test('a file that shrinks while it is read is an error, of the record at which it ends', async () => {
  const [path, handle] = await both('shrinks', LARGE);
  const end = 50_016 * 150;
  expect(await failure(path, () => truncateSync(path, end))).toMatchObject({ code: 'TFR_TRUNCATED', record: 150 });
  const [second, other] = await both('shrinks', LARGE);
  const error = await failure(other, () => truncateSync(second, end));
  expect(error).toMatchObject({ code: 'TFR_TRUNCATED', record: 150, offset: end, file: '<handle>' });
  expect(error!.message).toContain('became shorter while it was read');
  truncateSync(path, 0);
  expect(await failure(handle)).toBeUndefined();
});

test('states note the size, and refuse another file', async () => {
  const [path, handle] = await both('states', LARGE);
  const stateOf = async (source: RecordSource): Promise<object> => {
    await using elements = Dataset.tfrecord(source).iterate();
    for (let i = 0; i < 10; i++) await elements.next();
    return elements.state();
  };
  const size = JSON.stringify(LARGE.length);
  expect(JSON.stringify(await stateOf(path))).toContain(size);
  const state = await stateOf(handle);
  expect(JSON.stringify(state)).toContain(size);
  const [, shorter] = await both('shorter', LARGE.subarray(0, 50_016 * 100));
  const resumed = Dataset.tfrecord(shorter).iterate({ state: state as never });
  await expect(resumed.next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});

test('progress has the total size, of compressed files, too', async () => {
  const plain = encodeRecords(['a', 'b']);
  for (const bytes of [plain, encodeRecords(['a', 'b'], { compression: 'gzip' }), Buffer.alloc(0)]) {
    const [path, handle] = await both('sizes', bytes);
    for (const source of [path, handle]) {
      await using reader = await RecordReader.open(source);
      for await (const batch of reader.batches()) expect(batch.length).toBe(2);
      expect(reader.stats.totalBytes).toBe(bytes.length);
    }
  }
});

test('the total size is known at the end, even if looking at the file takes longer than reading it', async () => {
  const [, handle] = await both('late', encodeRecords(['a', 'b']));
  const look = handle.stat.bind(handle) as (options?: object) => Promise<never>;
  jest.spyOn(handle, 'stat').mockImplementation(async (options?: object) => {
    if (options !== undefined) await sleep(300);
    return look(options);
  });
  await using reader = await RecordReader.open(handle);
  for await (const batch of reader.batches()) expect(batch.length).toBe(2);
  expect(reader.stats.totalBytes).toBe(34);
});

test('bytes that are pulled in order end with an error, too, if the file shrinks', async () => {
  const [path, handle] = await both('pulled', LARGE);
  const classified = classifySource(handle);
  if (classified.kind !== 'bytes') throw new Error('a handle is bytes');
  const pull = classified.source.pull(0);
  const first = await pull.next();
  truncateSync(path, first!.length + 7);
  expect((await pull.next())!.length).toBe(7);
  await expect(pull.next()).rejects.toMatchObject({ code: 'TFR_TRUNCATED', file: '<handle>' });
  expect(await pull.next()).toBeUndefined();
});

(process.platform === 'linux' ? test : test.skip)('files without a size are read to their end', async () => {
  const handle = await open('/proc/self/cmdline');
  handles.push(handle);
  const lines = await Dataset.text(handle).toArray();
  expect(lines.join('\n')).toBe(readFileSync('/proc/self/cmdline', 'utf8'));
});
