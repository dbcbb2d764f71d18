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

async function* lines(file) {
  // JSON has no integers beyond 2^53: as strings, int64 stay exact.
  for await (const record of readRecords(file))
    yield `${JSON.stringify(exampleToObject(record, { int64: 'string' }))}\n`;
}

/** Returns the name of the file that an address asks for; undefined if there is none. Throws for malformed addresses. */
async function fileOf(url) {
  const name = decodeURIComponent(url.slice(1).replace(/[?#].*$/, ''));
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.find((entry) => entry.isFile() && entry.name === name)?.name;
}

const server = createServer(async (request, response) => {
  // Only names of the folder's own files: no way leads out of it.
  const name = await fileOf(request.url).catch(() => undefined);
  if (name === undefined) {
    response.writeHead(404).end('no such file\n');
    return;
  }
  response.setHeader('content-type', 'application/jsonl');
  try {
    await pipeline(Readable.from(lines(join(folder, name))), response);
  } catch (error) {
    // The answer has no end then, so that the client notices damage.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error.message);
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
