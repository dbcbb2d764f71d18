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
import type { PrintContext } from './print-context';

/** A feature of one record, parsed with int64 as bigint. */
export function printElement(value: ElementValue, context: PrintContext): string {
  if (typeof value !== 'object' || value instanceof Uint8Array) return printScalar(value, context);
  if (value instanceof DenseTensor) return printDense(value.data, value.shape, 0, context);
  if (value instanceof SparseTensor) return printSparse(value, context);
  if (value instanceof RaggedTensor) return printRagged(value, context);
  return printDense(value, [value.length], 0, context);
}

function printScalar(value: Scalar, context: PrintContext): string {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? float32Json(value) : context.bytes(value);
}

/** Nested lists of the values of `data` from `first` on; a scalar is its value. */
function printDense(data: Column, [count, ...inner]: Shape, first: number, context: PrintContext): string {
  if (count === undefined) return printScalar(valueAt(data, first), context);
  const { values, steps } = context.limits;
  const size = sizeOf(inner);
  return context.items(count, inner.length === 0 ? values : steps, (i) =>
    printDense(data, inner, first + i * size, context),
  );
}

function printSparse({ values, indices, denseShape }: SparseTensor<DType, Int64As>, context: PrintContext): string {
  const rank = denseShape.length;
  const column: Column = values;
  const limit = context.limits.values;
  const places = context.items(column.length, limit, (i) => `[${indices.slice(i * rank, (i + 1) * rank).join(',')}]`);
  const list = context.items(column.length, limit, (i) => printScalar(valueAt(column, i), context));
  return `{"indices":${places},"values":${list},"denseShape":[${denseShape.join(',')}]}`;
}

function printRagged({ values, rowSplits }: RaggedTensor<DType, Shape, Int64As>, context: PrintContext): string {
  const data: Column = values.data;
  const [rows = 0, ...inner] = values.shape;
  const size = sizeOf(inner);
  const printRows = (level: number, begin: number, end: number): string => {
    const splits = rowSplits[level];
    if (splits === undefined) return printDense(data, [end - begin, ...inner], begin * size, context);
    return context.items(end - begin, context.limits.steps, (i) =>
      printRows(level + 1, Number(splits[begin + i]), Number(splits[begin + i + 1])),
    );
  };
  return printRows(0, 0, rowSplits[0] === undefined ? rows : rowSplits[0].length - 1);
}
