// Serves one file with ranges on loopback, from a process of its own, so that its time is not that of the trial.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

/** Resolves with the URL of `file`, and with a function that stops the server. */
export async function served(file) {
  const server = fork(fileURLToPath(import.meta.url), [file]);
  const [port] = await once(server, 'message');
  return { url: `http://127.0.0.1:${port}/${encodeURIComponent(file)}`, stop: () => server.kill() };
}

function answer(bytes, etag, request, response) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const from = Number(first ?? 0);
  const to = Math.min(last ? Number(last) + 1 : bytes.length, bytes.length);
  const headers = { 'accept-ranges': 'bytes', etag, 'content-length': Math.max(to - from, 0) };
  if (first === undefined) response.writeHead(200, headers);
  else if (from >= bytes.length) response.writeHead(416, { 'content-range': `bytes */${bytes.length}` });
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${to - 1}/${bytes.length}` });
  response.end(request.method === 'HEAD' ? undefined : bytes.subarray(from, to));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bytes = fs.readFileSync(process.argv[2]);
  const server = http.createServer((request, response) => answer(bytes, '"1"', request, response));
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}
