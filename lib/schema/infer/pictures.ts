/** Sizes of pictures, from their first bytes. */
import type { PictureFormat } from '../../table';

/** A summary of the pictures of a feature. */
export interface PictureSummary {
  /** Number of values that start like a picture, by format; has only formats that occur. */
  readonly formats: Readonly<Partial<Record<PictureFormat, number>>>;
  /** Number of pictures whose sizes were read: the first ones, at most 256. */
  readonly looked: number;
  /** Minimum and maximum width of these, in pixels; undefined if no size could be read. */
  readonly width: Bounds | undefined;
  /** Minimum and maximum height of these, in pixels; undefined if no size could be read. */
  readonly height: Bounds | undefined;
}

/** The minimum and maximum of some numbers. */
export interface Bounds {
  /** Minimum. */
  readonly min: number;
  /** Maximum. */
  readonly max: number;
}

/** Maximum number of pictures whose sizes are read, for one feature and for all together. */
const LOOKED_AT = 256;
const LOOKED_AT_IN_ALL = 4096;
/** Number of bytes that are searched for the size: it may come after the metadata of a camera. */
const HEAD_BYTES = 512 * 1024;

/** The size of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The sizes of the pictures of one feature. */
export class PictureSizes {
  /** The sizes of the pictures so far; undefined for those that could not be read. */
  readonly all: (PictureSize | undefined)[] = [];
  #width: Bounds | undefined;
  #height: Bounds | undefined;

  summary(formats: PictureSummary['formats']): PictureSummary | undefined {
    if (Object.keys(formats).length === 0) return undefined;
    return { formats, looked: this.all.length, width: this.#width, height: this.#height };
  }

  /** Adds the size of one picture. */
  add(size: PictureSize | undefined): void {
    this.all.push(size);
    if (size === undefined) return;
    this.#width = widened(this.#width, size.width);
    this.#height = widened(this.#height, size.height);
  }
}

/** The sizes of the pictures of all features, by the index of the feature. */
export class AllPictureSizes {
  readonly #features = new Map<number, PictureSizes>();
  #looked = 0;

  of(feature: number): PictureSizes {
    let sizes = this.#features.get(feature);
    if (sizes === undefined) this.#features.set(feature, (sizes = new PictureSizes()));
    return sizes;
  }

  /** Reads the size of a picture, unless there are many. */
  look(feature: number, bytes: Uint8Array): void {
    // A copy, because the library would read beyond the end of a view.
    this.add(feature, () => sizeOf(bytes.slice(0, HEAD_BYTES)));
  }

  /** Adds the size that `read` returns, unless there are many. */
  add(feature: number, read: () => PictureSize | undefined): void {
    const sizes = this.of(feature);
    if (sizes.all.length === LOOKED_AT || this.#looked === LOOKED_AT_IN_ALL) return;
    this.#looked++;
    sizes.add(read());
  }
}

function widened(bounds: Bounds | undefined, size: number): Bounds {
  return { min: Math.min(bounds?.min ?? size, size), max: Math.max(bounds?.max ?? size, size) };
}

/** Width and height; undefined if the library cannot read them. */
function sizeOf(bytes: Uint8Array): PictureSize | undefined {
  try {
    const { width, height } = imageSize()(bytes);
    return Number.isSafeInteger(width) && Number.isSafeInteger(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

function imageSize(): typeof import('image-size').imageSize {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when there are pictures
  return require('image-size').imageSize;
}
