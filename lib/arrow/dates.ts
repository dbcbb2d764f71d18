/** Reads dates and times of Arrow as the numbers that are stored for them. */
import { types } from 'node:util';

import type { Data, DataType } from 'apache-arrow';

import { counted, viewOf } from '../base';
import { unsharedBytes } from '../io';
import type { DateType } from '../table';
import { malformed, isType } from './read-place';

/** The units of Arrow's times, by their numbers in the format. */
const UNITS = ['second', 'millisecond', 'microsecond', 'nanosecond'] as const;

/** The type of dates or times; undefined for other types. */
export function dateTypeOf(type: DataType): DateType | undefined {
  // Days, or milliseconds of midnights.
  if (isType(type, 'Date')) return { form: 'date', unit: type.unit === 0 ? 'day' : 'millisecond', isUTC: false };
  if (isType(type, 'Time')) return { form: 'time', unit: UNITS[type.unit]!, isUTC: false };
  if (!isType(type, 'Timestamp')) return undefined;
  const { unit, timezone } = type;
  // With a time zone, whatever its name, the numbers are in UTC.
  return { form: 'timestamp', unit: UNITS[unit]!, isUTC: typeof timezone === 'string' && timezone !== '' };
}

/** The numbers in `data`. @throws TFRecordError TFR_DECODE if there are too few */
export function dateNumbers(at: { readonly name: string }, data: Data): BigInt64Array {
  const { length, type } = data;
  const memory: unknown = data.values;
  const given = types.isTypedArray(memory) ? memory : undefined;
  const isShort = isType(type, 'Date') ? type.unit === 0 : isType(type, 'Time') && type.bitWidth === 32;
  const bytes = isShort ? 4 : 8;
  const count = Math.floor((given?.byteLength ?? 0) / bytes);
  if (count < length) throw malformed(at, `${count} of ${counted(length, 'value')}`);
  const stored = length === 0 ? new Uint8Array(0) : unsharedBytes(viewOf(given!, 0, length * bytes));
  // It may lie anywhere.
  const { buffer } = Uint8Array.from(stored);
  return bytes === 8 ? new BigInt64Array(buffer) : BigInt64Array.from(new Int32Array(buffer), BigInt);
}
