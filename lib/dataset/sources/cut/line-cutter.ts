import type { RecordCutter } from './record-cutter';

const LF = 0x0a;
const CR = 0x0d;

/** Lines, without the LF or CRLF that ends them. The last need not have one. */
export class LineCutter implements RecordCutter {
  /** Bytes of the line in hand that are known to hold no end. */
  #scanned = 0;

  cut(bytes: Uint8Array, begin: number, end: number, last: boolean, frames: number[]): number {
    const seen = bytes.subarray(0, end);
    let start = begin;
    let from = begin + this.#scanned;
    for (;;) {
      const at = seen.indexOf(LF, from);
      if (at < 0) break;
      frames.push(start, at - start - (at > start && bytes[at - 1] === CR ? 1 : 0));
      from = start = at + 1;
    }
    if (last && start < end) {
      frames.push(start, end - start);
      start = end;
    }
    this.#scanned = end - start;
    return start;
  }
}
