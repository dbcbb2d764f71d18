/** One bit for each of some rows or values, the lowest of a byte first: as Arrow and DuckDB say which are there. */

/** Size of the bits of `count` rows: whole units of 64 bits. */
export function bytesOfBits(count: number): number {
  return 8 * Math.ceil(count / 64);
}

/** Bits for `count` rows, none of them set. */
export function newBits(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytesOfBits(count));
}

/** True if bit `i` is set. Without bits, all are. */
export function isSet(bits: Uint8Array | undefined, i: number): boolean {
  return bits === undefined || (bits[i >>> 3]! & (1 << (i & 7))) !== 0;
}

export function setBit(bits: Uint8Array, i: number): void {
  bits[i >>> 3]! |= 1 << (i & 7);
}

export function clearBit(bits: Uint8Array, i: number): void {
  bits[i >>> 3]! &= ~(1 << (i & 7));
}

/** Number of bits that are set, among the first `count`. */
export function countSet(bits: Uint8Array, count: number): number {
  let set = 0;
  for (let i = 0; i < count; i++) if (isSet(bits, i)) set++;
  return set;
}
