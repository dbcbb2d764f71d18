/** Whether typed arrays have the byte order of protobuf. */
export const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Where the low and the high word of an int64 lie in its two words of memory. */
export const LOW_WORD = LITTLE_ENDIAN ? 0 : 1;
export const HIGH_WORD = 1 - LOW_WORD;
