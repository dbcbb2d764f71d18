import { RecordPrinter } from '../example';
import type { Origin, ReadOptions, RecordBatch } from '../record';
import type { Context } from './context';
import { plural } from './plural';
import { readBatches, Totals } from './read-batches';
import { readOptions, type ReadFlags } from './read-flags';

export interface PrintFlags extends ReadFlags {
  /** Cuts nothing. */
  readonly full?: boolean;
  readonly kinds?: boolean;
  readonly origin?: boolean;
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
  const printer = new RecordPrinter(flags);
  const totals = new Totals();
  let left = limit;

  const print = async (batch: RecordBatch): Promise<void> => {
    for (let i = 0; i < batch.length && left > 0 && !out.closed; i++, left--) {
      const { json } = printer.print(batch.at(i) as Uint8Array);
      const full = out.line(flags.origin === true ? withOrigin(json, batch.origin(i) as Origin) : json);
      if (full !== undefined) await full;
    }
    await out.flush();
  };

  try {
    for (const file of files) {
      if (left === 0 || out.closed) break;
      const stats = await readBatches(file, optionsFor(flags, limit, context), async (batch, soFar) => {
        await print(batch);
        progress.update(totals.with(soFar));
        return left > 0 && !out.closed;
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

/** The whole of a few records is no reason to read ahead. */
function optionsFor(flags: ReadFlags, limit: number, { reporter }: Context): ReadOptions {
  const options = readOptions(flags, (error) => {
    reporter.warning(error);
  });
  return limit === Infinity ? options : { ...options, batchBytes: 256 * 1024, readAhead: 0 };
}

function withOrigin(json: string, { file, record, offset, bytes }: Origin): string {
  return `{"origin":${JSON.stringify({ file, record, offset, bytes })},${json.slice(1)}`;
}
