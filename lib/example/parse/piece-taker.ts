/** What native threads have parsed, moved into JavaScript's memory. */
import { native, PieceField, type ExamplesHandle, FillOutcome, type FillResult, type PieceFaults } from '../../native';
import type { Int64As } from '../tensor';
import { arraysOf, newPiece, unset, type Piece } from './columns';
import type { Plan } from './plan';

/** Some parsed records of a file, in order, and how reading stands behind them. */
export interface ParsedRead {
  readonly result: Pick<FillResult, 'outcome' | 'halt' | 'compressedBytes' | 'compression' | 'totalBytes'>;
  readonly piece: Piece;
  /** Records that give no row, ascending. */
  readonly faults: PieceFaults['rows'];
  /** Bytes of each record, rows and faults alike, and of all. */
  readonly lengths: Uint32Array;
  readonly payload: number;
  /** Number of the first record in its stream, and offset of its header. */
  readonly firstRecord: number;
  readonly offset: number;
}

/** By their numbers. */
const OUTCOMES = [
  FillOutcome.More,
  FillOutcome.End,
  FillOutcome.Input,
  FillOutcome.Grow,
  FillOutcome.Halt,
  FillOutcome.Cancelled,
] as const;
const COMPRESSIONS = ['none', 'gzip', 'zlib'] as const;
const NO_FAULTS: PieceFaults = { rows: [], halt: undefined };

/** Takes the pieces of one handle. */
export class PieceTaker {
  readonly #file: string;
  readonly #handle: ExamplesHandle;
  readonly #plan: Plan;
  readonly #int64AsNumber: boolean;
  readonly #report: Float64Array;
  /** The part of the report that tells the sizes of the columns. */
  readonly #sizes: Float64Array;
  readonly #noSizes: Float64Array;

  /** `file`: for errors. */
  constructor(file: string, handle: ExamplesHandle, plan: Plan, int64: Int64As) {
    this.#file = file;
    this.#handle = handle;
    this.#plan = plan;
    this.#int64AsNumber = int64 === 'number';
    this.#report = new Float64Array(PieceField.Sizes + 4 * plan.columns.length);
    this.#sizes = this.#report.subarray(PieceField.Sizes);
    this.#noSizes = new Float64Array(this.#sizes.length);
  }

  /** Piece `number`, once. @throws TFRecordError ENOMEM */
  take(number: number): ParsedRead {
    const report = this.#report;
    const faults = native().examplesReport(this.#handle, number, report) ?? NO_FAULTS;
    const rows = report[PieceField.Rows] as number;
    const sizes = rows === 0 ? this.#noSizes : this.#sizes;
    const piece = newPiece(this.#plan, rows, sizes, this.#int64AsNumber, this.#file);
    const lengths = new Uint32Array(unset(4 * (report[PieceField.Records] as number), this.#file));
    native().examplesTake(this.#handle, number, lengths, arraysOf(piece));
    return {
      result: {
        outcome: OUTCOMES[report[PieceField.Outcome] as number] as FillOutcome,
        halt: faults.halt,
        compressedBytes: report[PieceField.CompressedBytes] as number,
        compression: COMPRESSIONS[report[PieceField.Compression] as number] as (typeof COMPRESSIONS)[number],
        totalBytes: report[PieceField.TotalBytes] as number,
      },
      piece,
      faults: faults.rows,
      lengths,
      payload: report[PieceField.Payload] as number,
      firstRecord: report[PieceField.FirstRecord] as number,
      offset: report[PieceField.Offset] as number,
    };
  }

  /** Frees piece `number`, which nobody wants. */
  drop(number: number): void {
    native().examplesDrop(this.#handle, number);
  }
}
