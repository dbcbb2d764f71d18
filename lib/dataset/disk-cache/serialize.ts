/** Values to bytes and back, exactly: structured cloning as Node's `v8` module writes it, with memory of their own. */
import { DefaultDeserializer, DefaultSerializer } from 'node:v8';

import { packed, refused, unpacked, type Packed } from './classes';

/** A number of these is written, so their order stays. */
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

/** Writes views as the bytes that they show, without the rest of their memory. */
class Writer extends DefaultSerializer {
  _writeHostObject(view: ArrayBufferView): void {
    const name = Buffer.isBuffer(view) ? 'Buffer' : Object.prototype.toString.call(view).slice(8, -1);
    this.writeUint32((VIEWS as readonly string[]).indexOf(name));
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

/** @throws TypeError for values that would come back as others */
export function serialized(values: readonly unknown[]): Buffer {
  try {
    const writer = new Writer();
    writer.writeHeader();
    writer.writeValue(packed(values));
    return writer.releaseBuffer();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    // The error of a getter, of the serializer, or of values nested too deep.
    throw Object.assign(refused(values), { cause: error });
  }
}

/** Reads the values that {@link serialized} was given. @throws Error for other bytes */
export function deserialized(bytes: Uint8Array): unknown[] {
  const reader = new Reader(bytes);
  reader.readHeader();
  return unpacked(reader.readValue() as Packed);
}
