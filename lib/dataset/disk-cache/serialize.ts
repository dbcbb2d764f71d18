/**
 * Serializes values to bytes, and restores them exactly with memory of their own: structured cloning by Node's `v8`
 * module.
 */
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

import { packed, refused, unpacked, type Packed } from './classes';

/** Caches store indices of this list: do not reorder it. */
const VIEWS = [
  'Buffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
] as const;

type View = new (buffer: ArrayBuffer) => ArrayBufferView;

/** Writes only the bytes that a view shows, not the rest of its memory. */
class Writer extends DefaultSerializer {
  _writeHostObject(view: ArrayBufferView): void {
    const name = Buffer.isBuffer(view) ? 'Buffer' : Object.prototype.toString.call(view).slice(8, -1);
    this.writeUint32(VIEWS.findIndex((view) => view === name));
    this.writeUint32(view.byteLength);
    this.writeRawBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

class Reader extends DefaultDeserializer {
  _readHostObject(): ArrayBufferView {
    const name = VIEWS[this.readUint32()];
    const bytes = this.readRawBytes(this.readUint32());
    const { buffer } = new Uint8Array(bytes);
    if (name === 'Buffer') return Buffer.from(buffer);
    const Made = (globalThis as unknown as Record<string, View | undefined>)[name ?? ''];
    if (Made === undefined) throw new TypeError(`This Node has no ${name}`);
    return new Made(buffer);
  }
}

/** Serializes `values`. @throws TypeError for values that would not be restored exactly */
export function serialized(values: readonly unknown[]): Buffer {
  try {
    const writer = new Writer();
    writer.writeHeader();
    writer.writeValue(packed(values));
    return writer.releaseBuffer();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    // A getter or the serializer threw, or the values are nested too deep.
    throw Object.assign(refused(values), { cause: error });
  }
}

/** Restores the values that {@link serialized} wrote. @throws Error for other bytes */
export function deserialized(bytes: Uint8Array): unknown[] {
  const reader = new Reader(bytes);
  reader.readHeader();
  return unpacked(reader.readValue() as Packed);
}
