import type { Tensor } from '@tensorflow/tfjs-core';

import { allColumns, type BatchColumn, type ColumnTree } from './batch-columns';
import { tfjsCore } from './peers';
import type { TensorRules } from './rules';
import { tensorValues } from './tensor-values';

/** A tensor for each column, or none at all and an error. */
export function makeTensors(columns: readonly BatchColumn[], rules: TensorRules): Tensor[] {
  const tf = tfjsCore();
  const values = columns.map((column) => tensorValues(column.place, column.values(), rules));
  const tensors: Tensor[] = [];
  try {
    for (const { data, shape, dtype } of values) tensors.push(tf.tensor(data, [...shape], dtype));
  } catch (error) {
    tf.dispose(tensors);
    throw error;
  }
  return tensors;
}

/** The tensors of all columns, in objects as the batch has them. */
export function tensorsOf(tree: ColumnTree, rules: TensorRules): unknown {
  const tensors = makeTensors(allColumns(tree), rules);
  const arranged = (inner: ColumnTree): unknown => {
    if ('place' in inner) return tensors.shift();
    if (isPair(inner)) return inner.map(arranged);
    const made: Record<string, unknown> = {};
    for (const [key, value] of inner) {
      // A feature may be called `__proto__`.
      const own = { value: arranged(value), enumerable: true, writable: true, configurable: true };
      Object.defineProperty(made, key, own);
    }
    return made;
  };
  return arranged(tree);
}

function isPair(tree: ColumnTree): tree is readonly [ColumnTree, ColumnTree] {
  return Array.isArray(tree);
}
