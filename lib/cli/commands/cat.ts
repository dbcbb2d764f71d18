import { Option } from 'commander';

import type { CommandDefinition } from '../context';
import { addPrintFlags, printRecords, type PrintFlags } from '../print';

/** Prints all records in full, for programs. */
export const catCommand: CommandDefinition = (program, begin) =>
  addPrintFlags(
    program
      .command('cat')
      .description('Print all records in full, each as one line of JSON.')
      // Accepted because `head` has it. `cat` always prints in full.
      .addOption(new Option('--full').hideHelp()),
  ).action((files: readonly string[], flags: PrintFlags) =>
    printRecords(files, { ...flags, full: true }, { limit: Infinity }, begin()),
  );
