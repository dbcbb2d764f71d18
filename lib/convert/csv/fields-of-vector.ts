/** Converts the values of a column to fields for csv-stringify. */
import { isAscii } from 'node:buffer';

import { counted } from '../../base';
import type { Vector } from '../../table';
import { isSet, sizeOf } from '../../tensor';
import { literalKind } from './literals';
import { isText } from './row-splitter';

/** Text that readers would take for a number, if it had no quotes. */
export interface QuotedText {
  readonly quoted: string;
}

/** The value of a field; null for a missing value. */
export type Field = string | bigint | number | QuotedText | null;

/** The reason why a value cannot be in a field. */
export class FieldFault extends Error {
  constructor(
    readonly expected: string,
    readonly found: string,
    readonly code: 'TFR_FEATURE' | 'TFR_RECORD_TOO_LARGE' = 'TFR_FEATURE',
  ) {
    super(`${found}; expected ${expected}`);
  }
}

/** Maximum length of a row's text. Quotes may double it, and Node limits the length of strings. */
export const MAX_ROW = 2 ** 27;

/** The fault of a row of about `characters` characters. */
export function tooLong(characters: number): FieldFault {
  return new FieldFault(`at most ${MAX_ROW} characters`, `has ${characters}`, 'TFR_RECORD_TOO_LARGE');
}

/** Returns a function that returns the field of a row. It throws {@link FieldFault}. */
export function fieldsOf(vector: Vector): (row: number) => Field {
  const { validity, values, offsets } = vector;
  const valueOf =
    offsets === undefined
      ? numbersOf(values)
      : textsOf(Buffer.from(values.buffer, values.byteOffset, values.byteLength), offsets);
  const placeOf = placesOf(vector);
  return (row) => {
    return isSet(validity, row) ? valueOf(placeOf(row)) : null;
  };
}

function numbersOf(values: Vector['values']): (at: number) => Field {
  return (at) => values[at]!;
}

/** Returns a function that returns the index of a row's only value. */
function placesOf({ column: { shape }, splits }: Vector): (row: number) => number {
  if (shape !== undefined && sizeOf(shape) === 1) return (row) => row;
  return (row) => {
    const begin = splits![row]!;
    const count = splits![row + 1]! - begin;
    if (count === 1) return begin;
    if (count > 1) throw new FieldFault('one value', `has ${count} values`);
    throw new FieldFault('one value, or no feature', 'is present, but has no value');
  };
}

function textsOf(data: Buffer, offsets: Int32Array): (at: number) => Field {
  const used = data.subarray(0, offsets.at(-1));
  const isPlain = isAscii(used) && !used.includes(0);
  return (at) => {
    const start = offsets[at]!;
    const end = offsets[at + 1]!;
    if (end - start > MAX_ROW) throw tooLong(end - start);
    if (!isPlain && !isText(data.subarray(start, end))) {
      throw new FieldFault(
        'text: UTF-8 without NUL',
        `has ${counted(end - start, 'byte that is', undefined, 'bytes that are')} not text`,
      );
    }
    const text = isPlain ? data.toString('latin1', start, end) : data.toString('utf8', start, end);
    return literalKind(data, start, end) === 'bytes' ? text : { quoted: text };
  };
}
