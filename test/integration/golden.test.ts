/** Reads files that TensorFlow's own writer wrote (test/golden, scripts/make-golden.py). */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readRecords, readRecordsSync, RecordReader } from '../../lib';

interface Described {
  readonly bytes: number;
  readonly sha256: string;
  readonly hex?: string;
  readonly repeat?: number;
}
interface GoldenFile {
  readonly file: string;
  readonly compression: 'none' | 'gzip' | 'zlib';
  readonly fileBytes: number;
  readonly contents: readonly string[];
}
interface Golden {
  readonly contents: Readonly<Record<string, readonly Described[]>>;
  readonly files: readonly GoldenFile[];
}

const FOLDER = join(__dirname, '..', 'golden');
const golden = JSON.parse(readFileSync(join(FOLDER, 'golden.json'), 'utf8')) as Golden;

/** Returns the expected contents of the file, one line per record. */
function expected(file: GoldenFile): string[] {
  return file.contents.flatMap((name) =>
    (golden.contents[name] ?? []).flatMap((record) =>
      Array<string>(record.repeat ?? 1).fill(`${record.bytes} ${record.sha256}`),
    ),
  );
}

function line(record: Uint8Array): string {
  return `${record.length} ${createHash('sha256').update(record).digest('hex')}`;
}

async function collect(records: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const record of records) lines.push(line(record));
  return lines;
}

test('every kind of compression is there', () => {
  expect(new Set(golden.files.map(({ compression }) => compression))).toEqual(new Set(['none', 'gzip', 'zlib']));
  expect(golden.files.length).toBeGreaterThan(40);
});

describe.each(golden.files)('$file', (file) => {
  const path = join(FOLDER, file.file);

  test('is the file that was described', () => {
    expect(statSync(path).size).toBe(file.fileBytes);
  });

  test('is read by content', async () => {
    expect(await collect(readRecords(path))).toEqual(expected(file));
  });

  test('is read under its own name of compression', async () => {
    expect(await collect(readRecords(path, { compression: file.compression }))).toEqual(expected(file));
  });

  test('is read from bytes, synchronously', () => {
    expect([...readRecordsSync(readFileSync(path))].map(line)).toEqual(expected(file));
  });

  test('is read in batches through small slabs', async () => {
    const reader = await RecordReader.open(path, { batchBytes: 4096 });
    const lines: string[] = [];
    for await (const batch of reader.batches()) for (const record of batch) lines.push(line(record));
    expect(lines).toEqual(expected(file));
  });
});

test('hex in the list is that of the records', async () => {
  const records: string[] = [];
  for await (const record of readRecords(join(FOLDER, 'contents', 'five.tfrecord.gz')))
    records.push(Buffer.from(record).toString('hex'));
  expect(records).toEqual(golden.contents['five']?.map(({ hex }) => hex));
});
