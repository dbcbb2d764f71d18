import type { RecordCutter } from './record-cutter';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** At the start of a field; in one without quotes, or behind one with; between quotes; behind a quote that may end them. */
const enum Inside {
  Start,
  Plain,
  Quoted,
  Quote,
}

/** Records of comma-separated values: lines, but for the line ends in fields that are quoted. */
export class CsvCutter implements RecordCutter {
  readonly #delimiter: number;
  /** Bytes of the record in hand that were looked at, and what they ended in. */
  #scanned = 0;
  #inside = Inside.Start;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  cut(bytes: Uint8Array, begin: number, end: number, last: boolean, frames: number[]): number {
    const delimiter = this.#delimiter;
    let start = begin;
    let inside = this.#inside;
    for (let at = begin + this.#scanned; at < end; at++) {
      const byte = bytes[at];
      if (inside === Inside.Quoted) {
        if (byte === QUOTE) inside = Inside.Quote;
      } else if (byte === LF) {
        frames.push(start, at - start - (at > start && bytes[at - 1] === CR ? 1 : 0));
        start = at + 1;
        inside = Inside.Start;
      } else if (byte === delimiter) {
        inside = Inside.Start;
      } else if (byte === QUOTE) {
        // One inside of a field without quotes is a fault, of that record only.
        if (inside !== Inside.Plain) inside = Inside.Quoted;
      } else if (inside !== Inside.Plain && !(byte === CR && inside === Inside.Start)) {
        inside = Inside.Plain;
      }
    }
    if (last && start < end) {
      frames.push(start, end - start);
      start = end;
    }
    this.#scanned = end - start;
    this.#inside = inside;
    return start;
  }
}
