/** A chart as data: lines, ranges and ticks, which the canvas and the SVG draw. */
import { numberTicks, rangeOf, xTicks, type Range, type Tick } from './axes';
import { rawLine, smoothLine, type Buckets, type Line, type XAxis } from './lines';
import type { RunLook } from './run-colors';

/** The settings of all charts. */
export interface ChartSettings {
  readonly axis: XAxis;
  /** Weight of the moving average, from 0 (none) to less than 1. */
  readonly smoothing: number;
  readonly logX: boolean;
  readonly logY: boolean;
}

/** The lines of one run. */
export interface RunLines {
  readonly run: string;
  readonly look: RunLook;
  readonly raw: Line;
  /** One point for each bucket: the raw values if they are not smoothed. */
  readonly smooth: Line;
}

export interface Chart {
  readonly tag: string;
  readonly settings: ChartSettings;
  readonly runs: readonly RunLines[];
  readonly x: Range;
  readonly y: Range;
}

/** Lines of buckets, which are replaced when they change. */
const known = new WeakMap<Buckets, { readonly key: string; readonly raw: Line; readonly smooth: Line }>();

/** Returns the lines of `buckets`. */
export function linesOf(buckets: Buckets, { axis, smoothing }: ChartSettings): { raw: Line; smooth: Line } {
  const key = `${axis} ${smoothing}`;
  let lines = known.get(buckets);
  if (lines?.key !== key) {
    lines = { key, raw: rawLine(buckets, axis), smooth: smoothLine(buckets, axis, smoothing) };
    known.set(buckets, lines);
  }
  return lines;
}

/** Returns the chart of `runs`. @param zoom the part of the x axis to show. Default: all */
export function chartOf(tag: string, runs: readonly RunLines[], settings: ChartSettings, zoom?: Range): Chart {
  const raws = runs.map(({ raw }) => raw);
  const x = zoom ?? rangeOf(raws, 'xs', settings.logX);
  const shown = zoom === undefined ? raws : raws.map((line) => within(line, zoom));
  return { tag, settings, runs, x, y: rangeOf(shown, 'ys', settings.logY) };
}

/** Returns the ticks of both axes. `width` and `height` in pixels. */
export function ticksOf({ settings, x, y }: Chart, width: number, height: number): { x: Tick[]; y: Tick[] } {
  return {
    x: xTicks(x, Math.max(2, width / 70), settings.axis, settings.logX),
    y: numberTicks(y, Math.max(2, height / 34), settings.logY),
  };
}

function within({ xs, ys }: Line, [low, high]: Range): Line {
  const from = xs.findIndex((x) => x >= low);
  const end = xs.findLastIndex((x) => x <= high) + 1;
  return from < 0 || from >= end
    ? { xs: xs.subarray(0, 0), ys }
    : { xs: xs.subarray(from, end), ys: ys.subarray(from, end) };
}

/** The drawing of a line, in pixels. */
export interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  /** Called for a point without neighbours. */
  dot(x: number, y: number): void;
}

/** Draws `line`, with breaks at gaps and at points that a logarithmic axis cannot show. */
export function draw(
  { xs, ys }: Line,
  { logX, logY }: ChartSettings,
  pen: Pen,
  toX: (x: number) => number,
  toY: (y: number) => number,
): void {
  const isThere = (i: number): boolean =>
    i >= 0 && i < xs.length && Number.isFinite(ys[i]) && (!logX || xs[i]! > 0) && (!logY || ys[i]! > 0);
  let before = false;
  let here = isThere(0);
  for (let i = 0; i < xs.length; i++) {
    const after = isThere(i + 1);
    if (here) {
      const [x, y] = [toX(xs[i]!), toY(ys[i]!)];
      if (before) pen.line(x, y);
      else if (after) pen.move(x, y);
      else pen.dot(x, y);
    }
    [before, here] = [here, after];
  }
}

/** Returns the function that maps `range` to the pixels from `from` to `to`. */
export function scaleOf([low, high]: Range, isLog: boolean, from: number, to: number): (value: number) => number {
  const map = isLog ? Math.log10 : (value: number): number => value;
  const [first, last] = [map(low), map(high)];
  return (value) => from + ((map(value) - first) / (last - first)) * (to - from);
}
