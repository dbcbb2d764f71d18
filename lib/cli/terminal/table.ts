/** Formats tables for a terminal. */
import { onDemand } from '../on-demand';
import type { Streams } from './streams';

/** Minimum width of a column that is cut, in characters. */
const NARROWEST = 8;
/** Number of spaces between columns without a frame. */
const GAP = 2;
/** Number of spaces in a framed cell, on both sides together. */
const PADDING = 2;

/** The look of a table. */
interface TableLook {
  /** Indices of columns that are aligned right, such as numbers. Default: none. */
  readonly right?: readonly number[];
  /** True for lines around all cells. Default: false. */
  readonly framed?: boolean;
  readonly stdout: Streams['stdout'];
}

/**
 * Returns a table. If `stdout` is a terminal, the table fits its width: the widest columns are cut, and end with ….
 * Cells must be safe for one line: see `lineText`.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [], framed = false, stdout }: TableLook,
): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => widthOf(lines.map((line) => line[column]!)) + (framed ? PADDING : 0));
  const window = stdout.isTTY === true || framed ? (stdout.columns ?? Infinity) : Infinity;
  fit(widths, window - (framed ? head.length + 1 : GAP * (head.length - 1)));
  const look = framed ? { head: [...head], style: { head: [], border: [] } } : BARE;
  const table = newTable({
    ...look,
    colWidths: widths,
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
  });
  table.push(...(framed ? rows : lines).map((line) => [...line]));
  const text = table.toString();
  return framed
    ? text
    : text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n');
}

const BARE = {
  chars: {
    ...Object.fromEntries(
      ['top', 'bottom', 'mid'].flatMap((name) => [name, `${name}-mid`, ...cornersOf(name)].map((part) => [part, ''])),
    ),
    left: '',
    'left-mid': '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: ' '.repeat(GAP),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

function cornersOf(name: string): string[] {
  return [`${name}-left`, `${name}-right`];
}

type CliTable = typeof import('cli-table3');

function newTable(options: ConstructorParameters<CliTable>[0]): InstanceType<CliTable> {
  const Table = onDemand.cliTable;
  return new Table(options);
}

/** Returns the width of the longest of `cells` on a terminal: wide characters count twice. */
function widthOf(cells: readonly string[]): number {
  const table = newTable(BARE);
  // The length of the first line, which consists of spaces, is the width of the table.
  table.push([''], ...cells.map((cell) => [cell]));
  return table.width;
}

/** Reduces the widest columns until all fit in `total`, or none can be reduced. */
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
