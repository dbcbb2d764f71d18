import { Command } from 'commander';

import { COMMAND_GROUPS } from './command-table';
import { completionCommand } from './commands/completion/completion';
import type { CommandDefinition, Context } from './context';
import { addHeaders, sendHeaders } from './headers';
import { readMessageFlags } from './message-flags';
import { readSpecs } from './spec';

/** The text that `tfrecord` without arguments prints. */
export const USES = `The five most common uses:
  $ tfrecord head train.tfrecord.gz     the first 10 records as JSON
  $ tfrecord schema 'train-*'           the features and their types
  $ tfrecord verify 'train-*'           check everything, report every fault
  $ tfrecord grep 'label=3' 'train-*'   the records with a value
  $ tfrecord convert 'train-*' a.jsonl  JSON Lines, other shards, compression
tfrecord help lists all commands, tfrecord help head the options of head.
`;

const EXAMPLES = `
Examples:
  $ tfrecord head train.tfrecord.gz               the first 10 records as JSON, one a line
  $ tfrecord head -n 1 --full --kinds a.tfrecord  one record with every value and its kind
  $ tfrecord cat 'train-*' | jq .features.label   all records of all shards, uncut
  $ tfrecord cat --spec spec.json a.tfrecord      rows of the features that spec.json names
  $ curl -s $URL | tfrecord count -               count what comes through a pipe
  $ tfrecord grep 'label=3' a.tfrecord -o b       copy the records with that value to file b
  $ tfrecord diff --key id a.tfrecord b.tfrecord  what changed between two sets
  $ tfrecord verify train@128                     read everything, report every fault
  $ tfrecord repair a.tfrecord b.tfrecord         copy what can still be found in a damaged file
  $ tfrecord info --json *.tfrecord               compression, counts, sizes and types
  $ tfrecord schema --as spec 'train-*'           the spec that reads the records, for --spec
  $ tfrecord validate --schema s.pbtxt 'eval-*'   what does not fit the schema
  $ tfrecord stats 'train-*'                      mean, bounds, most frequent values, histograms
  $ tfrecord scalars runs                         the scalars of TensorBoard's logs
  $ tfrecord view 'train-*'                       a page with records, pictures and damage

Files may be plain, GZIP or ZLIB: the content decides, not the name. Exit codes: 0, also if
--on-error accepts damage, with a warning; 1 if data is damaged or a file cannot be read, if
--on-error skip gives up bytes unread without --allow-loss, if grep finds nothing, or diff or
validate a difference; 2 for wrong arguments; 130 when interrupted.
`;

/** The right commands for names that users may try. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  split: 'convert --split train=0.9,eval=0.1',
  shuffle: 'convert --shuffle 1',
  shard: 'convert --shards 16',
  reshard: 'convert --shards 16',
  filter: "convert --where 'label = 3'",
  compress: 'convert a.tfrecord a.tfrecord.gz',
  concat: "convert 'train-*' all.tfrecord",
  export: 'convert a.tfrecord a.parquet',
  import: 'convert a.csv a.tfrecord',
  show: 'head',
  ls: 'info',
  list: 'info',
  print: 'head',
  browse: 'view',
  serve: 'view',
  ui: 'view',
  dump: 'cat',
  query: 'sql',
  version: '--version',
};

const LIMITS = '-n 5 is the number of records for head, tail, sample and schema; -m 5 for grep and extract';
const VERBOSE = 'tfrecord --version prints the version; there is no verbose output';

/** Hints for options that users may try. */
const OTHER_OPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['-m', '--limit', '--lines', '--num', '--number', '--max'].map((name) => [name, LIMITS])),
  // Some commands have it, others do not.
  '-n': 'head -n 5 prints the first 5 records, tail -n 5 the last; grep -m 5 and extract -m 5 end after 5',
  '--count': 'tfrecord count counts records, tfrecord grep -c those with a value; -n 5 limits head, tail and sample',
  '-v': VERBOSE,
  '--verbose': VERBOSE,
  '--features': '--spec prints some of the features; stats, convert and sql choose them by their names',
  '--where': "tfrecord grep 'label=3' prints the records with a value; convert and sql take conditions in SQL",
};

/** Returns a hint for an unknown command: the right command, or that a command must precede the name of a file. */
function hint(text: string): string {
  if (text.includes("too many arguments for 'merge'")) {
    return '(merge joins the parts of convert --shard; other files: tfrecord convert IN... OUT)\n';
  }
  const [, option] = /^error: unknown option '(-[^'=]*)/.exec(text) ?? [];
  if (option !== undefined && Object.hasOwn(OTHER_OPTIONS, option)) return `(${OTHER_OPTIONS[option]!})\n`;
  const [, name] = /^error: unknown command '(.*)'/.exec(text) ?? [];
  if (name === undefined) return '';
  if (Object.hasOwn(ELSEWHERE, name)) return `(tfrecord ${ELSEWHERE[name]!} does that)\n`;
  return /[./*@]/.test(name) ? `(files come after a command: tfrecord head ${name})\n` : '';
}

/**
 * Builds the command line: commands, options and help. Parsing throws a CommanderError for help and wrong arguments. If
 * `only` names a command, the program has that command alone.
 */
export function buildProgram(
  begin: () => Context,
  output: { readonly write: (text: string) => void; readonly writeError: (text: string) => void },
  only?: string,
): Command {
  const program = new Command('tfrecord')
    .description('Read, check, query and convert TFRecord files.')
    .version(packageVersion(), '-V, --version')
    .configureOutput({
      writeOut: output.write,
      writeErr: output.writeError,
      outputError: (text, write) => {
        write(`tfrecord: ${text}${hint(text)}`);
      },
    })
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .helpCommand(false)
    .hook('preAction', readSpecs)
    .hook('preAction', readMessageFlags)
    .hook('preAction', sendHeaders)
    .addHelpText('after', EXAMPLES);

  const known = Object.values(COMMAND_GROUPS).find((commands) => only !== undefined && Object.hasOwn(commands, only));
  if (known !== undefined) {
    addCommand(program, only!, known[only!]!(), begin);
    return program;
  }
  for (const [heading, commands] of Object.entries(COMMAND_GROUPS)) {
    program.commandsGroup(heading);
    for (const [name, command] of Object.entries(commands)) addCommand(program, name, command(), begin);
  }
  program
    .commandsGroup('Help:')
    .command('help')
    .description('Print the help of the command, or of one of its subcommands.')
    .argument('[command]')
    .action((name?: string) => {
      if (name === undefined) return program.help();
      const command = program.commands.find((one) => one.name() === name);
      if (command !== undefined) return command.help();
      // Commander's own help command prints the general help for an unknown name. Parsing the name as a command throws
      // an error that suggests a similar name.
      return void program.parse([name], { from: 'user' });
    });
  completionCommand(program, begin);
  return program;
}

function addCommand(program: Command, name: string, define: CommandDefinition, begin: () => Context): void {
  const command = define(program, begin);
  // merge joins files of this machine.
  if (name !== 'merge') addHeaders(command);
}

/** Commands that accept a number of records like the `head` of Unix. */
const COUNTED = ['head', 'tail', 'sample'];

/** Returns the arguments, with `head -3`, the short form of the `head` of Unix, expanded to `head -n 3`. */
export function expandNumber(argv: readonly string[]): string[] {
  const [command, count, ...rest] = argv;
  if (command === undefined || !COUNTED.includes(command) || count === undefined || !/^-\d+$/.test(count))
    return [...argv];
  return [command, '-n', count.slice(1), ...rest];
}

function packageVersion(): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for --version
  return (require('../../package.json') as { version: string }).version;
}
