import type { Context } from './context';
import { printRecords, type PrintFlags } from './print-records';

/** `tfrecord cat`: all records, as lines of JSON. */
export function cat(files: readonly string[], flags: PrintFlags, context: Context): Promise<void> {
  return printRecords(files, flags, Infinity, context);
}
