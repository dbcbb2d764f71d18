/** The first row of a file, with the names of its columns. */
import type { Bytes } from '../../record';
import { RowFault } from '../jsonl/parse-line';
import { isText, type Delimiter, type RowSplitter } from './row-splitter';

export interface Header {
  readonly names: readonly string[];
  /** True if a number in quotes is text. False for files in which all fields have quotes, so that these say nothing. */
  readonly quotesCount: boolean;
}

/** The header in `row`. @throws RowFault */
export function readHeader(row: Bytes, splitter: RowSplitter, delimiter: Delimiter): Header {
  if (!isText(row)) {
    const advice = row.includes(0) ? 'it looks like UTF-16' : 'it is in another encoding';
    throw new RowFault('TFR_DECODE', `the header is not UTF-8: ${advice}. Save the file as UTF-8.`);
  }
  splitter.split(row);
  const names = Array.from({ length: splitter.count }, (_, i) => splitter.bytes(i).toString());
  if (names.length === 0) throw new RowFault('TFR_DECODE', 'the header has no names of columns');
  const seen = new Set<string>();
  for (const [i, name] of names.entries()) {
    if (name === '' && !splitter.isQuoted(i)) throw new RowFault('TFR_DECODE', `column ${i + 1} has no name`);
    if (seen.has(name)) {
      throw new RowFault('TFR_DECODE', `the header has a column ${JSON.stringify(name)} twice`, name);
    }
    seen.add(name);
  }
  const quotesAll = names.every((_, i) => splitter.isQuoted(i));
  return { names, quotesCount: !quotesAll || names.every((name) => needsQuotes(name, delimiter)) };
}

/** True for names that are never written without quotes. */
export function needsQuotes(name: string, delimiter: Delimiter): boolean {
  return name === '' || name.startsWith('\uFEFF') || /["\r\n]/.test(name) || name.includes(delimiter);
}
