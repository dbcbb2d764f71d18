/** Converts dates and times of other formats to int64, or to text. */
import { TextEncoder } from 'node:util';

import { setting, worded, type Text } from '../base';

/** The meaning of the numbers in a column of dates or times. */
export interface DateType {
  /** `time`: time of day, counted from midnight. The others count from 1970-01-01T00:00. */
  readonly form: 'date' | 'timestamp' | 'time';
  readonly unit: 'day' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond';
  /** True for times in UTC. Others are local times of an unknown place. */
  readonly isUTC: boolean;
}

/** Called for value `item`, which cannot be converted. Throws, or returns to continue with any value. */
export type RefuseDate = (item: number, expected: string, found: string, cure: Text) => void;

/** Number of units in a second. */
const PER_SECOND = { second: 1n, millisecond: 1000n, microsecond: 1_000_000n, nanosecond: 1_000_000_000n } as const;
const DAY_SECONDS = 86_400n;
const MICROSECONDS = 1_000_000n;
/** The latest second that JavaScript's `Date` supports. The next line has the earliest. */
const MAX_SECONDS = 8_640_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;

/** Converts `values` to microseconds. */
export function microsecondsOf(
  values: BigInt64Array,
  { unit }: DateType,
  refuse: RefuseDate,
): BigInt64Array<ArrayBuffer> {
  const made = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const micros =
      unit === 'nanosecond'
        ? value / 1000n
        : value * (unit === 'day' ? DAY_SECONDS * MICROSECONDS : MICROSECONDS / PER_SECOND[unit]);
    if (unit === 'nanosecond' && value % 1000n !== 0n) {
      refuse(i, 'whole microseconds', `${value} nanoseconds`, worded`${setting('dates', 'text')} keeps them`);
    } else if (micros > MAX_INT64 || micros < -MAX_INT64 || isInfinite(value, unit)) {
      refuse(i, 'a time that int64 has microseconds for', `${value} (${unit}s)`, 'Leave the column out');
    } else made[i] = micros;
  }
  return made;
}

/**
 * Converts `values` to ISO 8601, in the form of Python's `isoformat`: `2024-01-02`, `2024-01-02T03:04:05`; a fraction,
 * if not 0, has 6 digits, or 9 for nanoseconds; UTC has `+00:00`.
 */
export function isoTexts(
  values: BigInt64Array,
  type: DateType,
  refuse: RefuseDate,
): { readonly values: Uint8Array<ArrayBuffer>; readonly offsets: Int32Array<ArrayBuffer> } {
  const offsets = new Int32Array(values.length + 1);
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const iso = isInfinite(values[i]!, type.unit) ? undefined : isoText(values[i]!, type);
    if (iso === undefined) refuse(i, 'a date of ISO 8601', `${values[i]!} (${type.unit}s)`, 'Leave the column out');
    text += iso ?? '';
    // The text is ASCII: one byte per character.
    offsets[i + 1] = text.length;
  }
  return { values: new TextEncoder().encode(text), offsets };
}

/** True for the infinite dates of DuckDB and PostgreSQL. */
function isInfinite(value: bigint, unit: DateType['unit']): boolean {
  return unit !== 'day' && (value >= MAX_INT64 || value <= -MAX_INT64);
}

/** The text of a date or time; undefined if `Date` does not support it. */
function isoText(value: bigint, { form, unit, isUTC }: DateType): string | undefined {
  const perSecond = unit === 'day' ? 1n : PER_SECOND[unit];
  const seconds = unit === 'day' ? value * DAY_SECONDS : floorDivide(value, perSecond);
  if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS) return undefined;
  const fraction = unit === 'day' ? 0n : value - seconds * perSecond;
  const [date = '', time = ''] = new Date(Number(seconds) * 1000).toISOString().slice(0, -5).split('T');
  if (form === 'date') return date;
  const width = unit === 'nanosecond' ? 9 : 6;
  const scale = 10n ** BigInt(width) / perSecond;
  const digits = fraction === 0n ? '' : `.${String(fraction * scale).padStart(width, '0')}`;
  return `${form === 'time' ? '' : `${date}T`}${time}${digits}${isUTC ? '+00:00' : ''}`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const whole = value / by;
  return whole * by > value ? whole - 1n : whole;
}
