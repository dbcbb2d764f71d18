/** Follows the rows of several inputs: their headers, fields and line numbers. */
import type { Bytes } from '../../base';
import { RowFault } from '../jsonl/parse-line';
import { readHeader, type Header } from './header';
import { countBreaks, RowSplitter, type Delimiter } from './row-splitter';

/** The rows of inputs, each of which begins with a header. */
export class InputRows {
  readonly splitter: RowSplitter;
  readonly #delimiter: Delimiter;
  readonly #na: readonly Buffer[];
  readonly #emptyTexts: boolean;
  readonly #check: (header: Header, input: number) => void;
  #input = -1;
  #header: Header | undefined;
  /** Number of lines before the current row. */
  #lines = 0;
  /** Line where the current row begins, counted from 0. */
  line = 0;

  /**
   * `na`: texts that stand for a missing value. `check` is called with the header of each input; it throws a RowFault
   * for one that does not match. `emptyTexts`: true if an empty field in quotes is an empty text, false if it is a
   * missing value.
   */
  constructor(
    delimiter: Delimiter,
    na: readonly string[],
    check: (header: Header, input: number) => void,
    emptyTexts = true,
  ) {
    this.#delimiter = delimiter;
    this.#na = na.map((text) => Buffer.from(text));
    this.#check = check;
    this.#emptyTexts = emptyTexts;
    this.splitter = new RowSplitter(delimiter);
  }

  /**
   * The header of the input whose row was taken last; undefined if it is invalid: then no row of the input can be read.
   */
  get header(): Header | undefined {
    return this.#header;
  }

  /**
   * True if field `i` of the row has no value: it is empty, or one of `na`, and not in quotes that count. For numbers,
   * quotes never count.
   */
  isMissing(i: number, isNumber: boolean): boolean {
    const { splitter } = this;
    if (splitter.isEmpty(i)) return isNumber || !this.#emptyTexts || !splitter.isQuoted(i);
    if (this.#na.length === 0 || !this.#isNA(i)) return false;
    return isNumber || this.#header?.quotesCount === false || !splitter.isQuoted(i);
  }

  #isNA(i: number): boolean {
    const { bytes, starts, ends } = this.splitter.fields;
    const [field, start, end] = [bytes[i]!, starts[i]!, ends[i]!];
    return this.#na.some((text) => text.length === end - start && text.every((byte, at) => byte === field[start + at]));
  }

  /**
   * Reads the next row of `input`. Returns false for the header and for blank lines; the fields of other rows are in
   * {@link InputRows.splitter}. @throws RowFault
   */
  take(row: Bytes, input: number): boolean {
    this.skip(row, input);
    if (this.#header === undefined) {
      const header = readHeader(row, this.splitter, this.#delimiter);
      this.#check(header, input);
      this.#header = header;
      return false;
    }
    const { splitter } = this;
    const { length } = this.#header.names;
    splitter.split(row, length);
    if (splitter.count === length) return true;
    if (splitter.count === 0) {
      // In a file of one column, a blank line is a row with an empty field.
      if (length > 1) return false;
      splitter.fields.add(row, 0, 0);
      return true;
    }
    const [expected, found] = [`${length} fields, as the header has`, String(splitter.count)];
    throw new RowFault(
      'TFR_DECODE',
      `it has ${found} fields, but the header has ${length}`,
      undefined,
      expected,
      found,
    );
  }

  /** Number of lines of the input before the next row. */
  get lines(): number {
    return this.#lines;
  }

  /** Continues with the row of the same input that has so many lines before it. */
  moveTo(lines: number): void {
    this.#lines = lines;
  }

  /** Skips a row of `input`, but counts its lines. */
  skip(row: Bytes, input: number): void {
    if (input !== this.#input) {
      this.#input = input;
      this.#header = undefined;
      this.#lines = 0;
    }
    this.line = this.#lines;
    this.#lines += 1 + countBreaks(row);
  }
}
