/** Rewords messages for the command: with its flags in place of the library's options. */
import type { Command } from 'commander';

import { messageOf, type Mention, type Message, type TFRecordError } from '../../base';

/** Names for which the command has others than their flags. */
const OWN: Readonly<Record<string, string>> = {
  rounding: '--round',
  'onError()': '--on-error',
  'statistics()': 'tfrecord stats',
};

/** Options that the command has no flags for. */
const NO_FLAG: ReadonlySet<string> = new Set(['int64']);

/** The flags of a command. Advice about others is left out; undefined: all flags. */
export type Flags = ReadonlySet<string> | undefined;

export function flagsOf(command: Command): Flags {
  return new Set(command.options.flatMap(({ long }) => long ?? []));
}

/** Words a mention of an option as a flag: `--on-error stop`. */
function flagTerms(mention: Mention): string {
  const { option, value, isSetting, of, words } = mention;
  if (NO_FLAG.has(option)) return words;
  const flag = of === undefined ? flagFor(option) : `tfrecord ${of} ${flagFor(option)}`;
  return isSetting && value !== true ? `${flag} ${wordOf(value)}` : flag;
}

/** Returns the message of `error`, reworded for the command. */
export function commandWording(error: { readonly message: string }, flags?: Flags): string {
  return inFlags(messageOf(error), flags);
}

/** Returns `message`, reworded for the command, which does not show arguments of JavaScript. */
export function inFlags(message: Message, flags?: Flags): string {
  return offered(message, flags).in(flagTerms);
}

/** Returns the message of a wrong argument, reworded for the command, without its value: users wrote it in another form. */
export function usageWording(error: { readonly message: string }, flags?: Flags): string {
  return offered(messageOf(error), flags).in(flagTerms, ['received']);
}

/** Returns the message of `error`, reworded for the command, without advice to accept the damage: the user did. */
export function acceptedWording(error: { readonly message: string }, flags?: Flags): string {
  return offered(messageOf(error), flags).in(flagTerms, ['aside']);
}

/** An error in a report as JSON. */
export function reportedError(error: TFRecordError, flags: Flags): object {
  return { code: error.code, message: commandWording(error, flags), ...reportedAdvice(error, flags) };
}

/** The members about the advice of `error` in a report as JSON, in the command's words; undefined ones are left out. */
export function reportedAdvice(error: TFRecordError, flags: Flags): object {
  const message = messageOf(error);
  const { advised } = offered(message, flags);
  // A flag that is set by its name takes no value.
  const value = advised?.value === true ? undefined : advised?.value;
  return {
    reason: message.reasonIn(flagTerms),
    hint: advised && { option: flagFor(advised.option), value },
  };
}

function offered(message: Message, flags: Flags): Message {
  if (flags === undefined) return message;
  return message.offering(({ option, of }) => {
    if (of !== undefined) return true;
    if (NO_FLAG.has(option)) return false;
    const [flag = ''] = flagFor(option).split(' ');
    return !flag.startsWith('--') || flags.has(flag);
  });
}

function flagFor(option: string): string {
  return OWN[option] ?? flagOf(option);
}

/** `--max-bytes` for `maxBytes`, and `--split train` for `split.train`. */
function flagOf(option: string): string {
  const [name = '', ...members] = option.split('.');
  return [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, ...members].join(' ');
}

/** A value as a word of a shell, with the escapes of JSON. */
function wordOf(value: Mention['value']): string {
  const text = JSON.stringify(value).slice(1, -1);
  return /^\w+$/.test(text) ? text : `'${text}'`;
}
