/**
 * Strict grammars of protobuf messages: the fields of a message, by number and wire type. A parser passes over unknown
 * fields. These refuse them, which shows that a record is of another kind.
 */
import { isUtf8 } from 'node:buffer';

/** A place in a record; rules move it. */
export interface Cursor {
  readonly bytes: Uint8Array;
  position: number;
}

/** Moves the cursor behind one field's value, at most to `end`; false when no such value is there. */
export type Rule = (cursor: Cursor, end: number) => boolean;

/** The fields of a message by their tag byte: `field number << 3 | wire type`. */
export type Grammar = Readonly<Record<number, Rule>>;

const MAX_VARINT_BYTES = 10;

/** True if the bytes from the cursor to `end` are fields of `grammar` only. */
export function matches(cursor: Cursor, end: number, grammar: Grammar): boolean {
  while (cursor.position < end) {
    const rule = grammar[cursor.bytes[cursor.position++] ?? 0];
    if (!rule?.(cursor, end)) return false;
  }
  return true;
}

/** A message inside its length. */
export function nested(grammar: Grammar): Rule {
  return lengthDelimited((cursor, end) => matches(cursor, end, grammar));
}

/**
 * An entry of a map from strings: key and value at most once each. Some writers leave out an empty key or value; an
 * entry without its value must at least have a name that people can read.
 */
export function mapEntry(value: Rule): Rule {
  return lengthDelimited((cursor, end) => {
    let keys = 0;
    let values = 0;
    let readable = true;
    while (cursor.position < end) {
      const tag = cursor.bytes[cursor.position++];
      if (tag === 0x0a && keys++ === 0) {
        const start = cursor.position;
        if (!text(cursor, end)) return false;
        readable = !hasControlBytes(cursor.bytes, behindVarint(cursor.bytes, start), cursor.position);
      } else if (tag !== 0x12 || values++ !== 0 || !value(cursor, end)) {
        return false;
      }
    }
    return values === 1 || readable;
  });
}

/** Any bytes. */
export const blob: Rule = lengthDelimited((cursor, end) => {
  cursor.position = end;
  return true;
});

/** Valid UTF-8, which protobuf demands of strings. */
export const text: Rule = lengthDelimited((cursor, end) => {
  const { bytes, position } = cursor;
  cursor.position = end;
  for (let i = position; i < end; i++) {
    if ((bytes[i] ?? 0) >= 0x80) return isUtf8(bytes.subarray(i, end));
  }
  return true;
});

/** One integer. */
export const varint: Rule = (cursor, end) => {
  const last = Math.min(end, cursor.position + MAX_VARINT_BYTES);
  while (cursor.position < last) {
    if ((cursor.bytes[cursor.position++] ?? 0) < 0x80) return true;
  }
  return false;
};

/** Integers to the end of the field. */
export const packedVarints: Rule = lengthDelimited((cursor, end) => {
  while (cursor.position < end) {
    if (!varint(cursor, end)) return false;
  }
  return true;
});

export const fixed32: Rule = fixed(4);
export const fixed64: Rule = fixed(8);

/** Four-byte values to the end of the field. */
export const packedFixed32: Rule = lengthDelimited((cursor, end) => {
  const whole = (end - cursor.position) % 4 === 0;
  cursor.position = end;
  return whole;
});

function fixed(size: number): Rule {
  return (cursor, end) => {
    cursor.position += size;
    return cursor.position <= end;
  };
}

/** Reads the length, gives `rule` the bytes it spans. */
function lengthDelimited(rule: Rule): Rule {
  return (cursor, end) => {
    let length = 0;
    // Five bytes reach past any length a record can hold.
    for (let shift = 0; ; shift += 7) {
      if (cursor.position >= end || shift > 28) return false;
      const byte = cursor.bytes[cursor.position++] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return length <= end - cursor.position && rule(cursor, cursor.position + length);
  };
}

function behindVarint(bytes: Uint8Array, position: number): number {
  while ((bytes[position] ?? 0) >= 0x80) position++;
  return position + 1;
}

function hasControlBytes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if ((bytes[i] ?? 0) < 0x20) return true;
  }
  return false;
}
