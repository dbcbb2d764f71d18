/** Lists of int64 and float32 as NumPy's files: arrays of one dimension, little-endian. */
import { float, int64, type FeatureLike } from '../../example';

const MAGIC = Buffer.from('\x93NUMPY\x01\0', 'latin1');
/** The magic bytes, the version, and the length of the header. */
const PREFIX = MAGIC.length + 2;
/** The header and all before it have a multiple of this many bytes. */
const ALIGNMENT = 64;
const HEADER = /^\{'descr': '(<i8|<f4)', 'fortran_order': False, 'shape': \((\d{1,10}),\), \}\s*$/;

/** The file of `values`. NaNs keep their bits. */
export function encodeNpy(values: BigInt64Array | Float32Array): Buffer<ArrayBuffer> {
  const type = values instanceof Float32Array ? '<f4' : '<i8';
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${values.length},), }`;
  const length = Math.ceil((PREFIX + text.length + 1) / ALIGNMENT) * ALIGNMENT - PREFIX;
  const head = Buffer.alloc(PREFIX);
  MAGIC.copy(head);
  head.writeUInt16LE(length, MAGIC.length);
  const header = Buffer.from(`${text.padEnd(length - 1)}\n`, 'latin1');
  return Buffer.concat([head, header, Buffer.from(values.buffer, values.byteOffset, values.byteLength)]);
}

/** The values in `file`; undefined if it is not such an array. */
export function decodeNpy(file: Buffer): FeatureLike | undefined {
  if (file.length < PREFIX || !file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const begin = PREFIX + file.readUInt16LE(MAGIC.length);
  const [, type, count] = HEADER.exec(file.toString('latin1', PREFIX, begin)) ?? [];
  if (type === undefined) return undefined;
  const data = Uint8Array.from(file.subarray(begin)).buffer;
  const size = type === '<f4' ? 4 : 8;
  if (data.byteLength !== Number(count) * size) return undefined;
  return type === '<f4' ? float(new Float32Array(data)) : int64(new BigInt64Array(data));
}
