/** Rewords messages for the command: with its flags in place of the library's options. */
import type { Command } from 'commander';

import { messageOf, type Mention, type Message } from '../../base';

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
export function flagTerms(mention: Mention): string {
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

/** Returns the message of a wrong argument without its value, which the user did not write in this form. */
export function usageWording(error: { readonly message: string }, flags?: Flags): string {
  return offered(messageOf(error), flags).in(flagTerms, ['received']);
}

/** Returns the message of `error` without the advice that programs follow: to accept damage, which is what was done. */
export function acceptedWording(error: { readonly message: string }, flags?: Flags): string {
  return offered(messageOf(error), flags).in(flagTerms, ['aside']);
}

/** The fields of a report about the advice of `error`, in the command's words: those that it has. */
export function reportedAdvice(
  error: { readonly message: string },
  flags?: Flags,
): { reason?: string; hint?: { option: string; value?: Mention['value'] } } {
  const message = messageOf(error);
  const reason = message.reasonIn(flagTerms);
  const { advised } = offered(message, flags);
  if (advised === undefined) return reason === undefined ? {} : { reason };
  const { value } = advised;
  const option = flagFor(advised.option);
  // A flag that is set by its name takes no value.
  return {
    ...(reason === undefined ? {} : { reason }),
    hint: value === undefined || value === true ? { option } : { option, value },
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
