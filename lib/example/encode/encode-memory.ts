/** The memory of encoded records. */
import { invalidArgType, type Bytes } from '../../base';
import { newSlab } from '../../io';
import { EncodeFaultCode, type EncodeFault, type EncoderColumn } from '../../native';
import { ENCODED, partsOf, type RecordBatch } from '../../record';
import { MAX_BATCH_BYTES } from '../columns';

/** Maximum ratio of reused memory to the needed size. */
const MAX_WASTE = 4;
/** Growth factor, relative to the last batch, of memory that is allocated before the size is known. */
const ROOM = 1.0625;
const GUESS_WASTE = 1.25;
/** Growth factor of memory that is meant for reuse. */
const REUSE_ROOM = 1.125;

/**
 * Batches that encodeExamples made. Memory of other batches may belong to a cache, or to other threads. A WeakMap from
 * batches to memory would keep the memory until V8 marks its whole heap, because scavenges keep the values of weak maps.
 */
const encoded = new WeakSet<RecordBatch>();
/** Batches whose memory a later batch uses. */
const spent = new WeakSet<RecordBatch>();

/** Encodes into `slab`, or returns the number of bytes that it needs. */
type Encode = (slab: Bytes | undefined, waste: number) => EncodeFault | number | undefined;

/** Memory for the records of a plan, one batch after the other. */
export class EncodeMemory {
  /** Bytes for each row of the previous batch. */
  #rowBytes = 0;

  /**
   * Calls `encode` until the memory is large enough. The memory is that of `reuse`, which is overwritten, or fresh. It
   * is allocated before `encode` looks at `columns`, because allocating may run other code. Returns the slab, or the
   * fault of the columns.
   */
  fill(
    { reuse, columns, rows }: { reuse: Bytes | undefined; columns: readonly EncoderColumn[]; rows: number },
    encode: Encode,
  ): Bytes | EncodeFault {
    let slab = reuse !== undefined && !looksAt(columns, reuse) ? reuse : undefined;
    let waste = MAX_WASTE;
    const sizes = columns.map(elementsOf);
    const take = (bytes: number): EncodeFault | undefined => {
      slab = newSlab(Math.min(MAX_BATCH_BYTES, bytes), ENCODED);
      const column = columns.findIndex((each, i) => elementsOf(each) !== sizes[i]);
      return column < 0 ? undefined : { code: EncodeFaultCode.Rows, row: 0, column };
    };
    if (slab === undefined && reuse === undefined && this.#rowBytes > 0) {
      const gone = take(Math.ceil(rows * this.#rowBytes * ROOM) + 1);
      if (gone !== undefined) return gone;
      waste = GUESS_WASTE;
    }
    for (;;) {
      const result = encode(slab, waste);
      if (typeof result === 'object') return result;
      if (result === undefined) return slab!;
      this.#rowBytes = result / Math.max(1, rows);
      // An empty slab could be mistaken for transferred memory.
      const gone = take(Math.max(1, reuse === undefined ? result : Math.ceil(result * REUSE_ROOM)));
      if (gone !== undefined) return gone;
      waste = Infinity;
    }
  }
}

/** Returns the number of elements in all arrays of a column; fewer if the memory of one was transferred. */
function elementsOf([, , values, offsets, starts, ends]: EncoderColumn): number {
  return values.length + (offsets?.length ?? 0) + (starts?.length ?? 0) + (ends?.length ?? 0);
}

/** Records that encodeExamples made `batch`. `reused` is the batch whose memory was offered. */
export function noteEncoded(batch: RecordBatch, reused: RecordBatch | undefined): RecordBatch {
  encoded.add(batch);
  if (reused !== undefined && memoryOf(reused).buffer === memoryOf(batch).buffer) spent.add(reused);
  return batch;
}

/**
 * Returns the memory of `batch`; undefined if there is no batch, or its memory was transferred or belongs to a later
 * batch.
 * @throws TypeError if `batch` was not made by encoding
 */
export function reusedMemory(batch: RecordBatch | undefined): Bytes | undefined {
  if (batch === undefined) return undefined;
  if (!encoded.has(batch)) throw invalidArgType('options.reuse', 'a batch that encodeExamples made', batch);
  const memory = memoryOf(batch);
  return spent.has(batch) || memory.length === 0 ? undefined : memory;
}

function memoryOf(batch: RecordBatch): Bytes {
  return partsOf(batch).source.slab;
}

/** True if a column uses the memory of `slab`, which would be overwritten while the column is read. */
function looksAt(columns: readonly EncoderColumn[], { buffer }: Bytes): boolean {
  return columns.some((column) => column.some((part) => ArrayBuffer.isView(part) && part.buffer === buffer));
}
