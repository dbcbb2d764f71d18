/** What values of the package's own classes are made of: cloned or serialized, they would be no instances. */
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor, type DType, type Shape } from '../../tensor';
import type { Bytes } from '../../record';

export type Parts = Readonly<Record<string, unknown>>;

/** An instance, by the name of its class. */
export interface ClassParts {
  readonly class: keyof typeof MAKERS;
  readonly parts: Parts;
}

/** The parts of a tensor or a BytesArray; undefined for anything else. */
export function classParts(value: object): ClassParts | undefined {
  if (value instanceof BytesArray) return { class: 'BytesArray', parts: bytesParts(value) };
  if (value instanceof DenseTensor) {
    const { dtype, shape, data } = value as DenseTensor<DType>;
    return { class: 'DenseTensor', parts: { dtype, shape, data } };
  }
  if (value instanceof RaggedTensor) {
    const { values, rowSplits } = value as RaggedTensor<DType>;
    return { class: 'RaggedTensor', parts: { values, rowSplits } };
  }
  if (value instanceof SparseTensor) {
    const { dtype, values, denseShape, rowSplits } = value as SparseTensor<DType>;
    const places = rowSplits === undefined ? { indices: (value as SparseTensor<DType>).indices } : { rowSplits };
    return { class: 'SparseTensor', parts: { dtype, values, denseShape, ...places } };
  }
  return undefined;
}

const MAKERS = {
  BytesArray: ({ data, offsets }: Parts) => new BytesArray(data as Bytes, offsets as Int32Array),
  DenseTensor: ({ dtype, shape, data }: Parts) => new DenseTensor(dtype as 'bytes', shape as Shape, data as BytesArray),
  RaggedTensor: ({ values, rowSplits }: Parts) =>
    new RaggedTensor(values as DenseTensor<'bytes'>, rowSplits as readonly Int32Array[]),
  SparseTensor: ({ dtype, ...parts }: Parts) => new SparseTensor(dtype as 'bytes', parts as never),
};

export function isClassName(name: unknown): name is ClassParts['class'] {
  return typeof name === 'string' && Object.hasOwn(MAKERS, name);
}

/** The instance that {@link classParts} was given. */
export function ofClassParts({ class: name, parts }: ClassParts): object {
  return MAKERS[name](parts);
}

/** Without what lies before and behind the values. */
function bytesParts({ data, offsets }: BytesArray): Parts {
  const first = offsets[0]!;
  return {
    data: data.subarray(first, offsets.at(-1)),
    offsets: first === 0 ? offsets : offsets.map((offset) => offset - first),
  };
}
