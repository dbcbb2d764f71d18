import { faultError, type Origin, type TFRecordError } from '../../base';
import type { RowFault } from '../../native';
import { stepAfter, type ErrorPolicy, type Splitter, type Step } from '../../record';
import { FeatureFault, isTooLarge } from '../columns';
import { otherTypeOf, type OtherType } from '../feature';
import {
  featureFaultError,
  isTheBatch,
  noteColumns,
  parseFaultError,
  sliceColumns,
  type Composer,
  type ParsedColumns,
} from '../parse';
import { ParsedRows } from './parsed-rows';
import type { Piece } from './piece-taker';

/** A record of a piece without a row. */
interface RecordFault {
  /** Index in the piece, counting rows and faults. */
  readonly index: number;
  readonly error: TFRecordError;
  /** True if the fault concerns the whole batch. The policy then does not decide. */
  readonly always: boolean;
}

/**
 * Turns pieces into rows, and asks the policy about the records without a row. Hands out all rows before the fault that
 * ends the reading. If the rows of a piece are too large together, it splits the piece, so that the outcome does not
 * depend on the sizes of pieces.
 */
export class RowsSplitter implements Splitter<Piece, ParsedRows> {
  readonly #composer: Composer;
  readonly #policy: ErrorPolicy;
  #file = '';
  /** The type of the file's first record, if the piece begins with it and it is clearly not the plan's. */
  #firstType: OtherType | undefined;
  #piece: Piece | undefined;
  /** The parts of the piece that were not checked yet, the first part last. */
  #parts: Piece[] = [];
  /** The policy's decision on a fault. It takes effect after the rows before the fault. */
  #end: 'stop' | { readonly error: unknown } | undefined;

  constructor(composer: Composer, policy: ErrorPolicy) {
    this.#composer = composer;
    this.#policy = policy;
  }

  load(file: string, piece: Piece): void {
    const { plan } = this.#composer;
    this.#firstType = otherTypeOf(piece.firstType, plan.sequenceExample);
    noteColumns(plan, piece.columns, file, this.#firstType);
    this.#file = file;
    this.#piece = piece;
    this.#parts = [piece];
    this.#end = undefined;
  }

  next(): Step<ParsedRows> {
    const piece = this.#piece;
    if (piece === undefined) return 'fill';
    while (this.#end === undefined) {
      const part = this.#parts.pop();
      if (part === undefined) break;
      const rows = this.#judge(part);
      if (rows !== undefined && rows.length > 0) return rows;
    }
    if (this.#end === 'stop') return 'stop';
    if (this.#end !== undefined) throw this.#end.error;
    this.#piece = undefined;
    return stepAfter(this.#policy, this.#file, piece.result);
  }

  /**
   * Returns the rows before the first fault that ends the reading; undefined if `piece` was too large, and its halves
   * take its place.
   */
  #judge(piece: Piece): ParsedRows | undefined {
    const { columns, faults, lengths, payload, firstRecord, offset } = piece;
    const dropped = faults.map(({ index }) => index);
    const places = { file: this.#file, lengths, payload, firstRecord, offset, dropped };
    const parsed = new ParsedRows(columns, this.#composer, places);
    const found = faults.map((fault): RecordFault => ({
      index: fault.index,
      error: this.#errorOf(fault, parsed),
      always: fault.parse !== undefined && isTheBatch(fault.parse),
    }));
    const rows = this.#composer.mayFail ? this.#composed(parsed, found) : parsed;
    if (rows === undefined) {
      this.#parts.push(...splitPiece(piece, parsed).reverse());
      return undefined;
    }
    let passed = 0;
    for (const [i, { index, error, always }] of found.sort((a, b) => a.index - b.index).entries()) {
      const before = index - i;
      this.#policy.passed(before - passed);
      passed = before;
      if (!this.#skips(error, always)) return rows.first(before);
    }
    this.#policy.passed(rows.length - passed);
    return rows;
  }

  /**
   * Returns the rows whose features can be composed, and adds the others to `found`. Returns undefined if two or more rows
   * are too large together.
   */
  #composed(rows: ParsedRows, found: RecordFault[]): ParsedRows | undefined {
    for (let left = rows; ;) {
      try {
        left.compose();
        return left;
      } catch (error) {
        if (rows.length > 1 && isTooLarge(error)) return undefined;
        if (!(error instanceof FeatureFault)) throw error;
        // If the first fault ends the reading, those after it do not matter.
        const faults = this.#policy.endsAtFirst ? [error] : this.#allFaults(left.columns, error);
        const wrong = faults.map(({ row }) => row);
        left.recordsOf(wrong).forEach((index, i) => {
          const place = left.originOfRecord(index);
          found.push({
            index,
            error: featureFaultError(faults[i]!, place, this.#otherAt(place)),
            always: false,
          });
        });
        left = this.#policy.endsAtFirst ? left.first(error.row) : left.without(wrong);
      }
    }
  }

  /** True if the policy skips `error`. A fault of the batch itself says nothing about the records after it. */
  #skips(error: TFRecordError, always: boolean): boolean {
    try {
      if (always) throw error;
      if (this.#policy.resolve(error) === 'skip') return true;
      this.#end = 'stop';
    } catch (thrown) {
      this.#end = { error: thrown };
    }
    return false;
  }

  #errorOf({ data, parse, index }: RowFault, rows: ParsedRows): TFRecordError {
    if (data !== undefined) return faultError(data, { file: this.#file });
    const { plan } = this.#composer;
    const fault = parse!;
    const place = rows.originOfRecord(index);
    return parseFaultError(plan, fault, place, index, isTheBatch(fault) ? undefined : this.#otherAt(place));
  }

  /** Returns the type of the first record, if it is known and clearly not the plan's. */
  #otherAt({ record }: Origin): OtherType | undefined {
    return record === 0 ? this.#firstType : undefined;
  }

  /**
   * Returns the faults of all rows that cannot be composed on their own, in order; if there are none, `fault`, which is
   * about the rows together. Searches by halves, so that many faults do not compose the other rows again and again.
   */
  #allFaults(columns: ParsedColumns, fault: FeatureFault): readonly FeatureFault[] {
    const faults: FeatureFault[] = [];
    const judge = (from: number, to: number): void => {
      const part = sliceColumns(columns, from, to);
      const found = this.#faultIn(part);
      if (part !== columns) part.memory?.end();
      if (found === undefined) return;
      if (found instanceof FeatureFault && to - from === 1) {
        faults.push(found.at(from));
        return;
      }
      const middle = (from + to) >>> 1;
      judge(from, middle);
      judge(middle, to);
    };
    judge(0, columns.rows);
    return faults.length === 0 ? [fault] : faults;
  }

  #faultIn(columns: ParsedColumns): FeatureFault | 'too large together' | undefined {
    try {
      this.#composer.compose(columns);
      return undefined;
    } catch (error) {
      if (error instanceof FeatureFault) return error;
      if (columns.rows > 1 && isTooLarge(error)) return 'too large together';
      throw error;
    }
  }
}

/** Splits `piece`, whose rows are `rows`, two or more, into two pieces with half of the rows each. */
function splitPiece(piece: Piece, rows: ParsedRows): [Piece, Piece] {
  const { columns, faults, lengths, payload } = piece;
  const middle = rows.length >>> 1;
  const cut = rows.recordOf(middle);
  const { record: firstRecord, offset } = rows.originOfRecord(cut);
  const before = lengths.subarray(0, cut);
  const bytes = before.reduce((sum, length) => sum + length, 0);
  const first = faults.filter(({ index }) => index < cut);
  const second = faults.slice(first.length).map((fault) => ({ ...fault, index: fault.index - cut }));
  return [
    { ...piece, columns: sliceColumns(columns, 0, middle), faults: first, lengths: before, payload: bytes },
    {
      ...piece,
      columns: sliceColumns(columns, middle, columns.rows),
      faults: second,
      lengths: lengths.subarray(cut),
      payload: payload - bytes,
      firstRecord,
      offset,
    },
  ];
}
