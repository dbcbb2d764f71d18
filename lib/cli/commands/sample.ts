import { LoopTurns } from '../../base';
import type { RecordBatch } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { parseCount, parseSeed } from '../flags';
import { addPrintFlags, CUTS_HELP, RecordLines, type PrintFlags } from '../print';
import { readBatches, Totals } from '../read-batches';
import { copied, Reservoir } from '../reservoir';
import { openWholeSideCar, readPlaced } from '../side-car';

interface SampleFlags extends PrintFlags {
  readonly records: number;
  readonly seed?: bigint;
}

const FAIRNESS = `
All records are equally likely to be printed. From files with an index (tfrecord index), only the
records of the sample are read; other files are read whole, and the records chosen so far are kept in
memory. The same seed, records and order of files give the same sample. After damage that --on-error
does not accept, no sample is printed.
`;

export const sampleCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('sample')
      .description('Print random records, in the order of the files, each as one line of JSON.')
      .option('-n, --records <count>', 'number of records, over all files together; also -<count>', parseCount, 10)
      .option('--seed <number>', 'an integer that determines the sample (default: another sample each time)', parseSeed)
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS_HELP + FAIRNESS)
    .action((files: readonly string[], flags: SampleFlags) => sample(files, flags, begin()));

/** Prints a sample of the records of all files. */
async function sample(names: readonly string[], flags: SampleFlags, context: Context): Promise<void> {
  const { out } = context;
  const files = await context.files(names);
  const lines = new RecordLines(flags, context);
  for (const make of await choose(files, flags, lines, context)) {
    if (out.closed) break;
    const printed = lines.print(await make(), 0);
    if (printed === 'stop') break;
    if (printed !== 'skip' && printed !== undefined) await printed;
  }
  lines.finish();
}

/** Number of records of an index that are drawn between two looks at the clock: about a millisecond. */
const DRAWS = 50_000;

/** A chosen record, which may have to be read yet. */
type Chosen = () => RecordBatch | Promise<RecordBatch>;

async function choose(
  files: readonly string[],
  flags: SampleFlags,
  { options }: RecordLines,
  context: Context,
): Promise<Chosen[]> {
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  const reservoir = new Reservoir<Chosen>(flags.records, flags.seed);
  const turns = new LoopTurns();
  try {
    for (const file of files) {
      const index = await openWholeSideCar(file, flags, context);
      if (index !== undefined) {
        // An index may have billions of records, and an interrupt must not wait for them.
        for (let first = 0; first < index.records; first += DRAWS) {
          const begin = first;
          const count = Math.min(DRAWS, index.records - begin);
          reservoir.add(count, (i) => () => readPlaced(index, file, begin + i));
          await turns.breathe();
        }
        continue;
      }
      const stats = await readBatches(file, options, (batch, soFar) => {
        reservoir.add(batch.length, (i) => {
          const record = copied(batch, i);
          return () => record;
        });
        progress.update(totals.with(soFar));
        return true;
      });
      totals.add(stats);
    }
  } finally {
    progress.clear();
  }
  return reservoir.values();
}
