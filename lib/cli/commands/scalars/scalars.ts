import { Option } from 'commander';
import { createWriteStream } from 'node:fs';

import { TFRecordError } from '../../../base';
import type { ValueBlock } from '../../../events';
import type { CommandDefinition, Context } from '../../context';
import { addFiles, addReadFlags, addTag, readOptions, type ReadFlags } from '../../flags';
import { onDemand } from '../../on-demand';
import { checkNew, newFile } from '../../output';
import { UsageError } from '../../terminal/reporter';
import { LineWriter } from '../../terminal/streams';
import { lineText, plural } from '../../terminal/text';
import { linePrinter, tablePrinter, type ScalarPrinter } from './print-scalars';
import { writeParquet } from './write-parquet';

interface ScalarsFlags extends ReadFlags {
  readonly tag?: readonly string[];
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly follow?: boolean;
  readonly keepRestarted?: boolean;
}

const FORMS = `
A folder is read as TensorBoard reads it: each folder below it with event files is a run. Steps that
were logged again after a restart are given once. Columns: run, tag, step, wall_time (seconds since
1970), value. Without --json, --csv and -o, a table shows the first 1,000 rows.

  $ tfrecord scalars runs --tag 'loss*' --csv > loss.csv
  $ tfrecord scalars runs -o scalars.parquet
  $ tfrecord scalars runs --follow --json | jq .value

--follow prints CSV, or JSON Lines with --json, and goes on until it is interrupted. A record that is
still being written is waited for. What a later restart makes obsolete was printed already.
`;

export const scalarsCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addFiles(
      program.command('scalars').description("Print the scalars of TensorBoard's logs."),
      'log folders, or event files: paths, URLs, patterns, or - for standard input',
    )
      .option('--tag <pattern>', 'only these tags: * is any text, ? any character; may be repeated', addTag)
      .addOption(new Option('--json', 'one JSON object for each value').conflicts('csv'))
      .option('--csv', 'CSV with a header')
      .option('-o, --output <file>', 'write a file: .csv, .jsonl (or .ndjson), .parquet')
      .option('--force', 'replace a file that exists')
      .option('-f, --follow', 'go on with values that are added, and with new files and runs')
      .option('--keep-restarted', 'keep the values of steps that were logged again after a restart'),
    { verify: true, onError: true },
  )
    .addHelpText('after', FORMS)
    .action((names: readonly string[], flags: ScalarsFlags) => scalars(names, flags, begin()));

/** The forms of files. */
const FORM_OF = new Map([
  ['csv', 'csv'],
  ['jsonl', 'json'],
  ['ndjson', 'json'],
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
] as const);

async function scalars(names: readonly string[], flags: ScalarsFlags, context: Context): Promise<void> {
  const { output, json, csv, follow } = flags;
  if (follow === true && flags.onError === 'salvage') {
    throw new UsageError('--on-error salvage searches files to their ends, so it does not go with --follow');
  }
  if (output === undefined) {
    const form = json === true ? 'json' : csv === true || follow === true ? 'csv' : undefined;
    const printer = form === undefined ? tablePrinter(context) : linePrinter(form, context.out);
    await print(names, flags, context, printer, context.signal);
    return;
  }
  const form = FORM_OF.get(output.split('.').at(-1)!.toLowerCase() as 'csv');
  if (form === undefined || output === '-') {
    throw new UsageError(
      `${lineText(output)} is not the name of a .csv, .jsonl or .parquet file; without -o, --csv and --json print`,
    );
  }
  if (json === true || csv === true) throw new UsageError('--json and --csv print; the name of -o decides its form');
  if (follow === true) throw new UsageError('--follow prints for ever, so it writes no file: leave out -o');
  await checkNew(output, flags.force);
  const rows = await context.writing((signal) =>
    newFile(output, signal, async (path) => {
      if (form === 'parquet') return writeParquet(path, (take) => read(names, flags, context, signal, take));
      return writeLines(path, form, (printer) => print(names, flags, context, printer, signal));
    }),
  );
  context.reporter.note(`wrote ${plural(rows, 'value')} to ${lineText(output)}`);
}

/** Writes the lines of a printer to the file `path`. Resolves with their number. */
async function writeLines(
  path: string,
  form: 'csv' | 'json',
  run: (printer: ScalarPrinter) => Promise<number>,
): Promise<number> {
  const stream = createWriteStream(path);
  const lines = new LineWriter(stream);
  try {
    const rows = await run(linePrinter(form, lines));
    await lines.flush();
    return rows;
  } finally {
    await new Promise<void>((resolve) => stream.end(() => resolve()));
  }
}

/** Prints all values. Resolves with their number. */
async function print(
  names: readonly string[],
  flags: ScalarsFlags,
  context: Context,
  printer: ScalarPrinter,
  signal: AbortSignal,
): Promise<number> {
  const rows = await read(names, flags, context, signal, async (block) => {
    const waits = printer.block(block);
    if (waits !== undefined) await waits;
    // Whoever follows wants each value at once.
    if (flags.follow === true) await context.out.flush();
    return !printer.full && !context.out.closed;
  });
  await printer.end();
  return rows;
}

/** Calls `take` with the values, until it resolves with false. Resolves with their number. */
async function read(
  names: readonly string[],
  flags: ScalarsFlags,
  context: Context,
  signal: AbortSignal,
  take: (block: ValueBlock) => Promise<boolean>,
): Promise<number> {
  const { eventBlocks } = onDemand.events;
  const { tag, follow, keepRestarted } = flags;
  const options = { ...readOptions(flags, context.reporter), tags: tag, follow, keepRestarted, signal };
  const source = eventBlocks(names as string[], { ...options, kinds: ['scalar'] });
  let rows = 0;
  let failed = false;
  try {
    for await (const block of source.blocks) {
      rows += block.rows;
      if (!(await take(block))) break;
    }
  } catch (error) {
    // The values before the damage are printed.
    if (!(error instanceof TFRecordError) || signal.aborted || flags.output !== undefined) throw error;
    context.reporter.error(error);
    failed = true;
  } finally {
    await source.close();
  }
  if (rows === 0 && !failed) context.reporter.note(NOTHING);
  return rows;
}

const NOTHING = 'no scalar was found: readEvents() in code gives texts, images and tensors, too';
