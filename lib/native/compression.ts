/** How a file is compressed. */
export type Compression = 'none' | 'gzip' | 'zlib';

/** How a file is said to be compressed. `'auto'`: its content, or the name of a target, tells. */
export type CompressionOption = Compression | 'auto';

/** How files are compressed, at the numbers of native code's `Compression` (native/core/compression/compression.h). */
export const COMPRESSIONS = ['none', 'gzip', 'zlib', 'auto'] as const satisfies readonly CompressionOption[];

/** The values of options, in the order in which messages list them. */
export const COMPRESSION_OPTIONS = ['auto', 'none', 'gzip', 'zlib'] as const satisfies readonly CompressionOption[];

/** The number by which native code knows it. */
export function compressionNumber(compression: CompressionOption): number {
  return COMPRESSIONS.indexOf(compression);
}
