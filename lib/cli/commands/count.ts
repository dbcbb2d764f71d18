import type { ReadStats } from '../../record';
import type { CommandDefinition, Context } from '../context';
import { addSummaryFlags, readOptions, type ReadFlags } from '../flags';
import { readBatches, Totals } from '../read-batches';
import { lineJson, lineText } from '../terminal/text';

interface CountFlags extends ReadFlags {
  readonly json?: boolean;
}

export const countCommand: CommandDefinition = (program, begin) =>
  addSummaryFlags(program.command('count').description('Count records.'), { verify: true, onError: true }).action(
    (files: readonly string[], flags: CountFlags) => count(files, flags, begin()),
  );

/** Prints the number of records of each file and in total. A file that fails has no number. */
async function count(names: readonly string[], flags: CountFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  const files = await context.files(names);
  const progress = await context.startProgress(files, flags.progress);
  const several = names.length > 1 || files.length > 1;
  const totals = new Totals();
  let total = 0;
  try {
    for (const file of files) {
      if (out.closed) return;
      const options = readOptions(flags, reporter);
      try {
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
  if (several && flags.json !== true) await out.line(`${total}\ttotal`);
}

function line(
  { json }: CountFlags,
  { records, skipped, lostBytes }: ReadStats,
  file: string,
  several: boolean,
): string {
  if (json === true) return lineJson({ file, records, skipped, lostBytes });
  return several ? `${records}\t${lineText(file)}` : String(records);
}
