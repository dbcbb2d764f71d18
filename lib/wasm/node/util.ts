/** The part of `node:util` that the rooms use, for a page. */
import { noFiles } from './system';
import * as types from './util-types';

export { types };
export const { TextDecoder, TextEncoder } = globalThis;

/** The system errors that can occur in a page. */
export function getSystemErrorMap(): Map<number, [string, string]> {
  return new Map([
    [-12, ['ENOMEM', 'not enough memory']],
    [-38, ['ENOSYS', 'pages have no files: give bytes, a Blob or a stream instead of a path']],
    [-125, ['ECANCELED', 'operation canceled']],
  ]);
}

/** Returns a short form of any value, for messages. Never throws. */
export function inspect(value: unknown): string {
  try {
    if (typeof value === 'string') return `'${value}'`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function') return `[Function: ${value.name}]`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof Error) return value.stack ?? String(value);
    const text = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member)) as
      string | undefined;
    return `${value.constructor?.name ?? 'Object'} ${text ?? ''}`;
  } catch {
    return Object.prototype.toString.call(value);
  }
}
inspect.custom = Symbol.for('nodejs.util.inspect.custom');
inspect.defaultOptions = {};

/** Only Node has functions that take callbacks. */
export function promisify(): () => never {
  return noFiles;
}
