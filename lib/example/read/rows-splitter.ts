import type { TFRecordError } from '../../errors';
import type { RowFault } from '../../native';
import { faultError, stepBehind, type ErrorPolicy, type Origin, type Splitter, type Step } from '../../record';
import { FeatureFault, isTooLarge } from '../columns';
import type { OtherType } from '../feature';
import {
  featureFaultError,
  isTheBatch,
  noteColumns,
  otherTypeIn,
  parseFaultError,
  sliceColumns,
  type Composer,
  type ParsedColumns,
} from '../parse';
import { ParsedRows } from './parsed-rows';
import type { Piece } from './piece-taker';

/** A record of a piece that gives no row. */
interface RecordFault {
  /** Its number in the piece, rows and faults counted alike. */
  readonly index: number;
  readonly error: TFRecordError;
  /** It is about the batch: the policy is not asked. */
  readonly always: boolean;
}

/**
 * From what native threads parsed to rows: asks the policy about the records that gave no row. Rows before the one that
 * ends the reading are handed out first. What is too large together comes in parts, so that how the records were cut into
 * pieces decides nothing.
 */
export class RowsSplitter implements Splitter<Piece, ParsedRows> {
  readonly #composer: Composer;
  readonly #policy: ErrorPolicy;
  #file = '';
  #begun = false;
  /** The first bytes of the stream that is read. */
  #head: Uint8Array | undefined;
  #piece: Piece | undefined;
  /** What of `#read` nobody has judged yet, the first part last. */
  #parts: Piece[] = [];
  /** What the policy decided about a fault, once the rows before it are handed out. */
  #end: 'stop' | { readonly error: unknown } | undefined;

  constructor(composer: Composer, policy: ErrorPolicy) {
    this.#composer = composer;
    this.#policy = policy;
  }

  load(file: string, piece: Piece): void {
    this.#head = piece.head;
    if (!this.#begun) noteColumns(this.#composer.plan, piece.columns, file, piece.head);
    this.#begun = true;
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
    return stepBehind(this.#policy, this.#file, piece.result);
  }

  /** The rows before the fault that ends the reading, if one does; undefined where `read` was put back in two parts. */
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

  /** Those rows whose features can be composed; the others are added to `found`. Undefined: two or more are too large together. */
  #composed(rows: ParsedRows, found: RecordFault[]): ParsedRows | undefined {
    for (let left = rows; ;) {
      try {
        left.compose();
        return left;
      } catch (error) {
        if (rows.length > 1 && isTooLarge(error)) return undefined;
        if (!(error instanceof FeatureFault)) throw error;
        // What is behind the first is not wanted by everybody.
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

  /** What the policy says of `error`; a fault of the batch itself says nothing of the records behind it. */
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

  /** The type of the record at `place`, where it is known and clearly not the plan's. */
  #otherAt({ record }: Origin): OtherType | undefined {
    return record === 0 ? otherTypeIn(this.#composer.plan, this.#file, this.#head) : undefined;
  }

  /**
   * The faults of all rows that cannot be composed alone, ascending; `fault`, which is about one in all of `piece`, where
   * there are none. Half by half, so that many of them do not have all others composed again.
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

/** `read`, whose rows are `rows`, two or more, as two with half of the rows each. */
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
