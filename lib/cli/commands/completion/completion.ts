import { Argument } from 'commander';

import type { CommandDefinition } from '../../context';
import { commandTree, type CommandInfo, type OptionInfo } from './command-tree';

const USE = `
bash: add to ~/.bashrc    source <(tfrecord completion bash)
zsh:  add to ~/.zshrc     source <(tfrecord completion zsh)     after "autoload -U compinit; compinit"
fish: run once            tfrecord completion fish > ~/.config/fish/completions/tfrecord.fish
json: the commands, options and texts of the help, for other tools
`;

const SCRIPTS: Readonly<Record<string, (tree: CommandInfo) => string>> = {
  bash,
  zsh,
  fish,
  json: (tree) => JSON.stringify(tree, undefined, 2),
};

export const completionCommand: CommandDefinition = (program, begin) =>
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', USE)
    .action(async (shell: string) => {
      await begin().out.line(SCRIPTS[shell]!(commandTree(program)));
    });

/** Matches the names of option values that are files or folders. */
const FILES = /^(file|folder)/;

function flagsOf({ long, short }: OptionInfo): string[] {
  return [short, long].filter((flag) => flag !== undefined);
}

/** Returns the words that may follow a command, if they are not files. */
function wordsOf(tree: CommandInfo, command: CommandInfo): readonly string[] {
  if (command.name === 'help') return tree.commands.map(({ name }) => name);
  return command.arguments[0]?.choices ?? [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function bash(tree: CommandInfo): string {
  const names = tree.commands.map(({ name }) => name);
  const values: string[] = [];
  const options: string[] = [];
  for (const command of tree.commands) {
    for (const option of command.options) {
      if (option.value === undefined) continue;
      const patterns = flagsOf(option).map((flag) => quoted(`${command.name} ${flag}`));
      // Without words, Bash completes names of files.
      values.push(`    ${patterns.join('|')}) words=${quoted((option.choices ?? []).join(' '))} ;;`);
    }
    const flags = command.options.flatMap(flagsOf).join(' ');
    options.push(`      ${command.name}) words=${quoted(flags)} ;;`);
  }
  const words = tree.commands.flatMap((command) => {
    const own = wordsOf(tree, command);
    return own.length === 0 ? [] : `      ${command.name}) words=${quoted(own.join(' '))} ;;`;
  });
  return `# Completion of tfrecord for bash: source this file.
_tfrecord() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${names.join('|')}) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$command $previous" in
${values.join('\n')}
    *) if [[ -z $command ]]; then
      words=${quoted([...names, ...tree.options.flatMap(flagsOf)].join(' '))}
    elif [[ $current == -* ]]; then
      case "$command" in
${indented(options)}
      esac
    else
      case "$command" in
${indented(words)}
      esac
    fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tfrecord tfrecord`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function zsh(tree: CommandInfo): string {
  // In a specification, these characters have a meaning.
  const plain = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
  const commands = tree.commands.map(({ name, description }) => `    ${quoted(`${name}:${plain(description)}`)}`);
  const cases = tree.commands.map((command) => {
    const specs = command.options.map((option) => {
      const flags = flagsOf(option);
      const exclusive = flags.length > 1 ? `(${flags.join(' ')})` : '';
      const { value, choices, description } = option;
      const action = choices !== undefined ? `(${choices.join(' ')})` : FILES.test(value ?? '') ? '_files' : ' ';
      const argument = value === undefined ? '' : `:${plain(value)}:${action}`;
      const what = quoted(`[${plain(description)}]${argument}`);
      const names = flags.length > 1 ? `{${flags.join(',')}}` : flags[0]!;
      return `${exclusive === '' ? '' : quoted(exclusive)}${names}${what}`;
    });
    const words = wordsOf(tree, command);
    const rest = words.length > 0 ? `1:word:(${words.join(' ')})` : '*:file:_files';
    return `    ${command.name})\n      _arguments -s ${[...specs, quoted(rest)].join(' \\\n        ')} ;;`;
  });
  return `#compdef tfrecord
_tfrecord() {
  local -a commands
  local state line
  commands=(
${commands.join('\n')}
  )
  _arguments -C '1: :->command' '*:: :->arguments'
  if [[ $state == command ]]; then
    _describe command commands
    return
  fi
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _tfrecord ]]; then _tfrecord "$@"; else compdef _tfrecord tfrecord; fi`;
}

function fish(tree: CommandInfo): string {
  const string = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = ['# Completion of tfrecord for fish.', 'complete -c tfrecord -n __fish_use_subcommand -f'];
  for (const { name, description } of tree.commands) {
    lines.push(`complete -c tfrecord -n __fish_use_subcommand -a ${name} -d ${string(description)}`);
  }
  for (const command of tree.commands) {
    const start = `complete -c tfrecord -n '__fish_seen_subcommand_from ${command.name}'`;
    const words = wordsOf(tree, command);
    if (words.length > 0) lines.push(`${start} -f -a ${string(words.join(' '))}`);
    for (const { long, short, value, choices, description } of command.options) {
      const names = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`].filter(
        (name) => name !== undefined,
      );
      const values = value === undefined ? [] : FILES.test(value) ? ['-r', '-F'] : ['-x'];
      if (choices !== undefined) values.push('-a', string(choices.join(' ')));
      lines.push([start, ...names, ...values, '-d', string(description)].join(' '));
    }
  }
  return lines.join('\n');
}
