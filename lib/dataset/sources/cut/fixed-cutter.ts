import { TFRecordError } from '../../../errors';
import type { RecordCutter, Rest } from './record-cutter';

/** How records of one length lie in a file; all in bytes. */
export interface FixedLayout {
  readonly recordBytes: number;
  readonly headerBytes: number;
  readonly footerBytes: number;
  /** From the start of one record to that of the next. */
  readonly hopBytes: number;
}

/** What a file lacks at its end. */
interface Lack {
  readonly what: string;
  /** Where it begins, behind what `cut` used. */
  readonly ahead: number;
  readonly expected: number;
  readonly found: number;
}

/** Records of one length, between a header and a footer. */
export class FixedCutter implements RecordCutter {
  readonly #layout: FixedLayout;
  /** Bytes to pass over before the next record. */
  #ahead: number;
  #given = false;
  #lack: Lack | undefined;

  /** `inside`: the file is read from a record on, not from its start. */
  constructor(layout: FixedLayout, inside: boolean) {
    this.#layout = layout;
    this.#ahead = inside ? 0 : layout.headerBytes;
  }

  cut(_: Uint8Array, begin: number, end: number, last: boolean, frames: number[]): number {
    const { recordBytes, footerBytes, hopBytes } = this.#layout;
    const limit = end - footerBytes;
    let at = begin;
    for (;;) {
      const passed = Math.min(this.#ahead, Math.max(0, limit - at));
      at += passed;
      this.#ahead -= passed;
      if (this.#ahead > 0 || limit - at < recordBytes) break;
      frames.push(at, recordBytes);
      this.#given = true;
      this.#ahead = hopBytes;
    }
    if (last) this.#lack = this.#lackOf(end - at);
    return at;
  }

  restError({ file, record, offset }: Rest): TFRecordError | undefined {
    if (this.#lack === undefined) return undefined;
    const { what, ahead, expected, found } = this.#lack;
    const place = offset + ahead;
    return new TFRecordError(
      'TFR_TRUNCATED',
      `Truncated ${what} in ${file}${what === 'record' ? `, record ${record}` : ''}, at byte ${place}: ` +
        `expected ${expected} bytes, found ${found}. The file is incomplete, or recordBytes, headerBytes or ` +
        'footerBytes are not those of this file; onError: "stop" accepts the records that are whole.',
      { file, record, offset: place, expected: `${expected} bytes`, found: `${found} bytes` },
    );
  }

  /** `left`: bytes of the file that are not passed over. */
  #lackOf(left: number): Lack | undefined {
    const { recordBytes, headerBytes, footerBytes, hopBytes } = this.#layout;
    if (!this.#given && (this.#ahead > 0 || left < footerBytes)) {
      const passed = headerBytes - this.#ahead;
      const what = footerBytes === 0 ? 'header' : headerBytes === 0 ? 'footer' : 'header and footer';
      return { what, ahead: -passed, expected: headerBytes + footerBytes, found: passed + left };
    }
    // Between two records there may be less than the gap.
    if (this.#ahead > 0) return undefined;
    const known = this.#given ? Math.max(0, recordBytes - hopBytes) : 0;
    const rest = left - footerBytes;
    if (rest <= known) return undefined;
    // Of records that overlap, the last that is begun is told.
    return { what: 'record', ahead: 0, expected: recordBytes, found: rest };
  }
}
