import type { CommandDefinition } from '../context';
import { parseCount } from '../flags';
import { addPrintFlags, CUTS_HELP, printRecords, type PrintFlags } from '../print';

interface HeadFlags extends PrintFlags {
  readonly records: number;
  readonly skip?: number;
}

const SKIPS = `
--skip reads the records that it skips, unless the file has an index (tfrecord index).
`;

/** Prints the first records. */
export const headCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('head')
      .description('Print the first records, each as one line of JSON.')
      .option('-n, --records <count>', 'number of records, over all files together; also -<count>', parseCount, 10)
      .option('--skip <count>', 'skip the first records, over all files together', parseCount)
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS_HELP + SKIPS)
    .action((files: readonly string[], flags: HeadFlags) =>
      printRecords(files, flags, { limit: flags.records, skip: flags.skip }, begin()),
    );
