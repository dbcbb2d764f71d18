/** What native threads have parsed, moved into JavaScript's memory. */
import { native, PieceField, type ExamplesHandle, FillOutcome, type FillResult, type PieceFaults } from '../../native';
import { FRAME_BYTES } from '../../record';
import { arraysOf, type Piece } from './columns';
import { newPiece, unset, type PieceOptions } from './new-piece';
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
  readonly #handle: ExamplesHandle;
  readonly #plan: Plan;
  readonly #options: PieceOptions;
  readonly #report = new Float64Array(PieceField.Count);
  readonly #sizes: Float64Array;

  constructor(handle: ExamplesHandle, plan: Plan, options: PieceOptions) {
    this.#handle = handle;
    this.#plan = plan;
    this.#options = options;
    this.#sizes = new Float64Array(4 * plan.columns.length);
  }

  /**
   * Piece `number`, once, cut at the rows that `cuts` names, the last of which is behind all; whole where a record gave no row.
   * @throws TFRecordError ENOMEM
   */
  take(number: number, cuts: (rows: number) => readonly number[]): ParsedRead[] {
    const report = this.#report;
    const faults = native().examplesReport(this.#handle, number, report) ?? NO_FAULTS;
    const rows = report[PieceField.Rows] as number;
    const lengths = new Uint32Array(unset(4 * (report[PieceField.Records] as number), this.#options.file));
    native().examplesLengths(this.#handle, number, lengths);
    const whole = {
      result: {
        outcome: OUTCOMES[report[PieceField.Outcome] as number] as FillOutcome,
        halt: faults.halt,
        compressedBytes: report[PieceField.CompressedBytes] as number,
        compression: COMPRESSIONS[report[PieceField.Compression] as number] as (typeof COMPRESSIONS)[number],
        totalBytes: report[PieceField.TotalBytes] as number,
      },
      faults: faults.rows,
      lengths,
      payload: report[PieceField.Payload] as number,
      firstRecord: report[PieceField.FirstRecord] as number,
      offset: report[PieceField.Offset] as number,
    };
    // What gave no row is judged with all that came with it.
    const ends = faults.rows.length > 0 ? [rows] : cuts(rows);
    const reads: ParsedRead[] = [];
    let [from, { offset }] = [0, whole];
    for (const end of ends) {
      const piece = this.#columns(number, from, end);
      if (ends.length === 1) {
        reads.push({ ...whole, piece });
        break;
      }
      const own = lengths.subarray(from, end);
      const payload = own.reduce((sum, length) => sum + length, 0);
      const result = end === rows ? whole.result : { ...whole.result, outcome: FillOutcome.More, halt: undefined };
      const firstRecord = whole.firstRecord + from;
      reads.push({ ...whole, result, piece, lengths: own, payload, firstRecord, offset });
      offset += payload + FRAME_BYTES * own.length;
      from = end;
    }
    this.drop(number);
    return reads;
  }

  /** Frees piece `number`, which nobody wants any more. */
  drop(number: number): void {
    native().examplesDrop(this.#handle, number);
  }

  /** Rows `from` to `to`. */
  #columns(number: number, from: number, to: number): Piece {
    if (from === to) this.#sizes.fill(0);
    else native().examplesSizes(this.#handle, number, from, to, this.#sizes);
    const piece = newPiece(this.#plan, to - from, this.#sizes, this.#options);
    if (from < to) native().examplesTake(this.#handle, number, from, to, arraysOf(piece));
    return piece;
  }
}
