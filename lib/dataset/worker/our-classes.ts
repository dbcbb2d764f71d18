import { BytesArray, DenseTensor, memberNames, RaggedTensor, SparseTensor, type DType } from '../../example';
import { RecordBatch, type Bytes, type SharedRecords } from '../../record';
import { TAKEN_APART, type ClassForms } from './class-forms';
import { memoryArray } from './memory-array';
import { isPlain, setOwn } from './plain-objects';

type Parts = Readonly<Record<string, unknown>>;

/** The classes that elements are made of. */
export const OUR_CLASSES: ClassForms = { takeApart, revive: (values) => new Revival().into(values) };

function takeApart(value: object): object | undefined {
  if (value instanceof BytesArray) return { [TAKEN_APART]: 'BytesArray', ...bytesParts(value) };
  if (value instanceof DenseTensor) {
    const { dtype, shape, data } = value as DenseTensor<DType>;
    return { [TAKEN_APART]: 'DenseTensor', dtype, shape, data };
  }
  if (value instanceof RaggedTensor) {
    const { values, rowSplits } = value as RaggedTensor<DType>;
    return { [TAKEN_APART]: 'RaggedTensor', values, rowSplits };
  }
  if (value instanceof SparseTensor) {
    const { dtype, values, denseShape, rowSplits } = value as SparseTensor<DType>;
    const places = rowSplits === undefined ? { indices: (value as SparseTensor<DType>).indices } : { rowSplits };
    return { [TAKEN_APART]: 'SparseTensor', dtype, values, denseShape, ...places };
  }
  if (value instanceof RecordBatch) return { [TAKEN_APART]: 'RecordBatch', shared: value.share() };
  const names = memberNames(value);
  if (names.length === Object.keys(value).length) return undefined;
  const row = {};
  for (const name of names) setOwn(row, name, (value as Parts)[name]);
  return row;
}

/** Without what lies before and behind the values. */
function bytesParts({ data, offsets }: BytesArray): { readonly data: Bytes; readonly offsets: Int32Array } {
  const first = offsets[0] as number;
  return {
    data: data.subarray(first, offsets.at(-1)),
    offsets: first === 0 ? offsets : offsets.map((offset) => offset - first),
  };
}

const MAKERS: Readonly<Record<string, (parts: Parts) => unknown>> = {
  BytesArray: ({ data, offsets }) => new BytesArray(data as Bytes, offsets as Int32Array),
  DenseTensor: ({ dtype, shape, data }) => new DenseTensor(dtype as 'bytes', shape as number[], data as BytesArray),
  RaggedTensor: ({ values, rowSplits }) =>
    new RaggedTensor(values as DenseTensor<'bytes'>, rowSplits as readonly Int32Array[]),
  SparseTensor: ({ dtype, ...parts }) => new SparseTensor(dtype as 'bytes', parts as never),
  RecordBatch: ({ shared }) => RecordBatch.from(shared as SharedRecords),
};

class Revival {
  readonly #seen = new Set<object>();
  readonly #made = new Map<object, unknown>();

  /** Revives what `holder` has. */
  into(holder: object): void {
    if (this.#seen.has(holder)) return;
    this.#seen.add(holder);
    for (const [key, value] of Object.entries(holder) as [string, unknown][]) {
      // In a context of `vm`, as of Jest, messages bring arrays of another realm.
      if (ArrayBuffer.isView(value)) setOwn(holder, key, memoryArray(value, value.buffer, value.byteOffset));
      if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) continue;
      this.into(value);
      if (Object.hasOwn(value, TAKEN_APART)) setOwn(holder, key, this.#make(value as Parts));
    }
  }

  #make(apart: Parts): unknown {
    let made = this.#made.get(apart);
    if (made === undefined) {
      const { [TAKEN_APART]: name, ...parts } = apart;
      this.#made.set(apart, (made = MAKERS[name as string]?.(parts)));
    }
    return made;
  }
}
