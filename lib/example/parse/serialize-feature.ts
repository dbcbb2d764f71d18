/** Defaults as the Features they stand for. */
import type { DType, Scalar } from '../tensor';

const LENGTH_DELIMITED = 2;
const FIELDS: Readonly<Record<DType, number>> = { bytes: 1, float32: 2, int64: 3 };

/** A `Feature` that holds `values`; numbers are packed. */
export function serializeFeature(dtype: DType, values: readonly Scalar[]): Uint8Array {
  return message(FIELDS[dtype], listOf(dtype, values));
}

function listOf(dtype: DType, values: readonly Scalar[]): Uint8Array {
  switch (dtype) {
    case 'bytes':
      return Buffer.concat(values.map((value) => message(1, value as Uint8Array)));
    case 'float32': {
      const view = new DataView(new ArrayBuffer(4 * values.length));
      values.forEach((value, i) => view.setFloat32(4 * i, value as number, true));
      return message(1, new Uint8Array(view.buffer));
    }
    case 'int64':
      return message(1, Uint8Array.from(values.flatMap((value) => varint(BigInt.asUintN(64, value as bigint)))));
  }
}

/** A field of bytes. */
function message(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of((field << 3) | LENGTH_DELIMITED, ...varint(BigInt(bytes.length))), bytes]);
}

function varint(value: bigint): number[] {
  const digits: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const last = rest < 0x80n;
    digits.push(Number(rest & 0x7fn) | (last ? 0 : 0x80));
    if (last) return digits;
  }
}
