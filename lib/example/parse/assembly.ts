/** How the columns of a plan become rows and batches. */
import type { RowsValue } from '../kinds';
import {
  assembleBatch,
  assembleRows,
  assembleSequenceBatch,
  assembleSequenceElement,
  batchOfRows,
  checkSequences,
  mayFail,
} from './assemble';
import { slicePiece, type Piece } from './columns';
import type { Plan } from './plan';
import { columnsOf, rowMaker, type RowMaker } from './rows';

/** Records that can be composed, each by itself. */
export interface ComposedRows {
  /** Row `row`. */
  at(row: number): object;
  /** All of them. @throws TFRecordError TFR_RECORD_TOO_LARGE */
  batch(): object;
}

/** What readers make of the pieces of one plan. */
export interface Assembly {
  readonly plan: Plan;
  /** A record that was parsed may still be at fault: {@link Assembly.compose} tells. */
  readonly mayFail: boolean;
  /** The rows of `piece`. @throws FeatureFault of a record that is wrong: others before it may be, too */
  readonly compose: (piece: Piece) => ComposedRows;
  /** `piece` as a batch. @throws FeatureFault of the first record that is wrong; TFRecordError TFR_RECORD_TOO_LARGE */
  readonly batch: (piece: Piece) => object;
}

/** Of a plan of Examples. */
export function exampleAssembly(plan: Plan): Assembly {
  return {
    plan,
    mayFail: plan.features.some(mayFail),
    compose: (piece) => new ComposedExamples(piece),
    batch: assembleBatch,
  };
}

/** Of a plan of SequenceExamples. */
export function sequenceAssembly(plan: Plan): Assembly {
  const doubtful = [...plan.features, ...plan.sequence].some(mayFail);
  return {
    plan,
    mayFail: doubtful,
    compose: (piece) => {
      if (doubtful) checkSequences(piece);
      return {
        at: (row) => assembleSequenceElement(slicePiece(piece, row, row + 1)),
        batch: () => assembleSequenceBatch(piece),
      };
    },
    batch: assembleSequenceBatch,
  };
}

class ComposedExamples implements ComposedRows {
  readonly #piece: Piece;
  readonly #rows: Record<string, RowsValue>;
  /** Once somebody asks for a row. */
  #made: RowMaker | undefined;

  constructor(piece: Piece) {
    this.#piece = piece;
    this.#rows = assembleRows(piece);
  }

  at(row: number): object {
    const { plan } = this.#piece;
    this.#made ??= rowMaker(plan, columnsOf(plan, this.#rows));
    return this.#made(row);
  }

  batch(): object {
    return batchOfRows(this.#rows, this.#piece);
  }
}
