/** Where encoded records go. */
import { invalidArgType } from '../../errors';
import { ENCODED, movedMemory, newSlab, partsOf, RecordBatch, type Bytes } from '../../record';
import { MAX_BATCH_BYTES } from './encode-faults';

/** Memory that serves again may be so many times as large as what is asked for. */
const MOST_WASTE = 4;

/** Gives memory for so many bytes, or somewhat more. */
export type EncodeMemory = (bytes: number) => Bytes;

/** That of batches that were encoded: others may belong to a cache, or to other threads. */
const encoded = new WeakSet<ArrayBufferLike>();

/**
 * The memory of `batch`, whose records are gone then, if it will do; else fresh memory, in which the next batch may have room,
 * too. @throws TypeError where `batch` is not one that was encoded.
 */
export function memoryInstead(batch: unknown): EncodeMemory {
  if (batch === undefined) return (bytes) => noted(newSlab(bytes, ENCODED));
  const memory = batch instanceof RecordBatch ? partsOf(batch).source.slab.buffer : undefined;
  if (memory === undefined || !encoded.has(memory)) {
    throw invalidArgType('options.reuse', 'a batch that encodeExamples made', batch);
  }
  // At once: a column that is a view of these records is empty before anybody measures it.
  const moved = movedMemory(memory);
  return (bytes) => {
    if (moved !== undefined && moved.byteLength >= bytes && moved.byteLength <= MOST_WASTE * bytes) {
      return noted(new Uint8Array(moved));
    }
    return noted(newSlab(Math.min(MAX_BATCH_BYTES, Math.ceil(bytes * 1.125)), ENCODED));
  };
}

function noted(slab: Bytes): Bytes {
  encoded.add(slab.buffer);
  return slab;
}
