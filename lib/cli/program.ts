import { Command, InvalidArgumentError, Option } from 'commander';

import type { CountFlags } from './count';
import { addReadFlags, parseCount, SPEC_HELP, specOption } from './flags';
import type { InfoFlags } from './info';
import type { HeadFlags, PrintFlags } from './print';
import type { VerifyFlags } from './verify';

/** The functions of the commands. */
interface Actions {
  readonly head: (files: readonly string[], flags: HeadFlags) => Promise<void>;
  readonly cat: (files: readonly string[], flags: PrintFlags) => Promise<void>;
  readonly count: (files: readonly string[], flags: CountFlags) => Promise<void>;
  readonly verify: (files: readonly string[], flags: VerifyFlags) => Promise<void>;
  readonly info: (files: readonly string[], flags: InfoFlags) => Promise<void>;
}

const FILES = 'paths, patterns, name@N for N shards, or - for standard input';

const EXAMPLES = `
Examples:
  $ tfrecord head train.tfrecord.gz               the first 10 records as JSON, one a line
  $ tfrecord head -n 1 --full --kinds a.tfrecord  one record with every value and its kind
  $ tfrecord cat 'train-*' | jq .features.label   all records of all shards, uncut
  $ tfrecord cat --spec spec.json a.tfrecord      rows of the features that spec.json names
  $ curl -s $URL | tfrecord count -               count what comes through a pipe
  $ tfrecord verify train@128                     read everything, report every fault
  $ tfrecord info --json *.tfrecord               compression, counts, sizes and types

Files may be plain, GZIP or ZLIB: the content decides, not the name. Exit codes: 0, also if
--on-error accepts damage, with a warning; 1 if data is damaged or a file cannot be read;
2 for wrong arguments; 130 when interrupted.
`;

const FORMS = `
An Example prints as {"features":{"age":[29],"name":["Ann"],"score":[0.5]}}, a SequenceExample
as {"context":{},"featureLists":{"words":[["a","b"],["c"]]}}, a TensorBoard event as
{"event":{}}, any other record as {"bytes":2,"hex":"00ff"}, with "text" too when it is UTF-8
text. Integers are exact, floats have a point or an exponent, bytes are text or {"base64":""},
and a feature without a kind is null.
`;

const CUTS = `Long values and lists are cut: "more" counts the missing values or bytes. Of more than 4,096 features
the first are printed, and "moreFeatures" (moreContext, moreFeatureLists) counts the others.
`;

const INFO_JSON = `
In JSON, "complete" is false if a fault ended reading or something was skipped; the counts then
cover only what was read. "recordTypes" counts the types of the first "sampled" records.
"lostBytes" is the size of the rest of the file, if damage makes it unreadable.
`;

/** Returns a hint for an unknown command that looks like the name of a file. */
function fileHint(text: string): string {
  const [, name] = /^error: unknown command '(.*[./*@].*)'/.exec(text) ?? [];
  return name === undefined ? '' : `(files come after a command: tfrecord head ${name})\n`;
}

/** Builds the command line: commands, options and help. Parsing throws a CommanderError for help and wrong arguments. */
export function buildProgram(
  actions: Actions,
  output: { readonly write: (text: string) => void; readonly writeError: (text: string) => void },
): Command {
  const program = new Command('tfrecord')
    .description('Look into TFRecord files, and check them.')
    .version(packageVersion(), '-V, --version')
    .configureOutput({
      writeOut: output.write,
      writeErr: output.writeError,
      outputError: (text, write) => {
        write(`tfrecord: ${text}${fileHint(text)}`);
      },
    })
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES);

  const printing = (command: Command): Command =>
    addReadFlags(
      command
        .argument('<files...>', FILES, addFile)
        .option('--kinds', 'print the kind of every feature: {"int64":[1]}')
        .option('--origin', 'print the place of every record: file, number, byte')
        .addOption(specOption())
        // Accepted because other commands have it. These always print JSON.
        .addOption(new Option('--json').hideHelp())
        .addHelpText('after', FORMS + SPEC_HELP),
      { verify: true, onError: true },
    );
  const summing = (command: Command, accepts: { verify: boolean; onError: boolean }): Command =>
    addReadFlags(
      command.argument('<files...>', FILES, addFile).option('--json', 'one JSON object a file, for programs'),
      accepts,
    );

  printing(
    program
      .command('head')
      .description('Print the first records, each as one line of JSON.')
      .option('-n, --records <count>', 'how many, over all files together; also -<count>', parseCount, 10)
      .option('--full', 'do not cut long values and lists'),
  )
    .addHelpText('after', CUTS)
    .action(actions.head);
  printing(
    program
      .command('cat')
      .description('Print all records in full, each as one line of JSON.')
      // Accepted because `head` has it. `cat` always prints in full.
      .addOption(new Option('--full').hideHelp()),
  ).action(actions.cat);
  summing(program.command('count').description('Count records.'), { verify: true, onError: true }).action(
    actions.count,
  );
  summing(program.command('verify').description('Read everything and report every fault: file, record and byte.'), {
    verify: false,
    onError: false,
  }).action(actions.verify);
  summing(
    program.command('info').description('Print the compression, the number of records, their sizes and their type.'),
    {
      verify: true,
      onError: true,
    },
  )
    .addHelpText('after', INFO_JSON)
    .action(actions.info);
  program
    .command('help')
    .description('Print what the command, or one of its subcommands, does.')
    .argument('[command]')
    .action((name?: string) => {
      if (name === undefined) return program.help();
      const command = program.commands.find((one) => one.name() === name);
      if (command !== undefined) return command.help();
      // Commander's own help command prints the general help for an unknown name. Parsed as a command, the name is
      // refused, and the error suggests a similar one.
      return void program.parse([name], { from: 'user' });
    });
  return program;
}

/** Returns the arguments with `head -3`, the short form of Unix's `head`, written as `head -n 3`. */
export function expandNumber(argv: readonly string[]): string[] {
  const [command, count, ...rest] = argv;
  if (command !== 'head' || count === undefined || !/^-\d+$/.test(count)) return [...argv];
  return [command, '-n', count.slice(1), ...rest];
}

function addFile(file: string, before: readonly string[] = []): readonly string[] {
  if (file === '') throw new InvalidArgumentError('A name is empty.');
  if (file === '-' && before.includes(file)) throw new InvalidArgumentError('Standard input can be read only once.');
  return [...before, file];
}

function packageVersion(): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for --version
  return (require('../../package.json') as { version: string }).version;
}
