/**
 * Converts columns and tensors to plain values: arrays, numbers and strings. Used by `toObject`, and by `toJSON` with
 * the settings of JSON.
 */
import { BytesArray } from './bytes-array';
import type { Column } from './column';
import { floatJson, numberJson, shortestFloat32 } from './json';
import { allocateDense } from './limits';
import {
  BYTES_FORMS,
  checkForms,
  checkPresent,
  INT64_FORMS,
  plainBytes,
  plainError,
  PlainFault,
  plainStrings,
  SAFE_INT64S,
  type BytesForm,
  type Int64Form,
  type ObjectOptions,
} from './plain-forms';
import type { Shape } from './types';
import type { ValueForm } from './value-class';

/** Makes plain values, for objects or for JSON. */
export class PlainForm implements ValueForm<unknown> {
  /** True for `toJSON`: NaN, infinities and -0 become strings, int64 values strings of digits. */
  readonly json: boolean;
  readonly int64: Int64Form;
  readonly bytes: BytesForm;

  constructor(int64: Int64Form, bytes: BytesForm, json = false) {
    this.json = json;
    this.int64 = int64;
    this.bytes = bytes;
  }

  /** Converts a single value; returns values of other types unchanged. */
  scalar(value: unknown): unknown {
    switch (typeof value) {
      case 'number':
        return this.json ? numberJson(value) : plainNumber(value);
      case 'bigint':
        return this.#int64(value);
      default:
        return value instanceof Uint8Array ? plainBytes(value, this.bytes, this.json) : value;
    }
  }

  /** Converts the values of a column, of a typed array of numbers, or of a list. */
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
    if (values instanceof BytesArray) return plainStrings(values, begin, end, this.bytes, this.json);
    const made = new Array<unknown>(end - begin);
    if (values instanceof Float32Array) {
      const floatOf = this.json ? floatJson : shortestFloat32;
      for (let i = begin; i < end; i++) made[i - begin] = floatOf(values[i]!);
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

  /**
   * @throws TypeError for values whose memory was transferred; but JSON shows them as empty, because test runners print
   * broken copies
   */
  #checkPresent(values: Column | ArrayLike<unknown>): void {
    if (!this.json) checkPresent(values);
  }
}

/** The form of `toJSON`. */
export const JSON_FORM = new PlainForm('string', 'auto', true);

const FORMS = new Map(
  INT64_FORMS.map((int64) => [int64, new Map(BYTES_FORMS.map((bytes) => [bytes, new PlainForm(int64, bytes)]))]),
);
const DEFAULT_FORM = FORMS.get('number')!.get('auto')!;

/** Returns the form that `options` select. @throws TypeError */
export function plainForm(options: ObjectOptions | undefined): PlainForm {
  if (options === undefined) return DEFAULT_FORM;
  const { int64, bytes } = checkForms(options);
  return FORMS.get(int64)!.get(bytes)!;
}

/** Converts a value of a class to plain values. @throws TFRecordError TFR_FEATURE; TypeError for invalid options */
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

/** Returns a number, which may be a float32 or a double, with the fewest digits; integers are already exact. */
function plainNumber(value: number): number {
  return Number.isSafeInteger(value) || Math.fround(value) !== value ? value : shortestFloat32(value);
}
