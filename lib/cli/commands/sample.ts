import { newBatch, type RecordBatch } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { parseCount, parseSeed } from '../flags';
import { addPrintFlags, CUTS_HELP, RecordLines, type PrintFlags } from '../print';
import { readBatches, Totals } from '../read-batches';

interface SampleFlags extends PrintFlags {
  readonly records: number;
  readonly seed?: bigint;
}

const FAIRNESS = `
Each record is as likely as any other to be printed. All files are read; the records that are
chosen so far are in memory. With one seed, the same records in the same order of files give the
same sample. Damage that --on-error does not accept prints no sample.
`;

export const sampleCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('sample')
      .description('Print random records, in the order of the files, each as one line of JSON.')
      .option('-n, --records <count>', 'how many, over all files together; also -<count>', parseCount, 10)
      .option('--seed <number>', 'an integer that decides which (default: another sample each time)', parseSeed)
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS_HELP + FAIRNESS)
    .action((files: readonly string[], flags: SampleFlags) => sample(files, flags, begin()));

/** Prints a sample of the records of all files. */
async function sample(names: readonly string[], flags: SampleFlags, context: Context): Promise<void> {
  const { out } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const lines = new RecordLines(flags, context);
  const totals = new Totals();
  const reservoir = new Reservoir(flags.records, flags.seed);
  try {
    for (const file of files) {
      const stats = await readBatches(file, lines.options, (batch, soFar) => {
        reservoir.add(batch);
        progress.update(totals.with(soFar));
        return true;
      });
      totals.add(stats);
    }
  } finally {
    progress.clear();
  }
  for (const record of reservoir.records()) {
    if (out.closed) break;
    const printed = lines.print(record, 0);
    if (printed === 'stop') break;
    if (printed !== 'skip' && printed !== undefined) await printed;
  }
  lines.finish();
}

/** Chooses records in one pass over all: after n records, each has been kept with the same probability. */
class Reservoir {
  readonly #size: number;
  readonly #draws: import('../../dataset').Draws;
  readonly #kept: { readonly number: number; readonly record: RecordBatch }[] = [];
  #seen = 0;

  constructor(size: number, seed: bigint | undefined) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for samples
    const { Draws, seedWords, systemSeed } = require('../../dataset') as typeof import('../../dataset');
    this.#size = size;
    this.#draws = new Draws(seed === undefined ? systemSeed() : seedWords('--seed', seed));
  }

  add(batch: RecordBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const number = this.#seen++;
      const place = number < this.#size ? number : Math.floor(this.#draws.float() * this.#seen);
      if (place < this.#size) this.#kept[place] = { number, record: copied(batch, i) };
    }
  }

  /** Returns the chosen records in the order of the files, each as a batch. */
  records(): RecordBatch[] {
    return this.#kept.sort((a, b) => a.number - b.number).map(({ record }) => record);
  }
}

/** Returns a batch of its own for record `i`, which does not keep the slab of `batch` in memory. */
function copied(batch: RecordBatch, i: number): RecordBatch {
  const { file, record, offset, bytes } = batch.origin(i)!;
  const frames = Uint32Array.of(0, bytes);
  return newBatch({ file, slab: batch.at(i)!.slice(), frames, firstRecord: record, base: offset }, 0, 1);
}
