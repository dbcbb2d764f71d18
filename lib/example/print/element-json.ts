/** JSON of parsed features; the form is told at `RowPrinter`. */
import type { ElementValue } from '../parse';
import {
  DenseTensor,
  RaggedTensor,
  sizeOf,
  SparseTensor,
  valueAt,
  type Column,
  type DType,
  type Int64As,
  type Scalar,
  type Shape,
} from '../tensor';
import { float32Json } from './json-scalars';
import type { JsonText } from './json-text';
import type { PrintContext } from './print-context';

/** Adds the JSON of one feature of a record that was parsed with int64 as bigint. */
export function printElement(value: ElementValue, context: PrintContext, out: JsonText): void {
  if (typeof value !== 'object' || value instanceof Uint8Array) printScalar(value, context, out);
  else if (value instanceof DenseTensor) printDense(value.data, value.shape, 0, context, out);
  else if (value instanceof SparseTensor) printSparse(value, context, out);
  else if (value instanceof RaggedTensor) printRagged(value, context, out);
  else printDense(value, [value.length], 0, context, out);
}

function printScalar(value: Scalar, context: PrintContext, out: JsonText): void {
  if (typeof value === 'bigint') out.add(String(value));
  else if (typeof value === 'number') out.add(float32Json(value));
  else context.printBytes(value, out);
}

/** Nested lists of the values of `data` from `first` on; a scalar is its value. */
function printDense(data: Column, [count, ...inner]: Shape, first: number, context: PrintContext, out: JsonText): void {
  if (count === undefined) {
    printScalar(valueAt(data, first), context, out);
    return;
  }
  const { values, steps } = context.limits;
  const size = sizeOf(inner);
  context.items(count, inner.length === 0 ? values : steps, out, (i) => {
    printDense(data, inner, first + i * size, context, out);
  });
}

function printSparse(sparse: SparseTensor<DType, Int64As>, context: PrintContext, out: JsonText): void {
  const { values, indices, denseShape } = sparse;
  const rank = denseShape.length;
  const column: Column = values;
  const limit = context.limits.values;
  out.add('{"indices":');
  context.items(column.length, limit, out, (i) => {
    out.add(`[${indices.slice(i * rank, (i + 1) * rank).join(',')}]`);
  });
  out.add(',"values":');
  context.items(column.length, limit, out, (i) => {
    printScalar(valueAt(column, i), context, out);
  });
  out.add(`,"denseShape":[${denseShape.join(',')}]}`);
}

function printRagged(ragged: RaggedTensor<DType, Shape, Int64As>, context: PrintContext, out: JsonText): void {
  const { values, rowSplits } = ragged;
  const data: Column = values.data;
  const [rows = 0, ...inner] = values.shape;
  const size = sizeOf(inner);
  const printRows = (level: number, begin: number, end: number): void => {
    const splits = rowSplits[level];
    if (splits === undefined) {
      printDense(data, [end - begin, ...inner], begin * size, context, out);
      return;
    }
    context.items(end - begin, context.limits.steps, out, (i) => {
      printRows(level + 1, Number(splits[begin + i]), Number(splits[begin + i + 1]));
    });
  };
  printRows(0, 0, rowSplits[0] === undefined ? rows : rowSplits[0].length - 1);
}
