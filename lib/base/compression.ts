/** How a file is compressed. */
export type Compression = 'none' | 'gzip' | 'zlib';

/** How a file is compressed. `'auto'` goes by the content of a source, or by the name of a target. */
export type CompressionOption = Compression | 'auto';

/** The values at the indices of native code's enum `Compression` (native/core/compression/compression.h). */
export const COMPRESSIONS = ['none', 'gzip', 'zlib', 'auto'] as const satisfies readonly CompressionOption[];

/** The values of an option, in the order in which messages list them. */
export const COMPRESSION_OPTIONS = ['auto', 'none', 'gzip', 'zlib'] as const satisfies readonly CompressionOption[];

/** The number that native code uses for `compression`. */
export function compressionNumber(compression: CompressionOption): number {
  return COMPRESSIONS.indexOf(compression);
}

/** Returns the unit of a compressed file that has a `part`: a gzip member has a `gzip trailer`, a zlib stream a `zlib header`. */
export function unitOf(part: string): string {
  return part.startsWith('zlib') ? 'zlib stream' : 'gzip member';
}
