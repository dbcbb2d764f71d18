/** Dates and times of other formats as int64, or as text. */
import { TextEncoder } from 'node:util';

import { setting, worded, type Text } from '../base';

/** The numbers that a column of dates or times stores. */
export interface DateType {
  /** `time`: of a day, from midnight on. Others count from 1970-01-01T00:00. */
  readonly form: 'date' | 'timestamp' | 'time';
  readonly unit: 'day' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond';
  /** True if the times are those of UTC. Others are of a place that the file does not name. */
  readonly isUTC: boolean;
}

/** Reports value `item`, which cannot be converted. Returns if that does not matter. */
export type RefuseDate = (item: number, expected: string, found: string, cure: Text) => void;

/** Units in a second, or seconds in a unit. */
const PER_SECOND = { second: 1n, millisecond: 1000n, microsecond: 1_000_000n, nanosecond: 1_000_000_000n } as const;
const DAY_SECONDS = 86_400n;
const MICROSECONDS = 1_000_000n;
/** The latest second that JavaScript's `Date` has, and the earliest. */
const MAX_SECONDS = 8_640_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;

/** The values as microseconds. */
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
 * The values as ISO 8601, in the form of Python's `isoformat`: `2024-01-02`, `2024-01-02T03:04:05`, with a fraction of
 * 6 or, for nanoseconds, 9 digits if there is one, and `+00:00` for UTC.
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
    // ASCII: a byte each.
    offsets[i + 1] = text.length;
  }
  return { values: new TextEncoder().encode(text), offsets };
}

/** DuckDB and PostgreSQL have infinite dates. */
function isInfinite(value: bigint, unit: DateType['unit']): boolean {
  return unit !== 'day' && (value >= MAX_INT64 || value <= -MAX_INT64);
}

/** Undefined for a time that `Date` does not have. */
function isoText(value: bigint, { form, unit, isUTC }: DateType): string | undefined {
  const perSecond = unit === 'day' ? 1n : PER_SECOND[unit];
  const seconds = unit === 'day' ? value * DAY_SECONDS : floorDivide(value, perSecond);
  if (seconds > MAX_SECONDS || seconds < -MAX_SECONDS) return undefined;
  const fraction = unit === 'day' ? 0n : value - seconds * perSecond;
  const [date, time] = new Date(Number(seconds) * 1000).toISOString().slice(0, -5).split('T') as [string, string];
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
