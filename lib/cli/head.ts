import type { Context } from './context';
import { printRecords, type PrintFlags } from './print-records';

export interface HeadFlags extends PrintFlags {
  readonly records: number;
}

/** `tfrecord head`: the first records, as lines of JSON. */
export function head(files: readonly string[], flags: HeadFlags, context: Context): Promise<void> {
  return printRecords(files, flags, flags.records, context);
}
