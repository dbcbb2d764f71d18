/**
 * Writes records with a ShardedWriter. Arguments: the target, its options as JSON, the number of batches of 1,000 records
 * of 1 KB, the number of values of their label, and how the writer ends. Prints `written` before the end, then the
 * number of files and the memory that writing took, in MB, or the error.
 */
import { argument, say } from '../../../support/running/case';

import {
  BytesArray,
  encodeExamples,
  fixedLen,
  ShardedWriter,
  type RecordBatch,
  type ShardedWriterOptions,
} from '../../../../lib';

const RECORDS = 1000;
const SPEC = { image: fixedLen([], 'bytes'), label: fixedLen([], 'int64') };

async function main(): Promise<void> {
  const options = JSON.parse(argument(1)) as ShardedWriterOptions;
  const [batches, values, end] = [Number(argument(2)), Number(argument(3)), argument(4)];
  const image = BytesArray.from(Array<Buffer>(RECORDS).fill(Buffer.alloc(1000, 'image')));
  const before = process.memoryUsage().rss;
  let peak = 0;
  let reuse: RecordBatch | undefined;
  try {
    const writer = await ShardedWriter.open(argument(0), options);
    for (let batch = 0; batch < batches; batch++) {
      const label = BigInt64Array.from({ length: RECORDS }, (_, i) => BigInt(((batch * RECORDS + i) * 7919) % values));
      reuse = encodeExamples({ image, label }, SPEC, { reuse });
      await writer.writeBatch(reuse);
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    if (end === 'forgotten') await writer.flush();
    say('written');
    if (end === 'killed') setInterval(() => undefined, 1_000);
    if (end !== 'closed') return;
    const { files } = await writer.close();
    say({ files: files.length, megabytes: (Math.max(peak, process.memoryUsage().rss) - before) / 1e6 });
  } catch (error) {
    const { code, file } = error as { code?: string; file?: string };
    say({ code, file });
  }
}

void main();
