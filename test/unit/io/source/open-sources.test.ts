/** Sources that somebody else has opened: the Response of a fetch, and a FileHandle. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  countRecords,
  encodeRecords,
  readExamples,
  readRecords,
  encodeExample,
  fixedLen,
  RecordReader,
} from '../../../../lib';

const FILE = encodeRecords(['one', 'two', 'three'], { compression: 'gzip' });
let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-open-'));
  path = join(folder, 'three.tfrecord.gz');
  writeFileSync(path, FILE);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function texts(given: AsyncIterable<Uint8Array>): Promise<string[]> {
  const found: string[] = [];
  for await (const record of given) found.push(Buffer.from(record).toString());
  return found;
}

describe('a Response', () => {
  let url: string;
  const server = createServer((request, response) => {
    if (request.url === '/missing') response.writeHead(404).end('no such file');
    else if (request.url === '/cut') response.end(FILE.subarray(0, 30));
    else if (request.url === '/nothing') response.writeHead(204).end();
    else response.end(FILE);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('is read once', async () => {
    const response = await fetch(`${url}/three`);
    expect(await texts(readRecords(response))).toEqual(['one', 'two', 'three']);
    expect(() => readRecords(response)).toThrow(/was read already/);
    expect(await countRecords(await fetch(`${url}/nothing`))).toBe(0);
    expect(await countRecords(new Response(FILE))).toBe(3);
    const row = encodeRecords([encodeExample({ id: 7n })]);
    for await (const { id } of readExamples(new Response(row), { id: fixedLen([], 'int64') })) expect(id).toBe(7n);
  });

  test('that is not ok is refused, with status and URL', async () => {
    const response = await fetch(`${url}/missing`);
    expect(() => readRecords(response)).toThrow(
      expect.objectContaining({
        code: 'ERR_INVALID_ARG_VALUE',
        message: expect.stringContaining(`404 Not Found from ${url}/missing`),
      }),
    );
    await expect(RecordReader.open(new Response('', { status: 500 }))).rejects.toThrow(/it is 500/);
    await response.body!.cancel();
  });

  test('errors name its URL', async () => {
    await expect(texts(readRecords(await fetch(`${url}/cut`)))).rejects.toMatchObject({ file: `${url}/cut` });
  });
});

describe('a FileHandle', () => {
  test('is read from its first byte, as often as one likes, and stays open', async () => {
    await using handle = await open(path);
    await handle.read(Buffer.alloc(5), 0, 5, null);
    const reader = readRecords(handle);
    for (let i = 0; i < 2; i++) expect(await texts(reader)).toEqual(['one', 'two', 'three']);
    expect(await countRecords(handle)).toBe(3);
    const two = await Promise.all([countRecords(handle), countRecords(handle)]);
    expect(two).toEqual([3, 3]);
    // The position of the handle stays where it was.
    expect((await handle.read(Buffer.alloc(100), 0, 100, null)).bytesRead).toBe(FILE.length - 5);
    const large = join(folder, 'large');
    writeFileSync(large, encodeRecords(Array<Uint8Array>(9).fill(Buffer.alloc(100_000))));
    await using other = await open(large);
    expect(await countRecords(other)).toBe(9);
  });

  test('that is closed, or of a folder, is an error with the code of Node', async () => {
    const handle = await open(path);
    await handle.close();
    await expect(countRecords(handle)).rejects.toMatchObject({ code: expect.stringMatching(/EBADF|ERR_/) });
    await using directory = await open(folder);
    await expect(countRecords(directory)).rejects.toMatchObject({ code: 'EISDIR', file: '<handle>' });
  });

  (process.platform === 'win32' ? test.skip : test)('of a pipe is read in order', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Each end opens once the other does.
    const [handle, writer] = await Promise.all([open(pipe), open(pipe, 'w')]);
    const counted = countRecords(handle);
    await writer.writeFile(FILE);
    await writer.close();
    expect(await counted).toBe(3);
    await handle.close();
  });

  (process.platform === 'win32' ? test.skip : test)('of a silent pipe blocks no thread, and can be left', async () => {
    const pipe = join(folder, 'silent');
    execFileSync('mkfifo', [pipe]);
    await using handle = await open(pipe, 'r+');
    // More than the threads that Node has for files.
    const readers = Array.from({ length: 8 }, () => readRecords(handle)[Symbol.asyncIterator]());
    const steps = readers.map((reader) => reader.next());
    await stat(path);
    for (const reader of readers) await reader.return!();
    for (const step of steps) expect(await step).toEqual({ value: undefined, done: true });
  });
});
