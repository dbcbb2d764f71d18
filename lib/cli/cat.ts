import type { Context } from './context';
import { printRecords, type PrintFlags } from './print-records';

/** `tfrecord cat`: all of all records, as lines of JSON: what a program reads must not be cut. */
export function cat(files: readonly string[], flags: PrintFlags, context: Context): Promise<void> {
  return printRecords(files, { ...flags, full: true }, Infinity, context);
}
