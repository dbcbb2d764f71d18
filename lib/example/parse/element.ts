/** The columns of one record, composed to its element. */
import {
  DenseTensor,
  longestRow,
  newRow,
  setFeature,
  SparseTensor,
  valueAt,
  type AnyDense,
  type AnyRagged,
  type AnySparse,
  type Column,
  type DType,
  type Int64As,
  type Scalar,
  type Shape,
} from '../../tensor';
import { elementSequence } from './assemble-dense';
import { elementRagged } from './assemble-ragged';
import { elementSparse } from './assemble-sparse';
import { valuesOf, type ColumnData, type Piece } from './columns';
import type { PlannedFeature } from './plan';

/** Any value of a feature in one record. */
export type ElementValue = Scalar | Column | AnyDense | AnySparse | AnyRagged;

/** The features of a piece of one Example. @throws FeatureFault of the first feature that is wrong */
export function assembleElement(piece: Piece): Record<string, ElementValue> {
  return elementOf(piece.plan.features, piece);
}

/** The element of a SequenceExample. */
export interface SequenceElementValues {
  context: Record<string, ElementValue>;
  sequence: Record<string, ElementValue>;
}

/** The same of one SequenceExample. */
export function assembleSequenceElement(piece: Piece): SequenceElementValues {
  const { features, sequence } = piece.plan;
  const parts = { context: elementOf(features, piece), sequence: elementOf(sequence, piece) };
  return Object.assign(newRow(), parts);
}

function elementOf(features: readonly PlannedFeature[], { columns }: Piece): Record<string, ElementValue> {
  const element = newRow() as Record<string, ElementValue>;
  for (const feature of features) setFeature(element, feature.name, valueOf(feature, columns));
  return element;
}

function valueOf({ name, details, columns: own }: PlannedFeature, columns: readonly ColumnData[]): ElementValue {
  const values = columns[own[0]!]!;
  switch (details.kind) {
    case 'fixedLen': {
      const { dtype, shape } = details;
      const column = valuesOf(values);
      return shape.length === 0 ? valueAt(column, 0) : new DenseTensor<DType, Shape, Int64As>(dtype, shape, column);
    }
    case 'varLen':
      return values.steps === undefined ? valuesOf(values) : steppedVarLen(details.dtype, values);
    case 'fixedLenSequence':
      return elementSequence(name, details, values);
    case 'sparse':
      return elementSparse({ name, details, values, indices: others(own, columns) });
    case 'ragged': {
      const ragged = { name, details, values, partitions: others(own, columns) };
      const plain = details.partitions.length === 0 && values.steps === undefined;
      return plain ? valuesOf(values) : elementRagged(ragged);
    }
  }
}

function others(own: readonly number[], columns: readonly ColumnData[]): ColumnData[] {
  return own.slice(1).map((i) => columns[i]!);
}

/** `[steps, longest step]`. */
function steppedVarLen(dtype: DType, data: ColumnData): AnySparse {
  const splits = data.splits as Int32Array;
  return new SparseTensor<DType, Int64As>(dtype, {
    values: valuesOf(data),
    denseShape: [splits.length - 1, longestRow(splits)],
    rowSplits: [splits],
  });
}
