import { resolveReadOptions, type ReadOptions } from './read-options';
import { recordFlow } from './record-flow';
import { readableSource, type RecordSource } from './source';

/**
 * Number of records in `source`: everything is read and, unless `verify` says otherwise, checked. Records that
 * `onError` skips do not count.
 */
export async function countRecords(source: RecordSource, options?: ReadOptions): Promise<number> {
  const flow = recordFlow(readableSource(source), resolveReadOptions(options));
  let records = 0;
  for (let batch = await flow.next(); batch !== undefined; batch = await flow.next()) records += batch.length;
  return records;
}
