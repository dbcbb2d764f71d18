/** Checks of dense columns of callers, which `fixedLen` and `fixedLenSequence` share. */
import { invalidArgType, invalidArgValue, counted } from '../../base';
import { isDense, storedDType, type DType, type Shape } from '../../tensor';
import type { ColumnValues } from '../columns';

/**
 * Returns the number of rows of a tensor with `outer` dimensions before those of `shape`. @throws the error that
 * `wrong` returns for other values
 */
export function denseRows(value: unknown, shape: Shape, outer: number, wrong: (expected: string) => TypeError): number {
  if (!isDense(value)) throw wrong('a DenseTensor');
  const { shape: found } = value;
  if (found.length !== outer + shape.length || shape.some((size, k) => size !== found[outer + k])) {
    throw wrong(`a DenseTensor with the dimensions [${shape.join(', ')}] at the end of its shape`);
  }
  return found[0]!;
}

/** Returns the number of rows of a dense column to encode. @throws TypeError */
export function givenDenseRows(name: string, value: unknown, dtype: DType, shape: Shape, outer: number): number {
  if (!isDense(value)) throw invalidArgType(name, 'a DenseTensor', value);
  const { dtype: found, shape: sizes } = value;
  checkGivenDType(name, found, dtype);
  if (sizes.length !== outer + shape.length || shape.some((size, k) => size !== sizes[outer + k])) {
    const wanted = [outer === 1 ? 'rows' : 'rows, steps', ...shape].join(', ');
    throw invalidArgValue(name, `of shape [${wanted}]`, `[${sizes.join(', ')}]`);
  }
  return sizes[0]!;
}

/** @throws TypeError */
export function checkGivenDType(name: string, found: DType, wanted: DType): void {
  if (storedDType(found) !== storedDType(wanted)) throw invalidArgValue(name, `of dtype ${wanted}`, found);
}

/** @throws TypeError unless there are `wanted` values */
export function checkGivenLength(name: string, { length }: Pick<ColumnValues, 'length'>, wanted: number): void {
  if (length !== wanted) throw invalidArgValue(name, `of ${counted(wanted, 'value')}`, length);
}
