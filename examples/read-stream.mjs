// Any stream of bytes is a source: an HTTP response, an object store, standard input.
//
//   node examples/read-stream.mjs          a response of an HTTP server
//   node examples/read-stream.mjs - <file  standard input
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { countRecords } from 'tfrecord-native';

if (process.argv[2] === '-') {
  console.log(`${await countRecords(process.stdin)} records from standard input`);
} else {
  const file = new URL('data/weather.tfrecord.gz', import.meta.url);
  const server = createServer((_request, response) => createReadStream(file).pipe(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const response = await fetch(`http://127.0.0.1:${server.address().port}/`);
  console.log(`${await countRecords(response.body)} records from ${response.body.constructor.name}`);
  server.close();
  server.closeAllConnections();
}
