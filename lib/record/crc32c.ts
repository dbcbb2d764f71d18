import { types } from 'node:util';

import { invalidArgType, outOfRange, lengthOf, viewOf } from '../base';
import { isShared, unsharedBytes } from '../io';
import { native } from '../native';

const MASK_DELTA = 0xa282ead8;
/** Shared memory is copied in parts of this many bytes. */
const SHARED_PIECE = 1024 * 1024;

/**
 * Computes the CRC-32C (Castagnoli, RFC 3720) of `bytes`, an unsigned 32-bit number.
 *
 * @param previous - A finished checksum to continue: `crc32c(b, crc32c(a))` is the checksum of `a` followed by `b`.
 *   Default: 0.
 * @throws TypeError ERR_INVALID_ARG_TYPE or RangeError ERR_OUT_OF_RANGE for wrong arguments.
 *
 * @example
 * crc32c(new TextEncoder().encode('123456789')); // 0xe3069283
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  if (!types.isUint8Array(bytes)) throw invalidArgType('bytes', 'a Uint8Array', bytes);
  let crc = checkUint32('previous', previous);
  if (!isShared(bytes)) return native().crc32c(bytes, crc);
  const length = lengthOf(bytes);
  for (let at = 0; at < length; at += SHARED_PIECE) {
    crc = native().crc32c(unsharedBytes(viewOf(bytes, at, Math.min(at + SHARED_PIECE, length))), crc);
  }
  return crc;
}

/**
 * Masks a checksum as TFRecord files store it: rotated right by 15 bits, plus 0xa282ead8.
 *
 * @throws TypeError ERR_INVALID_ARG_TYPE or RangeError ERR_OUT_OF_RANGE if `crc` is not an unsigned 32-bit number.
 *
 * @example
 * const stored = maskCrc32c(crc32c(data)); // as a record has it behind its data
 */
export function maskCrc32c(crc: number): number {
  checkUint32('crc', crc);
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

/**
 * Restores the checksum that {@link maskCrc32c} masked.
 *
 * @throws TypeError ERR_INVALID_ARG_TYPE or RangeError ERR_OUT_OF_RANGE if `masked` is not an unsigned 32-bit number.
 *
 * @example
 * unmaskCrc32c(maskCrc32c(crc32c(data))) === crc32c(data); // true
 */
export function unmaskCrc32c(masked: number): number {
  checkUint32('masked', masked);
  const rotated = (masked - MASK_DELTA) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

function checkUint32(name: string, value: unknown): number {
  if (typeof value !== 'number') throw invalidArgType(name, 'a number', value);
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw outOfRange(name, 'an integer from 0 to 2^32 - 1', value);
  }
  return value;
}
