import type { Streams } from './streams';

/** Narrowest column. */
const NARROWEST = 8;
/** Spaces between columns. */
const GAP = 2;

/**
 * Returns a table that fits the window, if `stdout` is a terminal: columns that are too wide for it are cut, the widest
 * first, and end with …. Numbers, in columns `right`, are aligned at the right. Cells are safe for one line: `lineText`.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right, stdout }: { readonly right: readonly number[]; readonly stdout: Streams['stdout'] },
): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for tables
  const Table = require('cli-table3') as typeof import('cli-table3');
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column]!))));
  const window = stdout.isTTY === true ? (stdout.columns ?? Infinity) : Infinity;
  fit(widths, window - GAP * (head.length - 1));
  const table = new Table({
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: widths,
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
  });
  table.push(...lines.map((line) => [...line]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const NO_BORDERS = {
  ...Object.fromEntries(
    ['top', 'bottom', 'mid'].flatMap((name) => [name, `${name}-mid`, ...cornersOf(name)].map((part) => [part, ''])),
  ),
  left: '',
  'left-mid': '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

function cornersOf(name: string): string[] {
  return [`${name}-left`, `${name}-right`];
}

/** Number of characters that a terminal shows: wide ones count twice, as cli-table3 has it. */
function widthOf(text: string): number {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- as above
  const { strlen } = require('cli-table3/src/utils') as { strlen: (text: string) => number };
  return strlen(text);
}

/** Makes the widest columns narrower, until all fit in `total` or none can be narrower. */
function fit(widths: number[], total: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - total;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return;
    const column = widths.indexOf(widest);
    const second = Math.max(NARROWEST, ...widths.filter((width) => width < widest));
    const less = Math.min(excess, Math.max(1, widest - second));
    widths[column] = widest - less;
    excess -= less;
  }
}
