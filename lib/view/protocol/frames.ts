/**
 * Encodes messages as frames of a WebSocket. A page sends JSON text. A host sends bytes: the length of a JSON text as a
 * little-endian uint32, that text, and then the bytes of its Uint8Arrays, which are `{"$bytes": length}` in the text.
 * Infinities and NaN, which JSON does not have, are `{"$number": text}`.
 */
import type { ToPage } from './messages';

const BYTES = '$bytes';
const NUMBER = '$number';

/** Encodes a host's message as a frame. Objects of messages have fixed members, so no member has one of these names. */
export function packFrame(message: ToPage): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 4;
  const json = JSON.stringify(message, function (this: Readonly<Record<string, unknown>>, name, converted: unknown) {
    // The value itself: a Buffer was already converted by its `toJSON`.
    const value = this[name];
    if (typeof value === 'number' && !Number.isFinite(value)) return { [NUMBER]: String(value) };
    if (!(value instanceof Uint8Array)) return converted;
    parts.push(value);
    size += value.length;
    return { [BYTES]: value.length };
  });
  const head = new TextEncoder().encode(json);
  const frame = new Uint8Array(size + head.length);
  new DataView(frame.buffer).setUint32(0, head.length, true);
  frame.set(head, 4);
  let at = 4 + head.length;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** Decodes a host's frame. Uint8Arrays of the message are views of `frame`. */
export function unpackFrame(frame: ArrayBuffer): ToPage {
  const length = new DataView(frame).getUint32(0, true);
  let at = 4 + length;
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 4, length)), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (NUMBER in value) return Number(value[NUMBER]);
    if (!(BYTES in value)) return value;
    const bytes = new Uint8Array(frame, at, value[BYTES] as number);
    at += bytes.length;
    return bytes;
  }) as ToPage;
}
