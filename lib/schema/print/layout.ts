/** Lays out tables of text for statistics. */
import { escapeUnsafe, grouped } from '../../base';

/** The cells of a line. */
export type Row = readonly string[];

/** Lines of columns with two blanks between them; the last column ends at `width`. Empty if there are no rows. */
export function layOut(head: Row, rows: readonly Row[], width: number, right: ReadonlySet<string>): string {
  if (rows.length === 0) return '';
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i] ?? ''))));
  return all
    .map((row) => {
      const cells = head.map((name, i) => {
        const cell = row[i] ?? '';
        const blanks = ' '.repeat(widths[i]! - lengthOf(cell));
        return right.has(name) ? blanks + cell : cell + blanks;
      });
      return `${cut(cells.join('  ').trimEnd(), width)}\n`;
    })
    .join('');
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

export function cut(text: string, most: number): string {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

export function percent(fraction: number): string {
  if (fraction === 0 || fraction === 1) return `${fraction * 100} %`;
  // Only exact values are shown as 100 % and 0 %.
  return `${Math.min(99.9, Math.max(0.1, fraction * 100)).toFixed(1)} %`;
}

/** A number with five digits; integers up to 10^12 have all of their digits. */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e12) return grouped(value + 0);
  if (!Number.isFinite(value)) return String(value);
  if (size < 1e-4 || size >= 1e9) return value.toExponential(3).replace('e+', 'e');
  return value.toLocaleString('en-US', { maximumSignificantDigits: 5 });
}

/** Text that is safe in a terminal: quoted if it has characters other than those of common names. */
export function shown(text: string): string {
  return /^[\p{L}\p{N}_./:\-#@+ ]+$/u.test(text) && text.trim() === text ? text : escapeUnsafe(JSON.stringify(text));
}
