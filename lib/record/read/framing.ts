import { FramingKind, type Framing } from '../../native';

export type { Framing };

/** Lines that end with LF or CR LF. A byte order mark at the start of a file is not part of a line. */
export const LINES: Framing = [FramingKind.Lines];

/** Lines of CSV, whose quoted fields may contain line ends. `delimiter`: the byte that separates fields. */
export function csvFraming(delimiter: number): Framing {
  return [FramingKind.Csv, delimiter];
}

/** The layout of a file of fixed-length records. All sizes are in bytes. */
export interface FixedLayout {
  readonly recordBytes: number;
  /** Size of the header before the first record. */
  readonly headerBytes: number;
  /** Size of the footer after the last record. */
  readonly footerBytes: number;
  /** Distance from the start of one record to the start of the next, which may overlap it. */
  readonly hopBytes: number;
}

/** Records of fixed length. */
export function fixedFraming({ recordBytes, headerBytes, footerBytes, hopBytes }: FixedLayout): Framing {
  return [FramingKind.Fixed, recordBytes, headerBytes, footerBytes, hopBytes];
}
