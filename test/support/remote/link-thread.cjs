/**
 * A worker thread that serves one large object behind a slow link: so many milliseconds before each answer, so many bytes a
 * second for all answers together. The object is a block of bytes, repeated.
 */
const { createServer } = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');

const { block, repeats, latencyMs, bytesPerSecond } = workerData;
const bytes = Buffer.from(block);
const size = bytes.length * repeats;
const counts = { requests: 0, bytes: 0 };

/** Answers whose bytes wait for the link. */
const waiting = [];
let last = 0;

setInterval(() => {
  const now = performance.now();
  // The link carries nothing while nobody has anything to send.
  let room = waiting.length === 0 ? 0 : ((now - last) * bytesPerSecond) / 1000;
  last = now;
  while (room > 0 && waiting.length > 0) {
    const answer = waiting.shift();
    if (answer.response.destroyed) continue;
    const from = answer.at % bytes.length;
    const count = Math.min(65536, answer.end - answer.at, bytes.length - from, Math.ceil(room));
    room -= count;
    answer.at += count;
    counts.bytes += count;
    const last = answer.at === answer.end;
    const more = answer.response.write(bytes.subarray(from, from + count));
    if (last) answer.response.end();
    else if (more) waiting.push(answer);
    else answer.response.once('drain', () => waiting.push(answer));
  }
}, 1);

const server = createServer((request, response) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [, 0, size - 1];
  const range = { at: Number(start), end: Math.min(size, Number(end) + 1), response };
  counts.requests++;
  setTimeout(() => {
    response.writeHead(206, {
      etag: '"1"',
      'content-length': range.end - range.at,
      'content-range': `bytes ${range.at}-${range.end - 1}/${size}`,
    });
    waiting.push(range);
  }, latencyMs);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }));
parentPort.on('message', () => {
  parentPort.postMessage({ ...counts });
  counts.requests = counts.bytes = 0;
});
