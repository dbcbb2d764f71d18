type ArrayClass = new (memory: ArrayBufferLike, offset: number, length: number) => ArrayBufferView;

/** An array, or DataView, of the kind and length of `from`, over `memory` from `offset` on. */
export function memoryArray(from: ArrayBufferView, memory: ArrayBufferLike, offset: number): ArrayBufferView {
  // The engine's word: arrays of other realms, and Buffers, are no instances of ours.
  const name = (from as unknown as Record<typeof Symbol.toStringTag, string>)[Symbol.toStringTag];
  const Class = (globalThis as unknown as Record<string, ArrayClass>)[name]!;
  return new Class(memory, offset, (from as { length?: number }).length ?? from.byteLength);
}
