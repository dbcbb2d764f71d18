/** Dates and times of Arrow, as the numbers that they are stored as. */
import type { Data, DataType } from 'apache-arrow';

import { counted, viewOf } from '../base';
import { unsharedBytes } from '../io';
import type { DateType } from '../table';
import { malformed, typeId, TYPES } from './read-place';

/** The units of Arrow's times, by their numbers. */
const UNITS = ['second', 'millisecond', 'microsecond', 'nanosecond'] as const;

/** The type of dates or times; undefined for other types. */
export function dateTypeOf(type: DataType): DateType | undefined {
  const { unit, timezone } = type as unknown as { unit: number; timezone?: string | null };
  switch (typeId(type)) {
    case TYPES.Date:
      // Days, or milliseconds of midnights.
      return { form: 'date', unit: unit === 0 ? 'day' : 'millisecond', isUTC: false };
    case TYPES.Time:
      return { form: 'time', unit: UNITS[unit]!, isUTC: false };
    case TYPES.Timestamp:
      // With a time zone of any name the numbers are those of UTC.
      return { form: 'timestamp', unit: UNITS[unit]!, isUTC: typeof timezone === 'string' && timezone !== '' };
  }
  return undefined;
}

/** The numbers of `data`. @throws TFRecordError TFR_DECODE for too few of them */
export function dateNumbers(at: { readonly name: string }, data: Data): BigInt64Array {
  const { length, type } = data;
  const given = data.values as NodeJS.TypedArray | undefined;
  const { unit, bitWidth } = type as unknown as { unit: number; bitWidth?: number };
  const bytes = (typeId(type) === TYPES.Date && unit === 0) || bitWidth === 32 ? 4 : 8;
  const count = Math.floor((given?.byteLength ?? 0) / bytes);
  if (count < length) throw malformed(at, `${count} of ${counted(length, 'value')}`);
  const stored = length === 0 ? new Uint8Array(0) : unsharedBytes(viewOf(given!, 0, length * bytes));
  // It may lie anywhere.
  const { buffer } = Uint8Array.from(stored);
  return bytes === 8 ? new BigInt64Array(buffer) : BigInt64Array.from(new Int32Array(buffer), BigInt);
}
