/** Records whose payloads are text. */
import { readRecords, readRecordsSync, type ReadOptions, type RecordSource } from '../../lib';

export const text = (record: Uint8Array): string => Buffer.from(record).toString();

/** The rest of `records`. */
export async function collect(records: AsyncIterable<Uint8Array>): Promise<string[]> {
  const all: string[] = [];
  for await (const record of records) all.push(text(record));
  return all;
}

export function readTexts(source: RecordSource, options?: ReadOptions): Promise<string[]> {
  return collect(readRecords(source, options));
}

export function readTextsSync(source: string | URL | readonly (string | URL)[], options?: ReadOptions): string[] {
  return Array.from(readRecordsSync(source, options), text);
}
