import { invalidArgValue } from '../../errors';
import type { FixedLenDetails, FixedLenSequenceDetails } from '../spec';
import { sizeOf, stepsOf, type DenseTensor, type DType } from '../../tensor';
import { columnOf, evenRows, valuesOf, type ColumnValues, type Values } from './column-values';
import { allocated } from './encode-faults';
import type { GivenColumn } from './feature-columns';

/** As many values a row as the shape has places. */
export function encodeFixedLen({ name, feature, value, rows }: GivenColumn, details: FixedLenDetails): ColumnValues {
  const { dtype, shape } = details;
  const count = sizeOf(shape);
  const column = shape.length === 0 ? value : (value as DenseTensor<DType>).data;
  const values = valuesOf(name, feature, dtype, column);
  checkLength(name, values, rows * count);
  return columnOf(values, evenRows(count));
}

/** The steps of each row without its padding, where parsing has put it in; else all of them. */
export function encodeSequence(given: GivenColumn, details: FixedLenSequenceDetails): ColumnValues {
  const { name, feature, rows } = given;
  const tensor = given.value as DenseTensor<DType>;
  const { data, shape } = tensor;
  const size = sizeOf(details.shape);
  const width = shape[1]! * size;
  const values = valuesOf(name, feature, details.dtype, data);
  checkLength(name, values, rows * width);
  if (rows === 0 || stepsOf(tensor, 0) === undefined) return columnOf(values, evenRows(width));
  const [starts, ends] = allocated(() => [new Int32Array(rows), new Int32Array(rows)] as const);
  for (let row = 0, start = 0; row < rows; row++, start += width) {
    starts[row] = start;
    ends[row] = start + stepsOf(tensor, row)! * size;
  }
  return columnOf(values, { starts, ends, count: 0 });
}

function checkLength(name: string, { length }: Values, wanted: number): void {
  if (length !== wanted) throw invalidArgValue(name, `of ${wanted} values`, length);
}
