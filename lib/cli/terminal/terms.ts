/** Rewords messages for the command: with its flags in place of the library's options. */
import { messageOf, type Mention, type Message } from '../../base';

/** Names for which the command has others than their flags. */
const OWN: Readonly<Record<string, string>> = { rounding: '--round', 'statistics()': 'tfrecord stats' };

/** Options that the command has no flags for. */
const NO_FLAG: ReadonlySet<string> = new Set(['int64', 'onError.max', 'onError.maxRate']);

/** Words a mention of an option as a flag: `--on-error stop`. */
export function flagTerms({ option, value, isSetting, words }: Mention): string {
  if (NO_FLAG.has(option)) return words;
  const flag = OWN[option] ?? flagOf(option);
  return isSetting && value !== true ? `${flag} ${wordOf(value)}` : flag;
}

/** Returns the message of `error`, reworded for the command. */
export function commandWording(error: { readonly message: string }): string {
  return inFlags(messageOf(error));
}

/** Returns `message`, reworded for the command, which does not show arguments of JavaScript. */
export function inFlags(message: Message): string {
  return message.in(flagTerms);
}

/** Returns the message of a wrong argument without its value, which the user did not write in this form. */
export function usageWording(error: { readonly message: string }): string {
  return messageOf(error).in(flagTerms, ['received']);
}

/** Returns the message of `error` without the advice that programs follow: to accept damage, which is what was done. */
export function acceptedWording(error: { readonly message: string }): string {
  return messageOf(error).in(flagTerms, ['aside']);
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
