/**
 * Node compresses and writes the memory of transient batches in the background during the next steps. Arguments: a file
 * of small records, a file of records of several MiB. Needs --expose-gc.
 */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { argument, say } from '../../../support/running/case';
import { Dataset, encodeExamples, fixedLen, readExamples, varLen, type RecordBatch } from '../../../../lib';

const compress = promisify(gzip);
const file = argument(0);
const spec = { id: fixedLen([], 'int64'), text: fixedLen([], 'bytes'), numbers: varLen('int64') };

async function main(): Promise<void> {
  const pending: Promise<unknown>[] = [];
  let bytes = 0;
  const sink = createWriteStream('/dev/null');
  const use = (data: Uint8Array): void => {
    bytes += data.length;
    sink.write(data);
    pending.push(compress(data));
    if (pending.length % 16 === 0) globalThis.gc?.();
  };
  for await (const { text, numbers } of readExamples([file, file], spec, { transient: true }).batches(100)) {
    use(text.data);
    use(new Uint8Array(numbers.values.buffer, numbers.values.byteOffset, numbers.values.byteLength));
  }
  const images = { image: fixedLen([], 'bytes') };
  for await (const { image } of readExamples(argument(1), images, { transient: true }).batches(3)) use(image.data);
  for await (const { image } of readExamples(argument(1), images, { transient: true })) use(image);
  for await (const { text } of Dataset.tfrecord(file).parse(spec).batch(100).iterate({ transient: true }))
    use(text.data);
  const columns = { id: BigInt64Array.from({ length: 2000 }, (_, i) => BigInt(i)) };
  let batch: RecordBatch | undefined;
  for (let i = 0; i < 100; i++) {
    batch = encodeExamples(columns, { id: fixedLen([], 'int64') }, { reuse: batch });
    use(new Uint8Array((batch.at(0) as Uint8Array).buffer));
  }
  await Promise.all(pending);
  sink.end();
  await finished(sink);
  say({ some: bytes > 0, calls: pending.length });
}

void main();
