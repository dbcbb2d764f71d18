/** Memory for the arrays of a piece. */
import { orNoMemory } from '../../record';

/** Gives a place to `count` elements of `size` bytes each. */
export type Places = (size: number, count: number) => Place;

/** Makes a function that gives arrays a place: in one slab, if there is one, else each in its own memory. */
export function placesIn(newSlab: () => ArrayBuffer | undefined, file: string): Places {
  const slab = orNoMemory(file, newSlab);
  let end = 0;
  return (size, count) => {
    if (slab === undefined) return [unset(size * count, file), 0, count];
    const offset = end;
    end += Math.ceil((size * count) / ALIGNMENT) * ALIGNMENT;
    return [slab, offset, count];
  };
}

export type Place = readonly [buffer: ArrayBuffer, byteOffset: number, length: number];

export const ALIGNMENT = 8;

/** Memory that native code is about to fill: not setting it to zero first saves time. @throws TFRecordError ENOMEM */
export function unset(bytes: number, file: string): ArrayBuffer {
  return orNoMemory(file, () => (bytes < 1024 ? new ArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer));
}
