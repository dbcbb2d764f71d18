type ArrayClass = new (memory: ArrayBufferLike, offset: number, length: number) => ArrayBufferView;

/** Returns a typed array or DataView of the type and length of `from`, over `memory` from `offset` on. */
export function memoryArray(from: ArrayBufferView, memory: ArrayBufferLike, offset: number): ArrayBufferView {
  // Not `instanceof`, because arrays of other realms are not instances of our classes.
  const name = (from as unknown as Record<typeof Symbol.toStringTag, string>)[Symbol.toStringTag];
  const Class = (globalThis as unknown as Record<string, ArrayClass>)[name]!;
  return new Class(memory, offset, (from as { length?: number }).length ?? from.byteLength);
}
