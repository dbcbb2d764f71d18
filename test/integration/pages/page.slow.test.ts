/** `tfrecord-native/wasm` in Chromium: a page reads and writes files of a file input. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { chromium, type Browser, type Page } from 'playwright-core';

import { decodeExample, encodeExample, encodeRecords, exampleToObject, int64, readRecordsSync } from '../../../lib';
import { ROOT } from '../../support/running/compiled-sources';
import { lackOfWasm } from '../../support/wasm-module';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const lack = CHROMIUM === undefined ? ' (skipped: apt-get install chromium)' : lackOfWasm;
const inPage = lack === '' ? describe : describe.skip;

const HTML =
  '<!doctype html><title>page</title><input type="file" multiple><script type="module" src="/page.js"></script>';
/** Reads each file, and writes its Examples again, with one more feature, as GZIP. */
const SCRIPT = `
import * as tfrecord from '/dist/wasm/index.mjs';
globalThis.tfrecord = tfrecord;
const { init, readRecords, readExamples, fixedLen, encodeExample, decodeExample, exampleToObject, RecordWriter } = tfrecord;
globalThis.ready = init();
let finished;
globalThis.expect = () => {
  globalThis.result = new Promise((resolve) => { finished = resolve; });
};
document.querySelector('input').addEventListener('change', async ({ target }) => {
  for (const file of target.files) {
    try {
      await ready;
      const stream = new TransformStream();
      const written = new Response(stream.readable).blob();
      // A file that cannot be read leaves the stream unfinished, and the browser then rejects the Blob at a collection.
      written.catch(() => {});
      const writer = await RecordWriter.open(stream.writable, { compression: 'gzip' });
      let records = 0;
      for await (const record of readRecords(file)) {
        await writer.write(encodeExample({ ...exampleToObject(decodeExample(record)), seen: records++ }, { numbers: 'int64' }));
      }
      await writer.close();
      const ids = [];
      for await (const { id } of readExamples(await written, { id: fixedLen([], 'int64') })) {
        ids.push(Number(id));
      }
      finished({ records, ids, bytes: [...new Uint8Array(await (await written).arrayBuffer())] });
    } catch (error) {
      finished({ code: error.code, message: error.message });
    }
  }
});
`;
const TYPES: Record<string, string> = {
  '.mjs': 'text/javascript',
  '.map': 'application/json',
  '.wasm': 'application/wasm',
};

/** Serves the page, the bundle and the module, on loopback. The policy forbids code made of text. */
function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const served = /^\/(?:dist\/wasm\/index\.mjs|prebuilds\/wasm32\/tfrecord\.wasm)$/.test(path);
    const [type, body] = served
      ? [TYPES[extname(path)]!, readFileSync(join(ROOT, path))]
      : path === '/page.js'
        ? ['text/javascript', SCRIPT]
        : ['text/html', HTML];
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    );
    response.setHeader('Content-Type', type);
    response.end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

inPage(`a page in Chromium${lack}`, () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await serve();
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) errors.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  interface Result {
    readonly records: number;
    readonly ids: readonly number[];
    readonly bytes: readonly number[];
  }

  /** Gives the input a file; returns what the page made of it. */
  async function give(name: string, bytes: Uint8Array): Promise<Result> {
    await page.evaluate('expect()');
    await page.setInputFiles('input', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
    return page.evaluate('result');
  }

  const examples = Array.from({ length: 2000 }, (_, id) => encodeExample({ id: int64(id), name: `näme ${id}` }));

  test('reads and writes a gzipped TFRecord of a file input, and Node reads what it wrote', async () => {
    const { records, ids, bytes, ...rest } = await give('a.tfrecord.gz', gzipSync(encodeRecords(examples)));
    expect({ records, ...rest }).toEqual({ records: 2000 });
    expect(ids).toEqual(Array.from({ length: 2000 }, (_, id) => id));
    const written = [...readRecordsSync(Uint8Array.from(bytes))].map((record) =>
      exampleToObject(decodeExample(record), { int64: 'number' }),
    );
    expect(bytes.slice(0, 2)).toEqual([0x1f, 0x8b]);
    expect(written).toHaveLength(2000);
    expect(written[7]).toEqual({ id: [7], name: ['näme 7'], seen: [7] });
  });

  test('says what is wrong with a file', async () => {
    const file = gzipSync(encodeRecords(examples));
    expect(await give('cut.tfrecord.gz', file.subarray(0, -5))).toMatchObject({ code: 'TFR_TRUNCATED' });
    const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0'), Buffer.alloc(100)]);
    expect(await give('archive.zip', zip)).toMatchObject({ code: 'TFR_NOT_TFRECORD' });
  });

  test('has no paths, and says so', async () => {
    expect(
      await page.evaluate('tfrecord.countRecords("a.tfrecord").catch(({ code, message }) => `${code} ${message}`)'),
    ).toMatch(/^ENOSYS .*pages have no files: give bytes, a Blob or a stream instead of a path/);
  });

  test('needs no code made of text, and reports no errors', async () => {
    const json = await page.evaluate(
      'JSON.stringify(tfrecord.Example.toJSON(tfrecord.Example.decode(tfrecord.encodeExample({ a: "b" }))))',
    );
    expect(JSON.parse(json as string)).toEqual({ features: { feature: { a: { bytesList: { value: ['Yg=='] } } } } });
    expect(errors).toEqual([]);
  });
});
