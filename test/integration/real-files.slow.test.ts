/** Compares files from real projects with known facts. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../support/records/real-data';

import {
  RecordReader,
  countRecords,
  readRecords,
  readRecordsSync,
  type ReadOptions,
  type RecordSource,
} from '../../lib';

interface Facts {
  readonly local: string;
  readonly records: number;
  readonly payload_bytes: number;
  readonly payload_sha256: string;
}

const ROOT = join(__dirname, '..', '..');
const files = REAL_FACTS as readonly Facts[];

/** Computes the number, the bytes and the SHA-256 of all payloads, in the form of the facts. */
class Payload {
  readonly #hash = createHash('sha256');
  #records = 0;
  #bytes = 0;

  add(record: Uint8Array): void {
    this.#hash.update(record);
    this.#records += 1;
    this.#bytes += record.length;
  }

  facts(): Omit<Facts, 'local'> {
    return { records: this.#records, payload_bytes: this.#bytes, payload_sha256: this.#hash.digest('hex') };
  }
}

async function facts(source: RecordSource, options?: ReadOptions): Promise<Omit<Facts, 'local'>> {
  const payload = new Payload();
  for await (const record of readRecords(source, { compression: 'auto', ...options })) payload.add(record);
  return payload.facts();
}

/** A program that reads standard input, a pipe or a file, with the built package. */
const CHILD = `
  const { createHash } = require('node:crypto');
  const { readRecords } = require(${JSON.stringify(join(ROOT, 'dist', 'index.js'))});
  (async () => {
    const hash = createHash('sha256');
    let records = 0, payload_bytes = 0;
    for await (const record of readRecords(process.stdin, { compression: 'auto' })) {
      hash.update(record);
      records += 1;
      payload_bytes += record.length;
    }
    console.log(JSON.stringify({ records, payload_bytes, payload_sha256: hash.digest('hex') }));
  })();
`;

async function throughStandardInput(path: string, kind: 'file' | 'pipe'): Promise<unknown> {
  const descriptor = kind === 'file' ? openSync(path, 'r') : undefined;
  const child = spawn(process.execPath, ['-e', CHILD], { stdio: [descriptor ?? 'pipe', 'pipe', 'inherit'] });
  if (descriptor !== undefined) closeSync(descriptor);
  // A child that fails closes the pipe; its exit reports more.
  child.stdin?.on('error', () => undefined);
  if (child.stdin !== null) createReadStream(path).pipe(child.stdin);
  let printed = '';
  for await (const chunk of child.stdout ?? []) printed += String(chunk);
  return JSON.parse(printed);
}

if (files.length === 0) {
  test.todo(NO_REAL_FILES);
} else {
  test('there are twelve', () => expect(files.length).toBe(12));

  describe.each(files)('$local', ({ local, ...rest }) => {
    const path = join(REAL_FILES, local);
    const { records, payload_bytes, payload_sha256 } = rest;
    const expected = { records, payload_bytes, payload_sha256 };

    test('path', async () => expect(await facts(path)).toEqual(expected));
    test('path, synchronously', () => {
      const payload = new Payload();
      for (const record of readRecordsSync(path)) payload.add(record);
      expect(payload.facts()).toEqual(expected);
    });
    test('path, in batches of small slabs', async () => {
      const payload = new Payload();
      const reader = await RecordReader.open(path, { batchBytes: 4096 });
      for await (const batch of reader.batches()) for (const record of batch) payload.add(record);
      expect(payload.facts()).toEqual(expected);
      expect(reader.stats).toMatchObject({ records, bytes: payload_bytes, skipped: 0 });
    });
    test('counted', async () => expect(await countRecords(path)).toBe(records));
    test('bytes', async () => expect(await facts(readFileSync(path))).toEqual(expected));
    test('Blob', async () => expect(await facts(new Blob([readFileSync(path)]))).toEqual(expected));
    test('Node stream', async () => expect(await facts(createReadStream(path))).toEqual(expected));
    test('web stream', async () => {
      const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
      expect(await facts(stream)).toEqual(expected);
    });
    test('chunks of 1,000 bytes', async () => {
      const bytes = readFileSync(path);
      function* chunks(): Generator<Uint8Array> {
        for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
      }
      expect(await facts(chunks())).toEqual(expected);
    });
    test('standard input, a file', async () => expect(await throughStandardInput(path, 'file')).toEqual(expected));
    test('standard input, a pipe', async () => expect(await throughStandardInput(path, 'pipe')).toEqual(expected));
  });
}
