/** The classes of values, for code that handles values of any class. */
import type { Bytes } from '../base';
import { BytesArray } from './bytes-array';
import { joinColumns } from './column';
import { DENSE } from './dense-tensor';
import { NULLABLE } from './nullable-column';
import { RAGGED } from './ragged-tensor';
import { SPARSE } from './sparse-tensor';
import type { ValueClass } from './value-class';

/** The class of byte strings. */
export const BYTES: ValueClass<BytesArray, { data: Bytes; offsets: Int32Array }> = {
  name: 'BytesArray',
  class: BytesArray,
  rows: ({ length }) => length,
  row: (column, row) => column.at(row),
  join: (parts) => joinColumns(parts) as BytesArray,
  dense: (data) => ({ dtype: 'bytes', shape: [data.length], data }),
  walk: (data, form) => form.dense(data, [data.length], 0),
  parts({ data, offsets }) {
    // Without the bytes before and after the values.
    const first = offsets[0]!;
    return {
      data: data.subarray(first, offsets.at(-1)),
      offsets: first === 0 ? offsets : offsets.map((offset) => offset - first),
    };
  },
  make: ({ data, offsets }) => new BytesArray(data, offsets),
};

/** The classes of values. Values without a class of ours are typed arrays of numbers. */
export const CLASSES: readonly ValueClass[] = [BYTES, DENSE, SPARSE, RAGGED, NULLABLE];

const BY_PROTOTYPE = new Map<unknown, ValueClass>(CLASSES.map((each) => [each.class.prototype, each]));

/** Returns the class of `value`; undefined for other values. */
export function classOf(value: object): ValueClass | undefined {
  const known = BY_PROTOTYPE.get(Object.getPrototypeOf(value));
  if (known !== undefined) return known;
  for (const each of CLASSES) if (value instanceof each.class) return each;
  return undefined;
}
