/** Reads the first row of a file, which has the names of the columns. */
import { type Bytes, advice, counted, setting, worded, type Message } from '../../base';
import { MAX_HEADER_FIELDS } from '../../decode';
import { RowFault } from '../jsonl/parse-line';
import { isText, type Delimiter, type RowSplitter } from './row-splitter';

export interface Header {
  /** Names of the columns. One without a name gets a name by its position: `column1`. */
  readonly names: readonly string[];
  /** Positions of the columns without a name, counted from 0. */
  readonly nameless: readonly number[];
  /**
   * True if quotes make a number text. False if all fields of the header have quotes: then the writer quotes
   * everything.
   */
  readonly quotesCount: boolean;
}

/** Parses the header in `row`. @throws RowFault */
export function readHeader(row: Bytes, splitter: RowSplitter, delimiter: Delimiter): Header {
  if (!isText(row)) {
    const advice = row.includes(0) ? 'it looks like UTF-16' : 'it is in another encoding';
    throw new RowFault('TFR_DECODE', `the header is not UTF-8: ${advice}. Save the file as UTF-8.`);
  }
  splitter.split(row, MAX_HEADER_FIELDS);
  if (splitter.count > MAX_HEADER_FIELDS) {
    const [expected, found] = [`at most ${counted(MAX_HEADER_FIELDS, 'column')}`, counted(splitter.count, 'column')];
    throw new RowFault('TFR_DECODE', `the header has ${found}`, undefined, expected, found);
  }
  const isNameless = (i: number): boolean => splitter.isEmpty(i) && !splitter.isQuoted(i);
  const names = Array.from({ length: splitter.count }, (_, i) => {
    return isNameless(i) ? `column${i + 1}` : splitter.bytes(i).toString();
  });
  if (names.length === 0) throw new RowFault('TFR_DECODE', 'the header has no names of columns');
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) {
      throw new RowFault('TFR_DECODE', `the header has a column ${JSON.stringify(name)} twice`, name);
    }
    seen.add(name);
  }
  const quotesAll = names.every((_, i) => splitter.isQuoted(i));
  return {
    names,
    nameless: [...names.keys()].filter(isNameless),
    quotesCount: !quotesAll || names.every((name) => needsQuotes(name, delimiter)),
  };
}

/** Characters that other programs use to separate columns, and their plural names. */
const SEPARATORS: readonly (readonly [string, string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  [',', 'commas'],
  ['|', 'bars'],
];

/** Advice, if other characters seem to separate the columns of a header; else undefined. */
export function separatorHint({ names }: Header): Message | undefined {
  const [name] = names;
  const [character, plural] = SEPARATORS.find(([each]) => name?.includes(each)) ?? [];
  if (names.length > 1 || character === undefined) return undefined;
  const cure = advice`: ${setting('delimiter', character)} separates them`;
  return worded`is one column, ${JSON.stringify(name)}, with ${plural} in its name${cure}`;
}

/** True for a name that a writer must put in quotes. */
export function needsQuotes(name: string, delimiter: Delimiter): boolean {
  return name === '' || name.startsWith('\uFEFF') || /["\r\n]/.test(name) || name.includes(delimiter);
}
