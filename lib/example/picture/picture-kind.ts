/** Finds the formats and the sizes of pictures by their bytes. */

/** A picture that TensorFlow decodes. */
export interface PictureKind {
  /** The format, as TensorFlow calls it. */
  readonly format: 'jpeg' | 'png' | 'gif' | 'bmp' | 'webp';
  readonly width: number;
  readonly height: number;
}

/** How files of a format begin, and how many bytes are needed to find the size. */
interface Format {
  readonly name: PictureKind['format'];
  /** Characters of the first bytes; a dot stands for any. */
  readonly start: RegExp;
  readonly headBytes: number;
}

const FORMATS: readonly Format[] = [
  { name: 'jpeg', start: /^\xff\xd8\xff/, headBytes: 4 },
  { name: 'png', start: /^\x89PNG\r\n\x1a\n/, headBytes: 40 },
  { name: 'gif', start: /^GIF8[79]a/, headBytes: 10 },
  { name: 'webp', start: /^RIFF[^]{4}WEBPVP8/, headBytes: 30 },
  { name: 'bmp', start: /^BM/, headBytes: 26 },
];

/** Number of bytes that suffice to recognise the format. */
export const START_BYTES = 16;

/** Number of bytes in which the size of a JPEG is searched for, if its segments do not lead to it. */
const SEARCHED_BYTES = 64 * 1024;

/** Maximum number of segments before the one with the size. Each has at most 64 KiB. */
const MAX_SEGMENTS = 4096;

/** The extensions of pictures, in lower case. */
export const PICTURE_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.bmp'] as const;

/** Matches names of pictures. */
export const PICTURE_NAME = new RegExp(`(?:${PICTURE_EXTENSIONS.join('|').replaceAll('.', '\\.')})$`, 'i');

/** Returns the format whose files begin like `bytes`; undefined if there is none. */
export function pictureFormat(bytes: Uint8Array): Format | undefined {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1');
  return FORMATS.find((format) => format.start.test(start));
}

/** Returns the format of the picture `bytes`, and its size; for other bytes a text that says what they are. */
export function pictureKind(bytes: Uint8Array): PictureKind | string {
  if (bytes.length === 0) return 'an empty file';
  const format = pictureFormat(bytes);
  if (format === undefined) return `the first bytes ${Buffer.from(bytes.subarray(0, 8)).toString('hex')}`;
  const { name, headBytes } = format;
  const without = `the start of a ${name.toUpperCase()} file without a size`;
  // Shorter heads give wrong sizes for some formats.
  if (bytes.length < Math.min(headBytes, 30) || (name === 'bmp' && bytes[14]! < 40)) return without;
  // A copy, because the library reads beyond a view in its buffer.
  const head = bytes.slice(0, name === 'jpeg' ? endOfFrame(bytes) : headBytes);
  try {
    const { width, height } = imageSize()(head);
    const isSize = [width, height].every((size) => Number.isInteger(size) && size > 0 && size < 2 ** 31);
    return isSize ? { format: name, width, height } : without;
  } catch {
    return without;
  }
}

/** Returns the end of the segment of a JPEG that has the size. The segments before it may be long. */
function endOfFrame(bytes: Uint8Array): number {
  let at = 2;
  for (let i = 0; i < MAX_SEGMENTS && at + 4 <= bytes.length && bytes[at] === 0xff; i++) {
    const marker = bytes[at + 1]!;
    const end = at + 2 + 0x100 * bytes[at + 2]! + bytes[at + 3]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return end;
    at = end;
  }
  return SEARCHED_BYTES;
}

function imageSize(): typeof import('image-size').imageSize {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when there are pictures
  return require('image-size').imageSize;
}
