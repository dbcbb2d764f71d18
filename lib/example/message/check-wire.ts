/** Checks protobuf's limits of the wire format; protobufjs has other limits for some of them. */
import type { Field, MapField, Type } from 'protobufjs/light';

import type { TFRecordErrorCode } from '../../errors';
import { LENGTH_DELIMITED, tagOf, WireReader } from './wire-reader';

/** A message's fields that hold messages, by their tags. */
type Nested = ReadonlyMap<number, Nested>;

const NONE: Nested = new Map();
const known = new WeakMap<Type, Nested>();

/**
 * Walks over all fields of a message of `type`, and of the messages in it. Tags, lengths, integers, and the depth of
 * messages and groups must be within protobuf's limits, as in native code, and every field must end inside its message.
 * Values are left to protobufjs.
 * @throws TFRecordError `code`, telling the byte
 */
export function checkWire(type: Type, bytes: Uint8Array, code: TFRecordErrorCode): void {
  const article = /^[AEIOU]/.test(type.name) ? 'an' : 'a';
  checkFields(nestedIn(type), new WireReader(bytes, `${article} ${type.name}`, code), bytes.length, 0);
}

function checkFields(nested: Nested, reader: WireReader, end: number, depth: number): void {
  while (reader.position < end) {
    const tag = reader.tag(end);
    const inner = nested.get(tag);
    if (inner === undefined) reader.skipField(tag, end, depth);
    else checkFields(inner, reader, reader.contentEnd(end), depth + 1);
  }
}

function nestedIn(type: Type): Nested {
  const found = known.get(type);
  if (found !== undefined) return found;
  const nested = new Map<number, Nested>();
  // A message type may contain itself.
  known.set(type, nested);
  for (const field of type.fieldsArray) {
    const inner = contentOf(field.resolve());
    if (inner !== undefined) nested.set(tagOf(field.id, LENGTH_DELIMITED), inner);
  }
  return nested;
}

/** The nested fields of `field`; undefined if its values are not messages. */
function contentOf(field: Field | MapField): Nested | undefined {
  const { resolvedType } = field;
  const value = resolvedType !== null && 'fieldsArray' in resolvedType ? nestedIn(resolvedType) : undefined;
  if (!field.map) return value;
  return value === undefined ? NONE : new Map([[tagOf(2, LENGTH_DELIMITED), value]]);
}
