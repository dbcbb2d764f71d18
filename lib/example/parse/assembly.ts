/** How the columns of a plan become rows and batches. */
import { sizeOf } from '../../tensor';
import {
  assembleBatch,
  assembleRows,
  assembleSequenceBatch,
  batchOfRows,
  checkSequences,
  type RowsValue,
} from './assemble';
import { slicePiece, type Piece } from './columns';
import { assembleSequenceElement } from './element';
import type { Plan, PlannedFeature } from './plan';
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
    mayFail: plan.features.some(mayNotCompose),
    compose: (piece) => new ComposedExamples(piece),
    batch: assembleBatch,
  };
}

/** Of a plan of SequenceExamples. */
export function sequenceAssembly(plan: Plan): Assembly {
  const mayFail = [...plan.features, ...plan.sequence].some(mayNotCompose);
  return {
    plan,
    mayFail,
    compose: (piece) => {
      if (mayFail) checkSequences(piece);
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

/** Values may not fit together. (Of a list's steps, native code has counted the values.) */
function mayNotCompose({ details, section }: PlannedFeature): boolean {
  switch (details.kind) {
    case 'fixedLenSequence':
      return section === 0 && sizeOf(details.shape) !== 1;
    case 'ragged':
      return details.partitions.length > 0;
    default:
      return details.kind === 'sparse';
  }
}
