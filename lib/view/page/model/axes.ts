/** Ranges, ticks and labels of the axes of charts. */
import { numberText } from '../format';
import type { Line, XAxis } from './lines';

export type Range = readonly [low: number, high: number];

/** Finite, and so is the difference of two of them. */
const FARTHEST = 8e307;
/** The least number of a logarithmic axis. */
const LEAST = 1e-300;

/** Returns the range of the points of `lines` that an axis can show; the whole of x, or y with some room. */
export function rangeOf(lines: readonly Line[], of: 'xs' | 'ys', isLog: boolean): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const line of lines) {
    for (const value of line[of]) {
      if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return isLog ? [1, 10] : [0, 1];
  const least = isLog ? LEAST : -FARTHEST;
  [low, high] = [low, high].map((end) => Math.max(least, Math.min(FARTHEST, end))) as [number, number];
  if (isLog) {
    const room = of === 'xs' ? 1 : (high / low) ** 0.05;
    return low === high ? [low / 2, high * 2] : [low / room, Math.min(FARTHEST, high * room)];
  }
  const room = low === high ? Math.abs(low) / 10 || 1 : of === 'xs' ? 0 : (high - low) * 0.05;
  return [low - room, high + room];
}

/** A place of an axis that has a label. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Returns about `most` ticks for numbers. */
export function numberTicks([low, high]: Range, most: number, isLog: boolean): Tick[] {
  const places = isLog ? logPlaces(low, high, most) : places10(low, high, most);
  return places.map((at) => ({ at, label: tickText(at) }));
}

/** Returns about `most` ticks for the x axis. */
export function xTicks(range: Range, most: number, axis: XAxis, isLog: boolean): Tick[] {
  if (axis === 'step' || (axis === 'time' && isLog)) return numberTicks(range, most, isLog);
  if (axis === 'time') return timeTicks(range, most);
  const [size, name] = UNITS.find(([each]) => range[1] >= 2 * each) ?? UNITS.at(-1)!;
  const [low, high] = [range[0] / size, range[1] / size];
  const places = isLog ? logPlaces(low, high, most) : places10(low, high, most);
  return places.map((at) => ({ at: at * size, label: `${tickText(at)} ${name}` }));
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [1, 's'],
] as const;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

function tickText(value: number): string {
  const size = Math.abs(value);
  return size >= 10_000 && size < 1e12 ? compact.format(value) : numberText(Number(value.toPrecision(12)));
}

/** The multiples from `low` to `high` of 1, 2 or 5 times a power of ten. */
function places10(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  return multiples(low, high, step, 0);
}

function multiples(low: number, high: number, step: number, offset: number): number[] {
  const places: number[] = [];
  const first = Math.ceil((low - offset) / step);
  // A range that is much smaller than its ends has no multiples, or always the same one.
  for (let i = 0; i < MAX_TICKS; i++) {
    const at = (first + i) * step + offset;
    if (!(at <= high)) break;
    if (at !== places.at(-1)) places.push(at);
  }
  return places;
}

const MAX_TICKS = 50;

function logPlaces(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((last - first) / most));
  const factors = last - first <= 2 ? [1, 2, 5] : [1];
  const places: number[] = [];
  for (let power = first; power <= last; power += every) {
    for (const factor of factors) {
      const at = Number(`${factor}e${power}`);
      if (at >= low && at <= high) places.push(at);
    }
  }
  return places.length >= 2 ? places : places10(low, high, most).filter((at) => at > 0);
}

/** Steps of less than a day, in seconds. */
const TIME_STEPS = [1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((step) => step * MINUTE)].concat(
  [1, 2, 3, 6, 12].map((step) => step * HOUR),
);

/** Ticks at full seconds, minutes, hours and days of the local time. */
function timeTicks([low, high]: Range, most: number): Tick[] {
  const rough = (high - low) / most;
  const days = Math.max(1, Math.ceil(rough / DAY));
  const step = TIME_STEPS.find((each) => each >= rough) ?? days * DAY;
  const offset = new Date(low * 1000).getTimezoneOffset() * MINUTE;
  const places = Number.isFinite(offset) ? multiples(low, high, step, offset) : [];
  return places.map((at) => ({ at, label: timeText(at, step) }));
}

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const minute = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const second = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });

function timeText(seconds: number, step: number): string {
  const date = new Date(seconds * 1000);
  if (!Number.isFinite(date.getTime())) return numberText(seconds);
  return (step >= DAY ? day : step >= MINUTE ? minute : second).format(date);
}

const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });

/** Returns `step 1,200`, a duration or a time, for people. */
export function xText(x: number, axis: XAxis): string {
  if (axis === 'step') return `step ${numberText(x)}`;
  if (axis === 'relative') {
    const [size, name] = UNITS.find(([each]) => x >= each) ?? UNITS.at(-1)!;
    return `after ${numberText(Number((x / size).toPrecision(4)))} ${name}`;
  }
  const date = new Date(x * 1000);
  return Number.isFinite(date.getTime()) ? whole.format(date) : numberText(x);
}
