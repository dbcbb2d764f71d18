import { shownUrl } from '../../base';
import type { ReadStats } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addSummaryFlags, readOptions, type ReadFlags } from '../flags';
import { readBatches, Totals } from '../read-batches';
import { openWholeSideCar } from '../side-car';
import { lineJson, fileText, plural } from '../terminal/text';

interface CountFlags extends ReadFlags {
  readonly byIndex?: boolean;
  readonly json?: boolean;
}

export const countCommand: CommandDefinition = (program, begin) =>
  addSummaryFlags(
    program
      .command('count')
      .description('Count records.')
      .option('--by-index', 'if a file has an index, take its number of records from there, and read no data'),
    { verify: true, onError: true },
  ).action((files: readonly string[], flags: CountFlags) => count(files, flags, begin()));

/** Prints the number of records of each file and in total. A file that fails has no number. */
async function count(names: readonly string[], flags: CountFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const several = names.length > 1 || files.length > 1;
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

type Counted = Pick<ReadStats, 'records' | 'skipped' | 'lostBytes'>;

const NOTHING_LOST = { skipped: 0, lostBytes: 0 };

/** `byIndex`: true if the data was not read. */
function line(
  { json }: CountFlags,
  { records, skipped, lostBytes }: Counted,
  file: string,
  several: boolean,
  byIndex?: boolean,
): string {
  if (json === true) return lineJson({ file: shownUrl(file), records, skipped, lostBytes, byIndex });
  return several ? `${records}\t${fileText(file)}` : String(records);
}
