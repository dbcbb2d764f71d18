/** Sizes of the TFRecord format, in bytes. */
import { constants } from 'node:buffer';

import { LARGEST_ARRAY } from './array-limit';

/** Size of a record's header: the length (8) and the checksum of the length (4). */
export const HEADER_BYTES = 12;
/** Size of a record without its payload: the header, and the checksum of the data (4) after the payload. */
export const FRAME_BYTES = 16;
/**
 * Longest payload that can be read or written here. The whole frame must fit into one Buffer, its offset into the 32 bits
 * of a frame table, and its size into the 32 bits of a gzip trailer.
 */
export const MAX_RECORD_BYTES = Math.min(constants.MAX_LENGTH, 2 ** 32 - 1) - FRAME_BYTES;
/** Default of `maxRecordBytes`: the longest payload that is read or written. In Electron, a longer one has no memory. */
export const DEFAULT_MAX_RECORD_BYTES = Math.min(2 ** 31 - 1, LARGEST_ARRAY - FRAME_BYTES);
