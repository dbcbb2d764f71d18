import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

import type { Bucket } from '../../protocol';
import { numberText } from '../format';

const HEIGHT = 132;

/** A histogram of a feature's numbers, drawn when it becomes visible. */
export function Histogram({
  name,
  buckets,
}: {
  readonly name: string;
  readonly buckets: readonly Bucket[];
}): ComponentChildren {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element, buckets), dataOf(buckets), element);
    };
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      seen.disconnect();
      draw();
    });
    seen.observe(element);
    const sized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => {
      if (plot !== undefined) draw();
    };
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      seen.disconnect();
      sized.disconnect();
      plot?.destroy();
    };
  }, [buckets]);
  return <div ref={box} class="histogram" role="img" aria-label={described(name, buckets)} />;
}

function dataOf(buckets: readonly Bucket[]): uPlot.AlignedData {
  return [buckets.map(({ low, high }) => (low + high) / 2), buckets.map(({ count }) => count)];
}

/** Returns the end of the axis; a single value gets a width, too. */
function edge(buckets: readonly Bucket[]): number {
  const [low, high] = [buckets[0]?.low ?? 0, buckets.at(-1)?.high ?? 0];
  return high > low ? high : low + 1;
}

function optionsFor(element: HTMLElement, buckets: readonly Bucket[]): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--muted'), ticks: { show: false }, font: `11px ${style.fontFamily}` };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [buckets[0]?.low ?? 0, edge(buckets)] },
      y: { range: (_, __, max) => [0, max === 0 ? 1 : max * 1.05] },
    },
    axes: [
      { ...axis, size: 24, grid: { show: false }, values: (_, ticks) => ticks.map(numberText) },
      {
        ...axis,
        size: 54,
        space: 36,
        grid: { stroke: color('--line'), width: 1 },
        values: (_, ticks) => ticks.map((tick) => compact.format(tick)),
      },
    ],
    series: [
      {},
      {
        fill: color('--bar'),
        stroke: color('--bar'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.92, 100] }),
      },
    ],
  };
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

function described(name: string, buckets: readonly Bucket[]): string {
  const most = buckets.reduce((a, b) => (b.count > a.count ? b : a), buckets[0] ?? { low: 0, high: 0, count: 0 });
  const [first, last] = [buckets[0]?.low ?? 0, buckets.at(-1)?.high ?? 0];
  return (
    `Histogram of ${name} from ${numberText(first)} to ${numberText(last)}. ` +
    `Most values, ${numberText(Math.round(most.count))}, are from ${numberText(most.low)} to ${numberText(most.high)}.`
  );
}
