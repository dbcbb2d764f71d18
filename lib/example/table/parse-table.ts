/** Records in hand to tables. */
import { listBatch, type RecordBatch } from '../../record';
import { newParsing, type ParsedBefore, type RecordParsing } from '../parse';
import type { Table } from './table';
import { tableComposer, type TableBatch } from './vectors';

const parsings = new WeakMap<Table, RecordParsing>();

/**
 * Parses `batch` on a native thread, up to the first record that does not fit the table. `lent`: nobody writes to the
 * memory of the batch, or transfers it, until the promise settles; otherwise the call copies the records.
 * @throws TFRecordError for errors about the whole batch
 */
export async function parseTable(batch: RecordBatch, table: Table, lent = false): Promise<ParsedBefore<TableBatch>> {
  let parsing = parsings.get(table);
  if (parsing === undefined) parsings.set(table, (parsing = newParsing(tableComposer(table), 'bigint')));
  // Nothing to hand to a thread.
  if (batch.length === 0) return parsing.batch(batch) as ParsedBefore<TableBatch>;
  const list = { ...listBatch(batch), unseen: lent };
  const { length } = batch;
  const parsed = await parsing.batchLater({ list, length, origin: (row) => batch.origin(row)! });
  return parsed as ParsedBefore<TableBatch>;
}
