/** Splits rows of CSV into fields, by the rules of `decodeCsv`. */
import { isUtf8 } from 'node:buffer';

import { type Bytes } from '../../base';
import { Fields, MAX_HEADER_FIELDS, splitRecord } from '../../decode';
import { csvFraming, type Framing } from '../../record';
import { RowFault } from '../jsonl/parse-line';

/** The options that apply to CSV inputs only. */
export const CSV_OPTIONS = ['exact', 'na', 'delimiter'] as const;

/** The character between the fields of a row, in ASCII. */
export type Delimiter = string;

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Splits one row after the other. The fields are those of the last row. */
export class RowSplitter {
  /** The framing that finds rows in a file. */
  readonly framing: Framing;
  readonly fields = new Fields(MAX_HEADER_FIELDS);
  readonly #rules: Parameters<typeof splitRecord>[3];
  #row: Bytes = new Uint8Array(0);

  constructor(delimiter: Delimiter) {
    const byte = delimiter.charCodeAt(0);
    this.framing = csvFraming(byte);
    this.#rules = { delimiter: byte, quotes: true, selected: undefined };
  }

  /** Number of fields of the row. */
  get count(): number {
    return this.fields.count;
  }

  /** Splits `row`, and keeps the first `limit` of its fields. An empty row has no fields. @throws RowFault */
  split(row: Bytes, limit: number): void {
    this.#row = row;
    this.fields.limit = limit;
    const fault = splitRecord(row, 0, row.length, this.#rules, this.fields);
    if (fault !== undefined) {
      throw new RowFault('TFR_DECODE', `field ${fault.field + 1}: expected ${fault.expected}, found ${fault.found}`);
    }
    if (row.includes(CR)) refuseLineEnds(row);
  }

  /** True if field `i` has quotes around it. */
  isQuoted(i: number): boolean {
    const { bytes, starts } = this.fields;
    const start = starts[i]!;
    // The splitter copies a field that has quotes inside, without its outer ones.
    return bytes[i] !== this.#row || (start > 0 && this.#row[start - 1] === QUOTE);
  }

  isEmpty(i: number): boolean {
    return this.fields.starts[i] === this.fields.ends[i];
  }

  /** The bytes of field `i`, which the next row may overwrite. */
  bytes(i: number): Buffer {
    const { bytes, starts, ends } = this.fields;
    const start = starts[i]!;
    return Buffer.from(bytes[i]!.buffer, bytes[i]!.byteOffset + start, ends[i]! - start);
  }
}

/** TensorFlow's rules skip line ends at the start of a field, which would lose them silently, so they are refused. */
function refuseLineEnds(row: Bytes): void {
  let quoted = false;
  for (const byte of row) {
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === CR && !quoted) {
      const message = 'it has a carriage return outside of quotes; lines end with LF or CR LF';
      throw new RowFault('TFR_DECODE', message, undefined, 'a line feed after it', 'none');
    }
  }
}

/** Number of line ends in `row`. */
export function countBreaks(row: Bytes): number {
  let count = 0;
  for (let at = row.indexOf(LF); at >= 0; at = row.indexOf(LF, at + 1)) count++;
  return count;
}

/** True for bytes that CSV can hold as text when reading and writing: UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
