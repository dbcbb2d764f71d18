/**
 * Plain values: arrays, numbers and strings in place of columns and tensors. `toObject` makes them, and `toJSON` with the
 * settings of JSON.
 */
import { isUtf8 } from 'node:buffer';
import { types } from 'node:util';

import { TFRecordError } from '../errors';
import { checkChoice, checkOptions, givenLength, unsharedBytes } from '../record';
import { counted } from '../wording';
import { BytesArray } from './bytes-array';
import { bytesJson, floatJson, numberJson, shortestFloat32, shortText } from './json';
import { allocateDense } from './limits';
import type { Column, Shape } from './types';
import type { ValueForm } from './value-class';

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
   * `auto`: a string where the bytes are printable UTF-8, else `{ base64 }`, as `tfrecord head` prints them. `text`: a
   * string; bytes that are not UTF-8 are TFR_FEATURE. `base64`: a string of base64. `bytes`: a Uint8Array, a copy.
   * Default `auto`.
   */
  bytes?: B | undefined;
}

const INT64_FORMS: readonly Int64Form[] = ['number', 'bigint', 'string'];
const BYTES_FORMS: readonly BytesForm[] = ['auto', 'text', 'base64', 'bytes'];

/** The integers that `int64: 'number'` takes, for messages. */
export const SAFE_INT64S = 'integers within ±(2^53 - 1), which int64: "number" asks for';

/** A value that a form refuses. {@link plainError} words it. */
class PlainFault extends Error {
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

/** TFR_FEATURE for a value that a form refuses; other errors as they are. */
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

/** Makes plain values, for objects or for JSON. */
export class PlainForm implements ValueForm<unknown> {
  /** True for `toJSON`. JSON has strings for NaN, infinities and -0, and int64 are strings of digits. */
  readonly json: boolean;
  readonly int64: Int64Form;
  readonly bytes: BytesForm;

  constructor(int64: Int64Form, bytes: BytesForm, json = false) {
    this.json = json;
    this.int64 = int64;
    this.bytes = bytes;
  }

  /** A single value; values of other types stay as they are. */
  scalar(value: unknown): unknown {
    switch (typeof value) {
      case 'number':
        return this.json ? numberJson(value) : plainNumber(value);
      case 'bigint':
        return this.#int64(value);
      default:
        return value instanceof Uint8Array ? this.#bytes(value) : value;
    }
  }

  /** The values of a column, of a typed array of numbers, or of a list. */
  values(values: Column | ArrayLike<unknown>): unknown[] {
    this.#checkPresent(values);
    return this.#part(values, 0, values.length);
  }

  list(count: number, _of: 'values' | 'rows', item: (index: number) => unknown): unknown[] {
    return Array.from({ length: count }, (_, i) => item(i));
  }

  dense(data: Column, shape: Shape, first: number): unknown {
    const { length } = shape;
    this.#checkPresent(data);
    let next = first;
    const level = (depth: number): unknown => {
      if (depth === length) return this.#part(data, next, next + 1)[0];
      const count = shape[depth]!;
      if (depth < length - 1) return Array.from({ length: count }, () => level(depth + 1));
      const begin = next;
      return this.#part(data, begin, (next = begin + count));
    };
    return allocateDense(shape, () => level(0));
  }

  nothing(): null {
    return null;
  }

  integers(values: ArrayLike<number | bigint>): number[] {
    return Array.from(values, Number);
  }

  object(members: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).map(([name, make]) => [name, make()]));
  }

  #part(values: Column | ArrayLike<unknown>, begin: number, end: number): unknown[] {
    const made = new Array<unknown>(end - begin);
    if (values instanceof Float32Array) {
      const floatOf = this.json ? floatJson : shortestFloat32;
      for (let i = begin; i < end; i++) made[i - begin] = floatOf(values[i]!);
    } else if (values instanceof BytesArray) {
      const { data, offsets } = values;
      const texts = this.bytes === 'auto' || this.bytes === 'text';
      for (let i = begin; i < end; i++) {
        // Without a view of the value, which costs more than its text.
        const text = texts ? shortText(data, offsets[i]!, offsets[i + 1]!) : undefined;
        made[i - begin] = text ?? this.#bytes(values.at(i)!);
      }
    } else {
      for (let i = begin; i < end; i++) made[i - begin] = this.scalar(values[i]);
    }
    return made;
  }

  #int64(value: bigint): unknown {
    if (this.int64 === 'bigint') return value;
    if (this.int64 === 'string') return String(value);
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new PlainFault(SAFE_INT64S, String(value), 'int64: "bigint" and int64: "string" give all');
  }

  #bytes(value: Uint8Array): unknown {
    this.#checkPresent(value);
    if (this.bytes === 'auto') return bytesJson(value);
    if (this.bytes === 'bytes') return new Uint8Array(value);
    const own = unsharedBytes(value);
    const { buffer, byteOffset, byteLength } = own;
    if (this.bytes === 'base64') return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
    if (isUtf8(own)) return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
    throw new PlainFault(
      'UTF-8, which bytes: "text" asks for',
      counted(byteLength, 'byte that is not', undefined, 'bytes that are not'),
      'bytes: "auto", "base64" and "bytes" give all',
    );
  }

  /** @throws TypeError for values whose memory is gone. JSON shows them as empty: test runners print broken copies. */
  #checkPresent(values: Column | ArrayLike<unknown>): void {
    if (values.length > 0 || this.json) return;
    if (types.isTypedArray(values)) givenLength('values', values);
  }
}

/** The form of `toJSON`. */
export const JSON_FORM = new PlainForm('string', 'auto', true);

const FORMS = new Map(
  INT64_FORMS.map((int64) => [int64, new Map(BYTES_FORMS.map((bytes) => [bytes, new PlainForm(int64, bytes)]))]),
);
const DEFAULT_FORM = FORMS.get('number')!.get('auto')!;

/** The form that `options` ask for. @throws TypeError */
export function plainForm(options: ObjectOptions | undefined): PlainForm {
  if (options === undefined) return DEFAULT_FORM;
  const { int64, bytes } = checkOptions<ObjectOptions>(options, ['int64', 'bytes']);
  return FORMS.get(checkChoice('options.int64', int64, INT64_FORMS, 'number'))!.get(
    checkChoice('options.bytes', bytes, BYTES_FORMS, 'auto'),
  )!;
}

/** A value of a class as plain values. @throws TFRecordError TFR_FEATURE, TypeError for options */
export function toPlain<T>(
  value: T,
  walk: (value: T, form: ValueForm<unknown>) => unknown,
  options: ObjectOptions | undefined,
): unknown {
  const form = plainForm(options);
  try {
    return walk(value, form);
  } catch (error) {
    throw plainError(error);
  }
}

/** A number that may or may not be a float32, in the fewest digits; whole numbers are already exact. */
function plainNumber(value: number): number {
  return Number.isSafeInteger(value) || Math.fround(value) !== value ? value : shortestFloat32(value);
}
