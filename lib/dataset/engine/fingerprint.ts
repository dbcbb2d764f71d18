/** Computes fingerprints of functions, policies and values, as JSON. */
import { createHash } from 'node:crypto';

import type { OnError } from '../../record';
import type { Json } from './operator';

/** Returns the source text of `code`, by which functions are compared. */
export function functionText(code: unknown): Json {
  return String(code);
}

/** Returns what `onError` decides, without its callbacks for reports. */
export function policyContents(onError: OnError | undefined): Json {
  if (onError === undefined) return null;
  if (typeof onError === 'function') return functionText(onError);
  return typeof onError === 'string' ? onError : onError.action;
}

export function bytesContents(bytes: ArrayBufferView): Json {
  const { constructor, buffer, byteOffset, byteLength } = bytes;
  const hash = createHash('sha256').update(new Uint8Array(buffer, byteOffset, byteLength));
  return `${constructor.name} ${hash.digest('hex')}`;
}

/**
 * Returns any value as JSON, also bigints, bytes and maps; functions as their text. A value that contains itself
 * becomes the name of its kind.
 */
export function valueContents(value: unknown): Json {
  try {
    return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name: string): unknown {
      // The value itself, before `toJSON` converted it.
      const part = this[name];
      if (ArrayBuffer.isView(part)) return bytesContents(part);
      if (typeof part === 'bigint') return `${part}n`;
      if (typeof part === 'number') return Number.isFinite(part) && !Object.is(part, -0) ? part : `number ${part}`;
      if (typeof part === 'function') return functionText(part);
      return part instanceof Map ? [...(part as Map<unknown, unknown>)] : part;
    });
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** Returns a checksum of `value` as JSON, which does not depend on the order of members in objects. */
export function sumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 16);
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
