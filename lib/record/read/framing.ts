/** The numbers of formats, as `Framing::Kind` of native/addon/reader_binding.cc has them. */
const enum Kind {
  Lines = 1,
  Csv = 2,
  Fixed = 3,
}

/** The format by which native code finds the records in a file: the number of the format, then its settings. */
export type Framing = readonly number[];

/** Lines that end with LF or CR LF. A byte order mark at the start of a file is not part of a line. */
export const LINES: Framing = [Kind.Lines];

/** Lines of CSV, whose quoted fields may contain line ends. `delimiter`: the byte that separates fields. */
export function csvFraming(delimiter: number): Framing {
  return [Kind.Csv, delimiter];
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
  return [Kind.Fixed, recordBytes, headerBytes, footerBytes, hopBytes];
}
