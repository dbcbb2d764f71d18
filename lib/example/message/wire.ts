/** Protobuf's wire format, read from bytes that may be anything, and checked against protobuf's limits. */
import type { Field, Type } from 'protobufjs/light';

import { counted, TFRecordError, type TFRecordErrorCode } from '../../base';

const VARINT = 0;
const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

// Protobuf's own limits, the same as in native code (core/example/wire/wire.h).
/** Lengths and tags are 32-bit numbers. */
const MAX_SHORT_VARINT_BYTES = 5;
const MAX_VARINT_BYTES = 10;
const MAX_LENGTH = 0x7fff_ffff;
/** Maximum number of messages and groups inside one another, counted together. */
export const MAX_DEPTH = 100;

/** A field's tag, `field number << 3 | wire type`, for a switch. */
export function tagOf(field: number, wireType: number): number {
  return field * 8 + wireType;
}

/**
 * A position in a record. Methods read bytes before `end`, the end of the current message.
 *
 * Malformed bytes throw a TFRecordError that gives the byte's position.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  position = 0;
  /** Names the expected message in errors: `an Example`. */
  readonly #what: string;
  readonly #code: TFRecordErrorCode;

  constructor(bytes: Uint8Array, what: string, code: TFRecordErrorCode = 'TFR_EXAMPLE') {
    this.bytes = bytes;
    this.#what = what;
    this.#code = code;
  }

  /** The next field's tag. */
  tag(end: number): number {
    const start = this.position;
    const tag = this.#shortVarint(end, 'a tag');
    if (tag > 0xffff_ffff) this.fail(start, 'a tag is larger than 32 bits');
    if (tag < 8) this.fail(start, 'a field has number 0');
    return tag;
  }

  /** Reads a length, and returns the position after the content. */
  contentEnd(end: number): number {
    const start = this.position;
    const length = this.#shortVarint(end, 'a length');
    if (length > MAX_LENGTH) this.fail(start, `a length of ${length} is more than 2^31 - 1`);
    if (length > end - this.position) {
      this.fail(
        start,
        `a length of ${length} reaches past the ${counted(end - this.position, 'byte that is left', undefined, 'bytes that are left')}`,
      );
    }
    return this.position + length;
  }

  /** Skips one integer. */
  skipVarint(end: number): void {
    const start = this.position;
    const last = Math.min(end, start + MAX_VARINT_BYTES);
    while (this.position < last) {
      if (this.bytes[this.position++]! < 0x80) return;
    }
    this.fail(start, end - start < MAX_VARINT_BYTES ? 'an integer is cut' : 'an integer is longer than 10 bytes');
  }

  /** Skips `size` bytes. */
  skipBytes(size: number, end: number): void {
    if (size > end - this.position) this.fail(this.position, `a value of ${counted(size, 'byte')} is cut`);
    this.position += size;
  }

  /** Skips the value of an unknown field. `depth` is the number of messages and groups around it. */
  skipField(tag: number, end: number, depth: number): void {
    switch (tag & 7) {
      case VARINT:
        this.skipVarint(end);
        return;
      case FIXED64:
        this.skipBytes(8, end);
        return;
      case LENGTH_DELIMITED:
        this.position = this.contentEnd(end);
        return;
      case START_GROUP:
        this.#skipGroup(tag, end, depth + 1);
        return;
      case FIXED32:
        this.skipBytes(4, end);
        return;
      case END_GROUP:
        return this.fail(this.position, 'a group ends that did not start');
      default:
        return this.fail(this.position, `wire type ${tag & 7} does not exist`);
    }
  }

  /** Checks the number of messages and groups around the current one. */
  checkDepth(depth: number): void {
    if (depth > MAX_DEPTH) this.fail(this.position, `messages and groups are nested more than ${MAX_DEPTH} deep`);
  }

  fail(position: number, reason: string): never {
    throw new TFRecordError(
      this.#code,
      `The bytes are not ${this.#what}: at byte ${position} of ${this.bytes.length}, ${reason}`,
      { expected: this.#what, found: `${reason} at byte ${position}` },
    );
  }

  #skipGroup(tag: number, end: number, depth: number): void {
    this.checkDepth(depth);
    const last = tag - START_GROUP + END_GROUP;
    while (this.position < end) {
      const next = this.tag(end);
      if (next === last) return;
      this.skipField(next, end, depth);
    }
    this.fail(this.position, 'a group has no end');
  }

  #shortVarint(end: number, what: string): number {
    const start = this.position;
    const last = Math.min(end, start + MAX_SHORT_VARINT_BYTES);
    let value = 0;
    for (let scale = 1; this.position < last; scale *= 0x80) {
      const byte = this.bytes[this.position++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return this.fail(start, end - start < MAX_SHORT_VARINT_BYTES ? `${what} is cut` : `${what} is longer than 5 bytes`);
  }
}

/** Compares strings by their UTF-8 bytes, which is the order of code points; JavaScript's `<` compares UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF, which are after U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit;
}

/** A message's fields that hold messages or groups, by their tags. */
interface Nested {
  get(tag: number): Nested | undefined;
}

const NONE: Nested = new Map();
const known = new WeakMap<Type, Nested>();

/** `name` of a message, with its article: `an Example`. */
export function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Walks over all fields of a message of `type`, and of the messages in it. Tags, lengths, integers, and the depth of
 * messages and groups must be within protobuf's limits, as in native code, and every field must end inside its message:
 * protobufjs has other limits for some of them. Values are left to protobufjs.
 * @throws TFRecordError `code`, with the byte
 */
export function checkWire(type: Type, bytes: Uint8Array, code: TFRecordErrorCode): void {
  checkFields(nestedIn(type), new WireReader(bytes, withArticle(type.name), code), bytes.length, 0);
}

/** Checks the fields up to `end`; those of a group up to the tag `last`, before `end`. */
function checkFields(nested: Nested, reader: WireReader, end: number, depth: number, last?: number): void {
  reader.checkDepth(depth);
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === last) return;
    const inner = nested.get(tag);
    if (inner === undefined) reader.skipField(tag, end, depth);
    else if ((tag & 7) === START_GROUP) checkFields(inner, reader, end, depth + 1, tag - START_GROUP + END_GROUP);
    else checkFields(inner, reader, reader.contentEnd(end), depth + 1);
  }
  if (last !== undefined) reader.fail(reader.position, 'a group has no end');
}

/** The nested fields of a type, found when a record has the first of them: types may be nested without an end. */
class NestedFields implements Nested {
  readonly #fields = new Map<number, Field>();
  readonly #found = new Map<number, Nested>();

  constructor(type: Type) {
    for (const field of type.fieldsArray) {
      if (field.resolve().map || holdsMessages(field))
        this.#fields.set(tagOf(field.id, field.delimited ? START_GROUP : LENGTH_DELIMITED), field);
    }
  }

  get(tag: number): Nested | undefined {
    let nested = this.#found.get(tag);
    const field = nested === undefined ? this.#fields.get(tag) : undefined;
    if (field !== undefined) this.#found.set(tag, (nested = contentOf(field)));
    return nested;
  }
}

function nestedIn(type: Type): Nested {
  let nested = known.get(type);
  if (nested === undefined) known.set(type, (nested = new NestedFields(type)));
  return nested;
}

function holdsMessages(field: Field): boolean {
  return field.resolvedType !== null && 'fieldsArray' in field.resolvedType;
}

/** The nested fields of a field's values; for a map, those of its entries. */
function contentOf(field: Field): Nested {
  const value = holdsMessages(field) ? nestedIn(field.resolvedType as Type) : undefined;
  if (!field.map) return value ?? NONE;
  return value === undefined ? NONE : new Map([[tagOf(2, LENGTH_DELIMITED), value]]);
}
