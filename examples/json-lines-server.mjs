// A web service that streams the TFRecords of a folder as JSON Lines: GET /weather.tfrecord.gz. It reads only as fast as
// the client does, and stops when the client leaves.
//
//   node examples/json-lines-server.mjs [folder port]
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { exampleToObject, readRecords } from 'tfrecord-native';

const [folder = fileURLToPath(new URL('data/', import.meta.url)), port = '0'] = process.argv.slice(2);

// JSON has no NaN and no infinities, which JSON.stringify would make null: they become strings.
const named = (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);

async function* lines(file) {
  // JSON has no integers beyond 2^53: as strings, int64 stay exact.
  for await (const record of readRecords(file))
    yield `${JSON.stringify(exampleToObject(record, { int64: 'string' }), named)}\n`;
}

/** Returns the name of the file that an address asks for; undefined if there is none. */
async function fileOf(url) {
  let name;
  try {
    name = decodeURIComponent(url.slice(1).replace(/[?#].*$/, ''));
  } catch {
    return undefined; // a malformed address
  }
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.find((entry) => entry.isFile() && entry.name === name)?.name;
}

const server = createServer(async (request, response) => {
  const refuse = (status, why, headers) => response.writeHead(status, headers).end(`${why}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    refuse(405, 'only GET and HEAD', { allow: 'GET, HEAD' });
    return;
  }
  try {
    // Only names of the folder's own files: no way leads out of it.
    const name = await fileOf(request.url);
    if (name === undefined) {
      refuse(404, 'no such file');
      return;
    }
    const rows = lines(join(folder, name));
    // A file that gives no row at all is an error before the answer begins.
    const first = await rows.next();
    response.setHeader('content-type', 'application/jsonl');
    if (first.done || request.method === 'HEAD') {
      await rows.return();
      response.end();
      return;
    }
    response.write(first.value);
    await pipeline(Readable.from(rows), response);
  } catch (error) {
    // A client that left is no error. Of damage the server says where it is; the client gets no end, and so notices it.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    console.error(error.message);
    if (!response.headersSent) refuse(500, 'the file cannot be read');
  }
}).listen(Number(port), '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
console.log(process.argv[3] === undefined ? 'serving' : `serving ${folder} at ${url}`);

if (process.argv[3] === undefined) {
  const answer = await fetch(`${url}/weather.tfrecord.gz`);
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  console.log(`${answer.status}, ${rows.length} rows, the first of ${rows[0].station}`);
  for (const path of ['/nothing', '/..%2F..%2Fpackage.json', '/%E0%A4%A', '//'])
    console.log(`${(await fetch(url + path)).status} ${path}`);
  const { body } = await fetch(`${url}/weather-00000-of-00002`);
  await body.cancel();
  server.close();
  server.closeAllConnections();
}
