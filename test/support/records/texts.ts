/** Lines of text, and records whose payloads are text. */
import { readRecords, readRecordsSync, type ReadOptions, type RecordSource } from '../../../lib';

export const text = (record: Uint8Array): string => Buffer.from(record).toString();

/** Returns lines `from` to `to`, each with its number and characters of two bytes. */
export const numberedLines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i} ${'é'.repeat((from + i) % 7)}`);

/** Returns the remaining records, as text. */
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
