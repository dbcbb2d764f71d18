/**
 * Messages as the frames of a WebSocket. A page sends text: JSON. A host sends bytes: the length of a JSON text as a
 * little-endian uint32, that text, and then the bytes of its Uint8Arrays, for which it has `{"$bytes": length}`. JSON
 * has no infinities and no NaN: they are `{"$number": text}`.
 */
import type { ToPage } from './messages';

const BYTES = '$bytes';
const NUMBER = '$number';

/** Returns the frame of a host's message. Objects of messages have fixed members, so no member has one of these names. */
export function packFrame(message: ToPage): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 4;
  const json = JSON.stringify(message, function (this: Readonly<Record<string, unknown>>, name, converted: unknown) {
    // A Buffer has been converted to an object already.
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

/** Returns the message of a host's frame. Its Uint8Arrays are views of `frame`. */
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
