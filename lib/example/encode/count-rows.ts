import { invalidArgType, invalidArgValue } from '../../errors';
import type { FeatureDetails } from '../spec';
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor, type DType, type Shape } from '../../tensor';

const COLUMNS: Readonly<Record<DType, string>> = {
  float32: 'a Float32Array',
  int64: 'a BigInt64Array or a Float64Array',
  bytes: 'a BytesArray',
};

/** Number of rows of a feature's column, as far as it says. @throws TypeError for what is no column of this kind */
export function countRows(name: string, details: FeatureDetails, value: unknown): number {
  switch (details.kind) {
    case 'fixedLen':
      if (details.shape.length > 0) return denseRows(name, value, details.dtype, details.shape, 1);
      if (value instanceof BytesArray || ArrayBuffer.isView(value)) return (value as BytesArray).length;
      throw invalidArgType(name, COLUMNS[details.dtype], value);
    case 'fixedLenSequence':
      return denseRows(name, value, details.dtype, details.shape, 2);
    case 'varLen':
    case 'sparse': {
      if (!(value instanceof SparseTensor)) throw invalidArgType(name, 'a SparseTensor', value);
      const { dtype, denseShape } = value as SparseTensor<DType>;
      checkDType(name, dtype, details.dtype);
      const size = details.kind === 'sparse' ? details.size : [denseShape[1] ?? 0];
      if (denseShape.length !== 1 + size.length || size.some((each, k) => each !== denseShape[k + 1])) {
        const inner = details.kind === 'sparse' ? size.join(', ') : 'longest row';
        throw invalidArgValue(name, `of shape [rows, ${inner}]`, `[${denseShape.join(', ')}]`);
      }
      return denseShape[0]!;
    }
    case 'ragged': {
      if (!(value instanceof RaggedTensor)) throw invalidArgType(name, 'a RaggedTensor', value);
      const { dtype, rowSplits } = value as RaggedTensor<DType>;
      checkDType(name, dtype, details.dtype);
      if (rowSplits.length === 0) throw invalidArgValue(name, 'cut into rows: it has no rowSplits', value);
      return (rowSplits[0] as Int32Array).length - 1;
    }
  }
}

/** `outer` dimensions before those of `shape`. */
function denseRows(name: string, value: unknown, dtype: DType, shape: Shape, outer: number): number {
  if (!(value instanceof DenseTensor)) throw invalidArgType(name, 'a DenseTensor', value);
  const { dtype: found, shape: sizes } = value as DenseTensor<DType>;
  checkDType(name, found, dtype);
  if (sizes.length !== outer + shape.length || shape.some((size, k) => size !== sizes[outer + k])) {
    const wanted = [outer === 1 ? 'rows' : 'rows, steps', ...shape].join(', ');
    throw invalidArgValue(name, `of shape [${wanted}]`, `[${sizes.join(', ')}]`);
  }
  return sizes[0]!;
}

function checkDType(name: string, found: DType, wanted: DType): void {
  if (found !== wanted) throw invalidArgValue(name, `of dtype ${wanted}`, found);
}
