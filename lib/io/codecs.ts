import { compressionNumber, type Compression } from '../base';

/** The names of all compressions, in the order in which messages list them. */
export const CODEC_NAMES = ['none', 'gzip', 'zlib'] as const satisfies readonly Compression[];

/** Levels of compression: 0 stores, the last one takes longest. */
export const DEFAULT_LEVEL = 6;
export const MAX_LEVEL = 9;

interface Codec {
  /** The ends of names of such files; the first is looked for first. */
  readonly extensions: readonly string[];
  /** True if a file may begin so. */
  begins(first: number, second: number): boolean;
  /** True if a file is a sequence of members: they can be inflated in parallel, and more can be appended. */
  readonly hasMembers: boolean;
}

const CODECS: ReadonlyMap<Compression, Codec> = new Map<Compression, Codec>([
  ['gzip', { extensions: ['.gz'], begins: (first, second) => first === 0x1f && second === 0x8b, hasMembers: true }],
  [
    'zlib',
    {
      extensions: ['.zlib', '.zz'],
      // RFC 1950, section 2.2: the method is 8, and the two bytes are a multiple of 31.
      begins: (first, second) => (first & 0x0f) === 8 && (256 * first + second) % 31 === 0,
      hasMembers: false,
    },
  ],
]);

/** The ends of the names of compressed files. */
export const COMPRESSED_EXTENSIONS = [...CODECS.values()].flatMap(({ extensions }) => extensions);

/** The compressions of files to which more can be appended. */
export const APPENDABLE = CODEC_NAMES.filter((name) => CODECS.get(name)?.hasMembers !== false);

/** True if a file of the compression with this number, that of `compressionNumber`, is one stream with one end. */
export function isOneStream(compression: number): boolean {
  return !APPENDABLE.some((name) => compressionNumber(name) === compression);
}

/** True if files of `compression` are sequences of members. */
export function hasMembers(compression: Compression): boolean {
  return CODECS.get(compression)?.hasMembers === true;
}

/** Returns the compression that the end of `name` means, in upper or lower case. */
export function compressionByName(name: string): Compression {
  return find(({ extensions }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));
}

/** Returns the compression that the first two bytes of a file mean. */
export function compressionByMagic(first: number, second: number): Compression {
  return find((codec) => codec.begins(first, second));
}

/** Returns `name` without the end that means a compression. */
export function withoutCompression(name: string): string {
  const extension = COMPRESSED_EXTENSIONS.find((end) => name.toLowerCase().endsWith(end));
  return extension === undefined ? name : name.slice(0, -extension.length);
}

function find(accepts: (codec: Codec) => boolean): Compression {
  return [...CODECS].find(([, codec]) => accepts(codec))?.[0] ?? 'none';
}
