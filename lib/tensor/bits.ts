/** Validity bits: one bit for each row or value, the lowest bit of a byte first, as in Arrow and DuckDB. */

/** Returns the size of the bits for `count` rows, in bytes: a multiple of 8. */
export function bytesOfBits(count: number): number {
  return 8 * Math.ceil(count / 64);
}

/** Returns bits for `count` rows, all 0. */
export function newBits(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytesOfBits(count));
}

/** True if bit `i` is 1, or if `bits` is undefined, which stands for all set. */
export function isSet(bits: Uint8Array | undefined, i: number): boolean {
  return bits === undefined || (bits[i >>> 3]! & (1 << (i & 7))) !== 0;
}

export function setBit(bits: Uint8Array, i: number): void {
  bits[i >>> 3]! |= 1 << (i & 7);
}

export function clearBit(bits: Uint8Array, i: number): void {
  bits[i >>> 3]! &= ~(1 << (i & 7));
}

/** Returns the number of set bits among the first `count`. */
export function countSet(bits: Uint8Array, count: number): number {
  let set = 0;
  for (let i = 0; i < count; i++) if (isSet(bits, i)) set++;
  return set;
}
