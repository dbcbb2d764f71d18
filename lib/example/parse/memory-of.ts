/** What batches consist of. */
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../tensor';
import type { AnyDense } from './assemble-dense';
import type { AnyRagged } from './assemble-ragged';
import type { AnySparse } from './assemble-sparse';
import { arraysOf, type Piece } from './columns';

/** The memory of pieces, and of a batch that was just made of them. */
export function memoryOf(pieces: readonly Piece[], batch?: object): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const piece of pieces) collect(arraysOf(piece), buffers);
  collect(batch, buffers);
  return [...buffers];
}

/** Adds the buffers of all arrays that `value` consists of. */
function collect(value: unknown, buffers: Set<ArrayBuffer>): void {
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength > 0) buffers.add(value.buffer as ArrayBuffer);
  } else if (value instanceof BytesArray) {
    collect([value.data, value.offsets], buffers);
  } else if (value instanceof DenseTensor) {
    collect((value as AnyDense).data, buffers);
  } else if (value instanceof SparseTensor) {
    const tensor = value as AnySparse;
    // Coordinates are made of row splits when somebody asks for them.
    collect([tensor.values, tensor.rowSplits ?? tensor.indices], buffers);
  } else if (value instanceof RaggedTensor) {
    const { values, rowSplits } = value as AnyRagged;
    collect([values, rowSplits], buffers);
  } else {
    for (const part of Object.values(value)) collect(part, buffers);
  }
}
