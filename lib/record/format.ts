/** Sizes of the TFRecord format, in bytes. */
import { constants } from 'node:buffer';

/** What comes before a payload: its length and the checksum of the length. */
export const HEADER_BYTES = 12;
/** What a record takes beyond its payload: the header, and behind it the checksum of the data. */
export const FRAME_BYTES = 16;
/**
 * Longest payload that can be read or written here: the whole frame must fit into one Buffer, its place into the 32 bits
 * of a frame table and its size into those of a gzip trailer.
 */
export const MAX_RECORD_BYTES = Math.min(constants.MAX_LENGTH, 2 ** 32 - 1) - FRAME_BYTES;
/** Longest payload that is read or written, unless the caller allows more. */
export const DEFAULT_MAX_RECORD_BYTES = 2 ** 31 - 1;
