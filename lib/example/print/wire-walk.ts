/** Walks over the values of features, one by one, in bytes that are known to be valid. */

/** A position in a record. Functions that read from it advance it. */
export interface Cursor {
  readonly bytes: Uint8Array;
  position: number;
}

/** Reads the length at the cursor. */
export function lengthOf(cursor: Cursor): number {
  let length = 0;
  for (let factor = 1; ; factor *= 0x80) {
    const byte = cursor.bytes[cursor.position++] ?? 0;
    length += (byte & 0x7f) * factor;
    if (byte < 0x80) return length;
  }
}

/** Reads the length at the cursor, and returns where the field ends. */
export function closedBy(cursor: Cursor): number {
  const length = lengthOf(cursor);
  return cursor.position + length;
}

/** Reads the integer at the cursor. */
export function int64At(cursor: Cursor): bigint | number {
  const start = cursor.position;
  const length = lengthOf(cursor);
  if (length <= Number.MAX_SAFE_INTEGER && cursor.position - start <= 7) return length;
  let value = 0n;
  for (let i = cursor.position - 1; i >= start; i--) value = (value << 7n) | BigInt((cursor.bytes[i] ?? 0) & 0x7f);
  return BigInt.asIntN(64, value);
}

/** The kinds of features by their tag byte. */
export const KINDS: Readonly<Record<number, 'bytes' | 'float' | 'int64'>> = {
  0x0a: 'bytes',
  0x12: 'float',
  0x1a: 'int64',
};

/**
 * Returns the kind of the Feature from `start` to `end`, and where its lists begin; undefined if it has no kind. As in
 * protobuf, the last kind counts, and its lists are joined unless another kind stands between them.
 */
export function kindOf(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly tag: number; readonly start: number } | undefined {
  const cursor = { bytes, position: start };
  let found: { tag: number; start: number } | undefined;
  while (cursor.position < end) {
    const at = cursor.position;
    const tag = bytes[cursor.position++] ?? 0;
    cursor.position = closedBy(cursor);
    if (tag !== found?.tag) found = { tag, start: at };
  }
  return found;
}

/** Calls `take` at each value of the lists from `start` to `end`; `take` moves the cursor past the value. */
export function forEachValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  tag: number,
  take: (cursor: Cursor) => void,
): void {
  const cursor = { bytes, position: start };
  while (cursor.position < end) {
    cursor.position++;
    const listEnd = closedBy(cursor);
    while (cursor.position < listEnd) {
      const packed = bytes[cursor.position++] === 0x0a && tag !== 0x0a;
      const valuesEnd = packed ? closedBy(cursor) : 0;
      // A tag of an unpacked value is followed by that value alone.
      do if (!packed || cursor.position < valuesEnd) take(cursor);
      while (cursor.position < valuesEnd);
    }
  }
}
