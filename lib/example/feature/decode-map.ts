/** Maps of names to messages, merged as protobuf does: of two entries with one name the last counts, whole. */
import { TextDecoder } from 'node:util';

import { LENGTH_DELIMITED, tagOf, type WireReader } from './wire-reader';

const ENTRY = tagOf(1, LENGTH_DELIMITED);
const NAME = tagOf(1, LENGTH_DELIMITED);
const VALUE = tagOf(2, LENGTH_DELIMITED);

/** What puts a map's value together: the parts of one entry are merged. */
export interface ValueBuilder<V> {
  /** Reads a part of the value, a message to `end`. */
  read(reader: WireReader, end: number, depth: number): void;
  build(bytes: Uint8Array): V;
}

/**
 * Reads a message to `end` whose field 1 is a map, into `target`, an object without a prototype. What an entry leaves
 * out is empty.
 */
export function readMap<V>(
  reader: WireReader,
  end: number,
  depth: number,
  target: Record<string, V>,
  newBuilder: () => ValueBuilder<V>,
): void {
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag !== ENTRY) {
      reader.skipField(tag, end, depth);
      continue;
    }
    const entryEnd = reader.contentEnd(end);
    const builder = newBuilder();
    let name = '';
    while (reader.position < entryEnd) {
      const part = reader.tag(entryEnd);
      if (part === NAME) name = readName(reader, reader.contentEnd(entryEnd));
      else if (part === VALUE) builder.read(reader, reader.contentEnd(entryEnd), depth + 2);
      else reader.skipField(part, entryEnd, depth + 1);
    }
    target[name] = builder.build(reader.bytes);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Up to this many bytes, ASCII is faster without the decoder. */
const SHORT = 32;

function readName(reader: WireReader, end: number): string {
  const { bytes, position } = reader;
  reader.position = end;
  if (end - position <= SHORT) {
    let name = '';
    let i = position;
    for (; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= 0x80) break;
      name += String.fromCharCode(byte);
    }
    if (i === end) return name;
  }
  try {
    return decoder.decode(bytes.subarray(position, end));
  } catch {
    return reader.fail(position, 'a name is no UTF-8');
  }
}
