import type { RecordBatch } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { parseCount } from '../flags';
import { addPrintFlags, CUTS_HELP, RecordLines, type PrintFlags } from '../print';
import { readKeptBatches, Totals } from '../read-batches';

interface TailFlags extends PrintFlags {
  readonly records: number;
}

const ORDER = `
Files are read from the last to the first, each from its start, until there are enough records.
`;

export const tailCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('tail')
      .description('Print the last records, each as one line of JSON.')
      .option('-n, --records <count>', 'number of records, over all files together; also -<count>', parseCount, 10)
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS_HELP + ORDER)
    .action((files: readonly string[], flags: TailFlags) => tail(files, flags, begin()));

/** Prints the last records, over all files together. At damage, prints the records before it, then fails. */
async function tail(names: readonly string[], flags: TailFlags, context: Context): Promise<void> {
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const lines = new RecordLines(flags, context);
  const totals = new Totals();
  const found: LastRecords[] = [];
  let left = flags.records;
  let failure: { readonly error: unknown } | undefined;
  try {
    for (let i = files.length - 1; i >= 0 && left > 0; i--) {
      const last = new LastRecords(left);
      found.unshift(last);
      const stats = await readKeptBatches(files[i]!, lines.options, (batch, soFar) => {
        last.add(batch);
        progress.update(totals.with(soFar));
        return true;
      });
      totals.add(stats);
      left -= last.length;
    }
  } catch (error) {
    failure = { error };
  } finally {
    progress.clear();
  }
  for (const last of found) await last.print(lines, context);
  lines.finish();
  if (failure !== undefined) {
    await context.out.flush();
    throw failure.error;
  }
}

/** Keeps the last batches of a file: those that contain its last `limit` records. */
class LastRecords {
  readonly #limit: number;
  readonly #batches: RecordBatch[] = [];
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return Math.min(this.#held, this.#limit);
  }

  add(batch: RecordBatch): void {
    this.#batches.push(batch);
    this.#held += batch.length;
    while (this.#held - this.#batches[0]!.length >= this.#limit) this.#held -= this.#batches.shift()!.length;
  }

  async print(lines: RecordLines, { out }: Context): Promise<void> {
    let passed = this.#held - this.length;
    for (const batch of this.#batches) {
      if (out.closed) return;
      const { stopped } = await lines.printRange(batch, passed, batch.length);
      if (stopped) return;
      passed = 0;
    }
  }
}
