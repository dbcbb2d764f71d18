/** Converts parsed values to plain ones, which tests can write down: bigints to numbers, bytes to text, tensors to objects. */
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../../lib';

export function plainValue(value: unknown): unknown {
  if (value instanceof BytesArray) return Array.from(value, (bytes) => Buffer.from(bytes).toString());
  if (value instanceof DenseTensor) return { shape: [...value.shape], data: plainValue(value.data) };
  if (value instanceof SparseTensor) {
    const rank = value.denseShape.length;
    const indices = Array.from(value.values as ArrayLike<unknown> & Iterable<unknown>, (_, i) =>
      Array.from(value.indices.subarray(i * rank, (i + 1) * rank), Number),
    );
    return { indices, values: plainValue(value.values), denseShape: [...value.denseShape] };
  }
  if (value instanceof RaggedTensor) {
    return { splits: value.rowSplits.map((splits) => Array.from(splits, Number)), values: plainValue(value.values) };
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof BigInt64Array) return Array.from(value, Number);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array);
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Converts every feature as `plainValue` does. */
export function plainFeatures(features: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(features).map(([name, value]) => [name, plainValue(value)]));
}
