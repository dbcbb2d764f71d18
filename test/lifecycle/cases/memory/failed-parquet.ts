/** Files of Parquet that cannot be made. Says how many of their writers were collected. Needs --expose-gc. */
import { encodeExample, int64 } from '../../../../lib';
import { ParquetWriter } from '../../../../lib/sql/parquet-writer';
import { newTable, readTable } from '../../../../lib/table';
import { argument, say } from '../../../support/running/case';
import { tfrecord } from '../../../support/records/tfrecord';
import { settles } from '../../../support/settles';

const WRITERS = 5;
const path = argument(0);
const table = newTable([{ key: 'a', section: 0, dtype: 'int64', shape: undefined, nullable: true }], false);
const records = tfrecord([encodeExample({ a: int64([1, 2, 3]) })]);

let collected = 0;
const writers = new FinalizationRegistry(() => collected++);

async function fail(): Promise<void> {
  const writer = await ParquetWriter.open(path, table);
  writers.register(writer, undefined);
  try {
    for await (const batch of readTable(records, table).pieces(1)) await writer.write(batch);
    await writer.close();
  } catch {
    await writer.abort();
  }
}

async function main(): Promise<void> {
  for (let i = 0; i < WRITERS; i++) await fail();
  const all = await settles(() => {
    globalThis.gc?.();
    // V8 may keep what compiled code used last.
    return collected >= WRITERS - 1;
  });
  say({ all });
}

void main();
