/** Where encoded records go. */
import { types } from 'node:util';

import { invalidArgType } from '../../errors';
import { ENCODED, movedMemory, newSlab, partsOf, RecordBatch, type Bytes } from '../../record';

/** Memory that serves again may be so many times as large as what is asked for. */
const MOST_WASTE = 4;

/** Gives memory for so many bytes, or somewhat more. */
export type EncodeMemory = (bytes: number) => Bytes;

/** Fresh memory of just that size. */
const fresh: EncodeMemory = (bytes) => newSlab(bytes, ENCODED);

/**
 * Memory of `batch`, whose records are gone then, if it will do; else fresh memory, in which the next batch may have room, too.
 * @throws TypeError where `batch` is not one that was encoded.
 */
export function memoryInstead(batch: unknown): EncodeMemory {
  if (batch === undefined) return fresh;
  const source = batch instanceof RecordBatch ? partsOf(batch).source : undefined;
  if (source?.file !== ENCODED || types.isSharedArrayBuffer(source.slab.buffer)) {
    throw invalidArgType('options.reuse', 'a batch that encodeExamples made', batch);
  }
  const { buffer } = source.slab;
  // Before native code looks at columns: nobody else is called meanwhile.
  const moved = buffer.byteLength === 0 ? undefined : new Uint8Array(movedMemory(buffer));
  return (bytes) => {
    if (moved !== undefined && moved.length >= bytes && moved.length <= MOST_WASTE * bytes) return moved;
    return newSlab(Math.ceil(bytes * 1.125), ENCODED);
  };
}
