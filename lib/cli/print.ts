import { TFRecordError } from '../errors';
import { JsonText, RecordPrinter, RowPrinter } from '../example';
import type { Origin, RecordBatch } from '../record';
import type { Context } from './context';
import { readOptions, type FlagOptions, type ReadFlags, type SpecFlags } from './flags';
import { readBatches, Totals } from './read-batches';
import { lineJson, plural } from './text';

export interface PrintFlags extends ReadFlags, SpecFlags {
  /** Cuts nothing. */
  readonly full?: boolean;
  readonly kinds?: boolean;
  readonly origin?: boolean;
}

export interface HeadFlags extends PrintFlags {
  readonly records: number;
}

/** `tfrecord head`: the first records, as lines of JSON. */
export function head(files: readonly string[], flags: HeadFlags, context: Context): Promise<void> {
  return printRecords(files, flags, flags.records, context);
}

/** `tfrecord cat`: all records in full, as lines of JSON: programs read them. */
export function cat(files: readonly string[], flags: PrintFlags, context: Context): Promise<void> {
  return printRecords(files, { ...flags, full: true }, Infinity, context);
}

/** Makes lines of JSON. */
interface Printer {
  /** How many lists and values were cut so far. */
  readonly cuts: number;
  /** Adds the line of record `index` of `batch`. @throws TFRecordError if it does not fit the spec, or is too long */
  print(batch: RecordBatch, index: number, out: JsonText): void;
}

/** Prints the first `limit` records of all files together, each as one line of JSON. */
async function printRecords(
  names: readonly string[],
  flags: PrintFlags,
  limit: number,
  context: Context,
): Promise<void> {
  const { out, reporter, streams } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress && streams.stdout.isTTY !== true);
  const printer = printerFor(flags);
  const options = optionsFor(flags, limit, context);
  const totals = new Totals();
  let left = limit;

  /** Returns false when no more of this file is wanted. */
  const print = async (batch: RecordBatch): Promise<boolean> => {
    let stopped = false;
    for (let i = 0; i < batch.length && left > 0 && !out.closed && !stopped; i++) {
      const line = lineOf(printer, batch, i, options);
      if (typeof line === 'string') {
        stopped = line === 'stop';
        continue;
      }
      left--;
      const full = out.line(line.json);
      if (full !== undefined) await full;
    }
    await out.flush();
    return left > 0 && !out.closed && !stopped;
  };

  try {
    for (const file of files) {
      if (left === 0 || out.closed) break;
      const stats = await readBatches(file, options, async (batch, soFar) => {
        const more = await print(batch);
        progress.update(totals.with(soFar));
        return more;
      });
      totals.add(stats);
    }
  } finally {
    progress.clear();
  }
  if (printer.cuts > 0 && !out.closed) {
    reporter.note(`cut ${plural(printer.cuts, 'long value')}: "more" counts what is missing, --full prints it`);
  }
}

function printerFor(flags: PrintFlags): Printer {
  const { spec, origin } = flags;
  if (spec !== undefined) {
    const rows = new RowPrinter(spec, flags);
    if (origin !== true) return rows;
    // Features have any name, "origin" too.
    return withOrigin(rows, (batch, i, out) => {
      out.add(',"row":');
      rows.print(batch, i, out);
      out.add('}');
    });
  }
  const records = new RecordPrinter(flags);
  const printer: Printer = {
    get cuts() {
      return records.cuts;
    },
    print: (batch, i, out) => {
      records.print(batch.at(i) as Uint8Array, out);
    },
  };
  if (origin !== true) return printer;
  return withOrigin(printer, (batch, i, out) => {
    records.print(batch.at(i) as Uint8Array, out, ',');
  });
}

/** Puts the place of each record before the members that `rest` adds. These begin with their comma. */
function withOrigin(printer: Printer, rest: Printer['print']): Printer {
  return {
    get cuts() {
      return printer.cuts;
    },
    print: (batch, i, out) => {
      const { file, record, offset, bytes } = batch.origin(i)!;
      out.add(`{"origin":${lineJson({ file, record, offset, bytes })}`);
      rest(batch, i, out);
    },
  };
}

/** The record's line, or the user's choice about a record that does not fit the spec. */
function lineOf(
  printer: Printer,
  batch: RecordBatch,
  i: number,
  { onError }: FlagOptions,
): { readonly json: string | readonly Buffer[] } | 'skip' | 'stop' {
  const out = new JsonText();
  try {
    printer.print(batch, i, out);
    return { json: out.done() };
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    const placed = error.record === undefined ? withPlace(error, batch.origin(i)!) : error;
    const action = onError(placed);
    if (action === 'throw') throw placed;
    return action;
  }
}

function withPlace({ code, message }: TFRecordError, { file, record, offset }: Origin): TFRecordError {
  return new TFRecordError(code, `Record ${record} of ${file}: ${message}`, { file, record, offset });
}

/** A few records need no reading ahead. */
function optionsFor(flags: ReadFlags, limit: number, { reporter }: Context): FlagOptions {
  const options = readOptions(flags, (error) => {
    reporter.warning(error);
  });
  return limit === Infinity ? options : { ...options, batchBytes: 256 * 1024, readAhead: 0 };
}
