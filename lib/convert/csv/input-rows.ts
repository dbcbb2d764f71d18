/** Follows the rows of files: their headers, fields and lines. */
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
  /** Lines of the rows before. */
  #lines = 0;
  /** Number of the line, from 0 on, where the row begins. */
  line = 0;

  /**
   * `na`: texts that stand for no value. `check` is called with the header of each input. It throws a RowFault if that does
   * not fit. `emptyTexts`: false if quotes around nothing are no value either.
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

  /** The header of the input whose row was taken last; undefined if it is wrong: no row of the input can be read then. */
  get header(): Header | undefined {
    return this.#header;
  }

  /**
   * True if field `i` of the row has no value: nothing, or a text that stands for it, without quotes that count. For a
   * number quotes never count.
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
   * Takes a row of `input`, all of whose earlier rows were taken. Returns false for the header, and for blank lines; the
   * fields of others are those of {@link InputRows.splitter}. @throws RowFault
   */
  take(row: Bytes, input: number): boolean {
    this.pass(row, input);
    if (this.#header === undefined) {
      const header = readHeader(row, this.splitter, this.#delimiter);
      this.#check(header, input);
      this.#header = header;
      return false;
    }
    const { splitter } = this;
    splitter.split(row);
    const { length } = this.#header.names;
    if (splitter.count === length) return true;
    if (splitter.count === 0) {
      // With one column, it is a row whose field is empty.
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

  /** Counts the lines of a row of `input` that holds nothing. */
  pass(row: Bytes, input: number): void {
    if (input !== this.#input) {
      this.#input = input;
      this.#header = undefined;
      this.#lines = 0;
    }
    this.line = this.#lines;
    this.#lines += 1 + countBreaks(row);
  }
}
