/** How native code finds the records in the bytes of a file: the number of a kind, and those of its settings. */
export type Framing = readonly number[];

/** Lines, which LF or CR LF ends. A byte order mark at the start of a file belongs to none. */
export const LINES: Framing = [1];

/** Lines whose fields may hold line ends between quotes. `delimiter`: the byte that separates fields. */
export function csvFraming(delimiter: number): Framing {
  return [2, delimiter];
}

/** How records of one length lie in a file; all in bytes. */
export interface FixedLayout {
  readonly recordBytes: number;
  /** Before the first record. */
  readonly headerBytes: number;
  /** Behind the last record. */
  readonly footerBytes: number;
  /** From the start of a record to that of the next, which may overlap it. */
  readonly hopBytes: number;
}

export function fixedFraming({ recordBytes, headerBytes, footerBytes, hopBytes }: FixedLayout): Framing {
  return [3, recordBytes, headerBytes, footerBytes, hopBytes];
}
