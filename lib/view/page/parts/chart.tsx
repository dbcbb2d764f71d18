import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

import { numberText } from '../format';
import { xText, type Range } from '../model/axes';
import {
  chartOf,
  draw,
  scaleOf,
  ticksOf,
  type Chart,
  type ChartSettings,
  type Pen,
  type RunLines,
} from '../model/chart';
import { nearest } from '../model/lines';

const HEIGHT = 220;
/** Share of the range that a key leaves. */
const CLOSER = 0.5;

interface LineChartProps {
  readonly tag: string;
  readonly runs: readonly RunLines[];
  readonly settings: ChartSettings;
}

/** The lines of runs, with a readout at the pointer or at a place that the arrow keys move. */
export function LineChart({ tag, runs, settings }: LineChartProps): ComponentChildren {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [zoom, setZoom] = useState<Range>();
  const [at, setAt] = useState<number>();
  const chart = chartOf(tag, runs, settings, zoom);
  const latest = useRef(chart);
  latest.current = chart;
  useEffect(() => {
    setZoom(undefined);
    setAt(undefined);
  }, [settings.axis, settings.logX]);

  useEffect(() => {
    const element = box.current!;
    const start = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(element, latest, setZoom, setAt), NO_DATA, element);
    };
    start();
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', start);
    return () => {
      scheme.removeEventListener('change', start);
      sized.disconnect();
      plot.current?.destroy();
    };
  }, [settings.logX, settings.logY]);
  // Data are set again, so that the ranges of the scales are asked for again.
  useLayoutEffect(() => plot.current?.setData(NO_DATA), [runs, settings, zoom]);

  const keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { xs } = runs[0]?.smooth ?? { xs: new Float64Array() };
    const move = (by: number): void => {
      const next = at === undefined ? (by > 0 ? 0 : xs.length - 1) : nearest(xs, at) + by;
      setAt(xs[Math.max(0, Math.min(xs.length - 1, next))]);
    };
    const closer = (share: number): void => {
      const [low, high] = chart.x;
      // A logarithmic axis may not begin at 0 or before.
      const from = settings.logX ? Math.log10(low) : low;
      const to = settings.logX ? Math.log10(high) : high;
      const middle = at === undefined ? (from + to) / 2 : settings.logX ? Math.log10(at) : at;
      const range = [middle - ((to - from) * share) / 2, middle + ((to - from) * share) / 2] as const;
      const next: Range = settings.logX ? [10 ** range[0], 10 ** range[1]] : range;
      if (next[0] < next[1] && next.every(Number.isFinite)) setZoom(next);
    };
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      Home: () => setAt(xs[0]),
      End: () => setAt(xs.at(-1)),
      '+': () => closer(CLOSER),
      '-': () => closer(1 / CLOSER),
      0: () => setZoom(undefined),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]!();
  };
  return (
    <>
      <div ref={box} class="line-chart" role="img" tabIndex={0} aria-label={described(chart)} onKeyDown={keyed} />
      <p class="readout" aria-live="polite">
        {at === undefined ? null : <Readout chart={chart} at={at} />}
      </p>
    </>
  );
}

/** The values of all runs near a place. */
function Readout({ chart: { runs, settings }, at }: { readonly chart: Chart; readonly at: number }): ComponentChildren {
  const first = runs[0]?.smooth.xs ?? new Float64Array();
  const place = first[nearest(first, at)];
  return (
    <>
      {place === undefined ? '' : xText(place, settings.axis)}
      {runs.map(({ run, look, smooth, raw }) => {
        const i = nearest(smooth.xs, at);
        if (i < 0) return null;
        const value = smooth.ys[i]!;
        const own = raw.ys[nearest(raw.xs, smooth.xs[i]!)]!;
        return (
          <span key={run}>
            <i class="swatch" style={{ background: `light-dark(${look.light}, ${look.dark})` }} /> {run}{' '}
            <b>{numberText(value)}</b>
            {settings.smoothing > 0 ? ` (${numberText(own)})` : ''}
          </span>
        );
      })}
    </>
  );
}

const LINEAR = 1;
const LOGARITHMIC = 3;
const NO_DATA: uPlot.AlignedData = [
  [0, 1],
  [null, null],
];

/** Ranges and ticks are those of the chart, and its lines are drawn here: each run has its own x. */
function optionsFor(
  element: HTMLElement,
  latest: { readonly current: Chart },
  setZoom: (zoom: Range | undefined) => void,
  setAt: (at: number | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const { logX, logY } = latest.current.settings;
  const ticks = (u: uPlot, side: 'x' | 'y'): ReturnType<typeof ticksOf>['x'] =>
    ticksOf(latest.current, u.bbox.width / devicePixelRatio, u.bbox.height / devicePixelRatio)[side];
  const axisOf = (side: 'x' | 'y', size: number): uPlot.Axis => ({
    stroke: color('--muted'),
    ticks: { show: false },
    font: `11px ${style.fontFamily}`,
    size,
    grid: { stroke: color('--line'), width: 1 },
    splits: (u) => ticks(u, side).map((tick) => tick.at),
    // uPlot leaves out splits of logarithmic axes otherwise.
    filter: (_, splits) => splits,
    values: (u, splits) => {
      const labels = new Map(ticks(u, side).map((tick) => [tick.at, tick.label]));
      return splits.map((split) => labels.get(split) ?? '');
    },
  });
  const scaled = (range: () => Range, isLog: boolean): uPlot.Scale => ({
    time: false,
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the enum exists in types only
    distr: isLog ? LOGARITHMIC : LINEAR,
    auto: true,
    range: () => [...range()],
  });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: { x: scaled(() => latest.current.x, logX), y: scaled(() => latest.current.y, logY) },
    axes: [axisOf('x', 26), axisOf('y', 56)],
    series: [{}, { show: true }],
    hooks: {
      draw: [(u) => drawLines(u, latest.current)],
      setSelect: [
        (u) => {
          if (u.select.width < 4) return;
          setZoom([u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x')]);
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      setCursor: [
        (u) => {
          const { left } = u.cursor;
          setAt(left === undefined || left < 0 ? undefined : u.posToVal(left, 'x'));
        },
      ],
      ready: [(u) => u.over.addEventListener('dblclick', () => setZoom(undefined))],
    },
  };
}

const FAINT = 0.25;

function drawLines(u: uPlot, { runs, settings, x, y }: Chart): void {
  const { ctx, bbox } = u;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const toX = scaleOf(x, settings.logX, bbox.left, bbox.left + bbox.width);
  const toY = scaleOf(y, settings.logY, bbox.top + bbox.height, bbox.top);
  const width = 1.5 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineWidth = width;
  ctx.lineJoin = 'round';
  for (const { look, raw, smooth } of runs) {
    ctx.strokeStyle = ctx.fillStyle = isDark ? look.dark : look.light;
    ctx.setLineDash(look.dash.map((length) => length * devicePixelRatio));
    for (const [line, alpha] of settings.smoothing > 0
      ? ([
          [raw, FAINT],
          [smooth, 1],
        ] as const)
      : ([[raw, 1]] as const)) {
      ctx.globalAlpha = alpha;
      ctx.beginPath();
      const dots: (readonly [number, number])[] = [];
      const pen: Pen = {
        move: (atX, atY) => ctx.moveTo(atX, atY),
        line: (atX, atY) => ctx.lineTo(atX, atY),
        dot: (atX, atY) => void dots.push([atX, atY]),
      };
      draw(line, settings, pen, toX, toY);
      ctx.stroke();
      for (const [atX, atY] of dots) {
        ctx.beginPath();
        ctx.arc(atX, atY, 1.5 * width, 0, 2 * Math.PI);
        ctx.fill();
      }
    }
  }
  ctx.restore();
}

/** Names more runs than this are counted only. */
const FEW_RUNS = 8;

function described({ tag, runs, settings, x }: Chart): string {
  const lasts = runs.slice(0, FEW_RUNS).map(({ run, raw }) => `${run} ends at ${numberText(raw.ys.at(-1) ?? NaN)}`);
  const more = runs.length > FEW_RUNS ? `, and ${runs.length - FEW_RUNS} more runs` : '';
  const range = x.map((end) => xText(end, settings.axis)).join(' to ');
  return `Curves of ${tag}, ${range}: ${lasts.join(', ')}${more}. Left and Right read values, plus and minus zoom.`;
}
