import { TFRecordError } from '../errors';
import { RecordPrinter, RowPrinter } from '../example';
import type { Origin, RecordBatch } from '../record';
import type { Context } from './context';
import { plural } from './plural';
import { readBatches, Totals } from './read-batches';
import { readOptions, type FlagOptions, type ReadFlags } from './read-flags';
import type { SpecFlags } from './spec-flag';

export interface PrintFlags extends ReadFlags, SpecFlags {
  /** Cuts nothing. */
  readonly full?: boolean;
  readonly kinds?: boolean;
  readonly origin?: boolean;
}

/** Makes lines of JSON. */
interface Printer {
  /** How many lists and values were cut so far. */
  readonly cuts: number;
  /** The line of record `index` of `batch`. @throws TFRecordError when it does not fit the spec */
  print(batch: RecordBatch, index: number): string;
}

/** Prints the first `limit` records of all files together, each as one line of JSON. */
export async function printRecords(
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

  /** False when this file has given all that is wanted of it. */
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
    return withOrigin(rows, (json) => `"row":${json}}`);
  }
  const records = new RecordPrinter(flags);
  const printer: Printer = {
    get cuts() {
      return records.cuts;
    },
    print: (batch, i) => records.print(batch.at(i) as Uint8Array).json,
  };
  return origin === true ? withOrigin(printer, (json) => json.slice(1)) : printer;
}

/** Says where each record lies, before what `rest` makes of its JSON. */
function withOrigin(printer: Printer, rest: (json: string) => string): Printer {
  return {
    get cuts() {
      return printer.cuts;
    },
    print: (batch, i) => {
      const { file, record, offset, bytes } = batch.origin(i) as Origin;
      return `{"origin":${JSON.stringify({ file, record, offset, bytes })},${rest(printer.print(batch, i))}`;
    },
  };
}

/** What is printed, or what the user's choice about a record that does not fit the spec is. */
function lineOf(
  printer: Printer,
  batch: RecordBatch,
  i: number,
  { onError }: FlagOptions,
): { readonly json: string } | 'skip' | 'stop' {
  try {
    return { json: printer.print(batch, i) };
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    const action = onError(error);
    if (action === 'throw') throw error;
    return action;
  }
}

/** The whole of a few records is no reason to read ahead. */
function optionsFor(flags: ReadFlags, limit: number, { reporter }: Context): FlagOptions {
  const options = readOptions(flags, (error) => {
    reporter.warning(error);
  });
  return limit === Infinity ? options : { ...options, batchBytes: 256 * 1024, readAhead: 0 };
}
