/** The commands and their options as data, for completion and for the manual. */
import type { EventEmitter } from 'node:events';
import type { Argument, Command, Option } from 'commander';

export interface OptionInfo {
  /** The long form, such as `--records`; undefined if there is only a short form. */
  readonly long: string | undefined;
  /** The short form, such as `-n`; undefined if there is none. */
  readonly short: string | undefined;
  /** The name of its value; undefined if it has no value. */
  readonly value: string | undefined;
  /** The values that it accepts; undefined for any. */
  readonly choices: readonly string[] | undefined;
  readonly description: string;
}

export interface ArgumentInfo {
  readonly name: string;
  readonly choices: readonly string[] | undefined;
  readonly description: string;
}

export interface CommandInfo {
  readonly name: string;
  readonly description: string;
  /** The usage line, such as `tfrecord head [options] <files...>`. */
  readonly usage: string;
  readonly arguments: readonly ArgumentInfo[];
  readonly options: readonly OptionInfo[];
  /** The text after the options in the help. */
  readonly notes: string;
  readonly commands: readonly CommandInfo[];
}

/** Returns a command and its subcommands. */
export function commandTree(command: Command, before = ''): CommandInfo {
  const help = command.createHelp();
  const name = `${before}${command.name()}`;
  return {
    name: command.name(),
    description: command.description(),
    usage: `${name} ${command.usage()}`,
    arguments: command.registeredArguments.map(argumentInfo),
    options: help.visibleOptions(command).map(optionInfo),
    notes: notesOf(command),
    commands: command.commands.map((one) => commandTree(one, `${name} `)),
  };
}

function argumentInfo(argument: Argument): ArgumentInfo {
  return { name: argument.name(), choices: argument.argChoices, description: argument.description };
}

function optionInfo({ long, short, flags, argChoices, description }: Option): OptionInfo {
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return { long: long ?? undefined, short: short ?? undefined, value, choices: argChoices, description };
}

/** Returns the text that the command adds after its help. */
function notesOf(command: Command): string {
  let text = '';
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write: (more: string) => (text += more),
  });
  return text.trim();
}
