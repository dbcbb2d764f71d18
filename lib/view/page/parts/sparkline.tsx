import type { ComponentChildren } from 'preact';

const WIDTH = 600;
const HEIGHT = 48;
const MAX_POINTS = 600;

/** Draws many numbers as a line. */
export function Sparkline({ values }: { readonly values: readonly string[] }): ComponentChildren {
  const numbers = values.map(Number).filter(Number.isFinite);
  if (numbers.length < 2) return null;
  const step = Math.max(1, Math.ceil(numbers.length / MAX_POINTS));
  const points = numbers.filter((_, i) => i % step === 0);
  const low = points.reduce((a, b) => Math.min(a, b));
  const high = points.reduce((a, b) => Math.max(a, b));
  const range = high - low === 0 ? 1 : high - low;
  const path = points
    .map((value, i) => {
      const x = (i / (points.length - 1)) * WIDTH;
      const y = HEIGHT - 2 - ((value - low) / range) * (HEIGHT - 4);
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Line of ${numbers.length} values from ${low} to ${high}`}
    >
      <path d={path} fill="none" stroke="currentColor" stroke-width="1.5" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
