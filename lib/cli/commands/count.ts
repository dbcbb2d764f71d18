import { shownUrl } from '../../base';
import type { ReadStats } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addSummaryFlags, readOptions } from '../flags';
import { addPartFlags, describeShard, refusePartFlags, type PartFlags, type WriteMerged } from '../parts';
import { readBatches, Totals } from '../read-batches';
import { openWholeSideCar } from '../side-car';
import { UsageError } from '../terminal/reporter';
import { lineJson, fileText, plural } from '../terminal/text';

interface CountFlags extends PartFlags {
  readonly byIndex?: boolean;
  readonly json?: boolean;
}

const HELP = `
--shard i/N -o OUT counts part i of N of the files, or of their records if there are fewer files, and leaves the
numbers in OUT.part-i-of-N. "tfrecord merge OUT" writes what one run prints to OUT when all parts are there.
`;

export const countCommand: CommandDefinition = (program, begin) =>
  addSummaryFlags(
    addPartFlags(
      program
        .command('count')
        .description('Count records.')
        .option('--by-index', 'if a file has an index, take its number of records from there, and read no data'),
    )
      .option('-o, --output <file>', 'with --shard: the file that tfrecord merge makes of all parts')
      .option('--force', 'with --shard: replace a part that exists'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: CountFlags) => count(files, flags, begin()));

/** Prints the number of records of each file and in total. A file that fails has no number. */
async function count(names: readonly string[], flags: CountFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  refusePartFlags(flags, 'output', 'force', 'resume');
  const files = await context.files(names);
  const several = names.length > 1 || files.length > 1;
  if (flags.shard !== undefined) {
    if (flags.byIndex === true) throw new UsageError('--by-index reads no data, so it has no parts: leave out --shard');
    // Parts of only some files would fit no others.
    if (files.length === 0 || reporter.exitCode !== 0) return;
    await describeShard('count', files, flags, { json: flags.json === true, several }, context);
    return;
  }
  const progress = await context.startProgress(files, flags.progress);
  const totals = new Totals();
  let total = 0;
  let byIndex = 0;
  try {
    for (const file of files) {
      if (out.closed) return;
      const options = readOptions(flags, reporter);
      try {
        await using index = flags.byIndex === true ? await openWholeSideCar(file, flags, context) : undefined;
        if (index !== undefined) {
          total += index.records;
          progress.clear();
          byIndex++;
          await out.line(line(flags, { ...NOTHING_LOST, records: index.records }, file, several, true));
          continue;
        }
        const stats = await readBatches(file, options, (_batch, soFar) => {
          progress.update(totals.with(soFar));
          return true;
        });
        totals.add(stats);
        total += stats.records;
        progress.clear();
        await out.line(line(flags, stats, file, several));
        await out.flush();
      } catch (error) {
        reporter.error(error);
      }
    }
  } finally {
    progress.clear();
  }
  if (byIndex > 0 && flags.json !== true) {
    reporter.note(`${several ? plural(byIndex, 'file') : files[0]!}: by index, data not read`);
  }
  if (several && flags.json !== true) await out.line(`${total}\ttotal`);
}

/** Returns what one run prints about the files of all parts. */
export const mergedCounts: WriteMerged = (parts) => {
  const { options } = parts;
  const [json, several] = [options['json'] === true, options['several'] === true];
  const counts = parts.counts();
  const lines = counts.map((counted) => line({ json }, counted, counted.file, several));
  if (several && !json) lines.push(`${counts.reduce((sum, { records }) => sum + records, 0)}\ttotal`);
  return Promise.resolve(`${lines.join('\n')}\n`);
};

type Counted = Pick<ReadStats, 'records' | 'skipped' | 'lostBytes'>;

const NOTHING_LOST = { skipped: 0, lostBytes: 0 };

/** `byIndex`: true if the data was not read. */
function line(
  { json }: { readonly json?: boolean },
  { records, skipped, lostBytes }: Counted,
  file: string,
  several: boolean,
  byIndex?: boolean,
): string {
  if (json === true) return lineJson({ file: shownUrl(file), records, skipped, lostBytes, byIndex });
  return several ? `${records}\t${fileText(file)}` : String(records);
}
