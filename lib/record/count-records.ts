import { BatchFlow } from './batch-flow';
import { resolveReadOptions, type ReadOptions } from './read-options';
import { classifySource, type RecordSource } from './source';

/**
 * Number of records in `source`: everything is read and, unless `verify` says otherwise, checked. Records that
 * `onError` skips do not count.
 */
export async function countRecords(source: RecordSource, options?: ReadOptions): Promise<number> {
  const flow = new BatchFlow(classifySource(source), resolveReadOptions(options));
  let records = 0;
  for (let batch = await flow.next(); batch !== undefined; batch = await flow.next()) records += batch.length;
  return records;
}
