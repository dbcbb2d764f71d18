/** A chart as a file of SVG, which stands alone: on white ground, with a legend. */
import { draw, scaleOf, ticksOf, type Chart, type Pen } from './chart';
import type { Line } from './lines';

const WIDTH = 800;
const PLOT = { left: 64, right: 784, top: 40, bottom: 380 } as const;
const LEGEND_TOP = 424;
const LEGEND_LINE = 20;

/** Returns the text of the file. Names are text, whatever they contain. */
export function svgOf(chart: Chart): string {
  const { tag, settings, runs } = chart;
  const x = scaleOf(chart.x, settings.logX, PLOT.left, PLOT.right);
  const y = scaleOf(chart.y, settings.logY, PLOT.bottom, PLOT.top);
  const ticks = ticksOf(chart, PLOT.right - PLOT.left, PLOT.bottom - PLOT.top);
  const height = LEGEND_TOP + LEGEND_LINE * runs.length;
  const grid = [
    ...ticks.x.map(({ at, label }) => {
      const place = fixed(x(at));
      return (
        `<path d="M${place} ${PLOT.top}V${PLOT.bottom}" stroke="#dde1e8"/>` +
        `<text x="${place}" y="${PLOT.bottom + 18}" text-anchor="middle">${escaped(label)}</text>`
      );
    }),
    ...ticks.y.map(({ at, label }) => {
      const place = fixed(y(at));
      return (
        `<path d="M${PLOT.left} ${place}H${PLOT.right}" stroke="#dde1e8"/>` +
        `<text x="${PLOT.left - 8}" y="${place}" dy="0.35em" text-anchor="end">${escaped(label)}</text>`
      );
    }),
  ];
  const lines = runs.flatMap(({ look, raw, smooth }) => {
    const style = `fill="none" stroke="${look.light}" stroke-linejoin="round"`;
    const dash = look.dash.length === 0 ? '' : ` stroke-dasharray="${look.dash.join(' ')}"`;
    const path = (line: Line, more: string): string =>
      `<path d="${pathOf(line, chart, x, y)}" ${style}${dash} stroke-width="1.5" stroke-linecap="round"${more}/>`;
    return settings.smoothing > 0 ? [path(raw, ' opacity="0.25"'), path(smooth, '')] : [path(raw, '')];
  });
  const legend = runs.map(({ run, look }, i) => {
    const top = LEGEND_TOP + LEGEND_LINE * i;
    const dash = look.dash.length === 0 ? '' : ` stroke-dasharray="${look.dash.join(' ')}"`;
    return (
      `<path d="M${PLOT.left} ${top}h24" stroke="${look.light}" stroke-width="2"${dash}/>` +
      `<text x="${PLOT.left + 32}" y="${top}" dy="0.35em">${escaped(run)}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"` +
      ' font-family="system-ui, sans-serif" font-size="12" fill="#1a1f29">',
    `<title>${escaped(tag)}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<text x="${PLOT.left}" y="24" font-size="15" font-weight="600">${escaped(tag)}</text>`,
    ...grid,
    `<clipPath id="plot"><rect x="${PLOT.left}" y="${PLOT.top}" width="${PLOT.right - PLOT.left}" height="${PLOT.bottom - PLOT.top}"/></clipPath>`,
    `<g clip-path="url(#plot)">`,
    ...lines,
    '</g>',
    ...legend,
    '</svg>\n',
  ].join('\n');
}

function pathOf(line: Line, { settings }: Chart, x: (value: number) => number, y: (value: number) => number): string {
  const parts: string[] = [];
  const pen: Pen = {
    move: (atX, atY) => parts.push(`M${fixed(atX)} ${fixed(atY)}`),
    line: (atX, atY) => parts.push(`L${fixed(atX)} ${fixed(atY)}`),
    // A line without length: its round ends are a dot.
    dot: (atX, atY) => parts.push(`M${fixed(atX)} ${fixed(atY)}h0`),
  };
  draw(line, settings, pen, x, y);
  return parts.join('');
}

/** Far beyond the plot; numbers of some programs are float32. */
const FARTHEST = 1e6;

function fixed(place: number): string {
  return String(Number(Math.max(-FARTHEST, Math.min(FARTHEST, place)).toFixed(2)));
}

/** Returns `text` for XML, which has no letters for most control characters and for single surrogates. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
