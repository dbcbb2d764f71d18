/** The forms of plain values, and byte strings in each form. */
import { isUtf8 } from 'node:buffer';
import { types } from 'node:util';

import { TFRecordError, checkChoice, checkOptions, type Bytes, counted } from '../base';
import { givenLength, unsharedBytes } from '../io';
import { bytesJson, shortText } from './json';

/** The forms of int64 in plain values. */
export type Int64Form = 'number' | 'bigint' | 'string';

/** The forms of bytes in plain values. */
export type BytesForm = 'auto' | 'text' | 'base64' | 'bytes';

/** Options of `toObject` and `exampleToObject`. Unknown names throw. */
export interface ObjectOptions<I extends Int64Form = Int64Form, B extends BytesForm = BytesForm> {
  /**
   * `number`: a number; a value beyond ±(2^53 − 1) is TFR_FEATURE, never rounded. `bigint`: a bigint. `string`: decimal
   * digits. Values that were parsed or decoded with `int64: 'number'` are numbers already, and stay numbers. Default
   * `number`.
   */
  int64?: I | undefined;
  /**
   * `auto`: a string if the bytes are printable UTF-8, else `{ base64 }`, like the output of `tfrecord head`. `text`: a
   * string; bytes that are not UTF-8 are TFR_FEATURE. `base64`: a string of base64. `bytes`: a copy as a Uint8Array.
   * Default `auto`.
   */
  bytes?: B | undefined;
}

export const INT64_FORMS: readonly Int64Form[] = ['number', 'bigint', 'string'];
export const BYTES_FORMS: readonly BytesForm[] = ['auto', 'text', 'base64', 'bytes'];

/** Describes the integers that `int64: 'number'` accepts, for messages. */
export const SAFE_INT64S = 'integers within ±(2^53 - 1), which int64: "number" asks for';

/** A value that a form cannot represent. {@link plainError} converts it to a TFRecordError. */
export class PlainFault extends Error {
  readonly expected: string;
  readonly found: string;
  readonly advice: string;

  constructor(expected: string, found: string, advice: string) {
    super();
    this.expected = expected;
    this.found = found;
    this.advice = advice;
  }
}

/** Converts a {@link PlainFault} to TFR_FEATURE; returns other errors unchanged. */
export function plainError(error: unknown, feature?: string): unknown {
  if (!(error instanceof PlainFault)) return error;
  const { expected, found, advice } = error;
  const where = feature === undefined ? 'Values' : `Feature ${quotedName(feature)}`;
  return new TFRecordError('TFR_FEATURE', `${where}: expected ${expected}, found ${found}. ${advice}.`, {
    feature,
    expected,
    found,
  });
}

function quotedName(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

/** Returns the forms that `options` select. @throws TypeError */
export function checkForms(options: ObjectOptions | undefined): {
  readonly int64: Int64Form;
  readonly bytes: BytesForm;
} {
  if (options === undefined) return { int64: 'number', bytes: 'auto' };
  const { int64, bytes } = checkOptions<ObjectOptions>(options, ['int64', 'bytes']);
  return {
    int64: checkChoice('options.int64', int64, INT64_FORMS, 'number'),
    bytes: checkChoice('options.bytes', bytes, BYTES_FORMS, 'auto'),
  };
}

/** Byte strings in Arrow's layout. */
interface ByteStrings {
  readonly data: Bytes;
  readonly offsets: Int32Array;
  at(index: number): Bytes | undefined;
}

/** Returns the values from `begin` to before `end` of `strings` in form `form`. `json`: see {@link plainBytes}. */
export function plainStrings(
  strings: ByteStrings,
  begin: number,
  end: number,
  form: BytesForm,
  json = false,
): unknown[] {
  const { data, offsets } = strings;
  const made = new Array<unknown>(end - begin);
  const texts = form === 'auto' || form === 'text';
  for (let i = begin; i < end; i++) {
    // Avoids a view of the value, which costs more than its text.
    const text = texts ? shortText(data, offsets[i]!, offsets[i + 1]!) : undefined;
    made[i - begin] = text ?? plainBytes(strings.at(i)!, form, json);
  }
  return made;
}

/**
 * Converts a byte string to form `form`. If `json`, bytes whose memory was transferred become empty, because test
 * runners print broken copies. @throws PlainFault for bytes that the form cannot represent; TypeError if their memory
 * was transferred
 */
export function plainBytes(value: Uint8Array, form: BytesForm, json = false): unknown {
  if (!json) checkPresent(value);
  if (form === 'auto') return bytesJson(value);
  if (form === 'bytes') return new Uint8Array(value);
  const own = unsharedBytes(value);
  const { buffer, byteOffset, byteLength } = own;
  if (form === 'base64') return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  if (isUtf8(own)) return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  throw new PlainFault(
    'UTF-8, which bytes: "text" asks for',
    counted(byteLength, 'byte that is not', undefined, 'bytes that are not'),
    'bytes: "auto", "base64" and "bytes" give all',
  );
}

/** @throws TypeError for values whose memory was transferred */
export function checkPresent(values: { readonly length: number }): void {
  if (values.length === 0 && types.isTypedArray(values)) givenLength('values', values);
}
