/** Boxes of objects in pictures, and the rules for them that all formats share. */
import { advice, setting, tfrecordError, worded, type TFRecordError, type TFRecordErrorCode } from '../../base';

/** The edges of a box: from 0, the left and the upper edge of the picture, to 1. */
export interface Edges {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** The size of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** An object in a picture. */
export interface ObjectBox {
  /** The place of the box in its file, for errors: "Annotation 7 of instances.json". */
  readonly where: string;
  /** The edges, as shares of the picture, or in pixels from 0: `Annotated.inPixels` says which. */
  readonly edges: Edges;
  /** The name of the class. */
  readonly name: string;
  /** Values of the features of `image/object/`, by the rest of their names. */
  readonly more: Readonly<Partial<Record<MoreName, number | string>>>;
}

/** Features of objects besides box and class, and their kinds. */
export const MORE = {
  is_crowd: 'int64',
  area: 'float',
  difficult: 'int64',
  truncated: 'int64',
  view: 'bytes',
} as const;

export type MoreName = keyof typeof MORE;

/** The names of {@link MORE}. */
export const MORE_NAMES = Object.keys(MORE) as MoreName[];

/** Distance, in pixels, by which a box may exceed its picture: the formats round their numbers. It is cut off. */
const TOLERANCE = 0.0101;

/** Maximum number of decimals of a number in a file. */
const DECIMALS = 9;

/** The fault of a part of a data set for object detection, which can be left out. */
export function faultOf(
  where: string,
  what: string,
  details: {
    readonly file: string;
    readonly expected: string;
    readonly found: string;
    readonly feature?: string | undefined;
    readonly code?: TFRecordErrorCode;
  },
): TFRecordError {
  const { file, expected, found, feature, code = 'TFR_FEATURE' } = details;
  const cure = advice` ${setting('onError', 'skip')} leaves it out.`;
  const message = worded`${where}: ${what}: expected ${expected}, found ${found}.${cure}`;
  return tfrecordError(code, message, { file, feature, expected, found });
}

/**
 * The edges as shares of the picture, as float32 stores them, of a box within it; a text that says what is wrong with
 * another one.
 */
export function sharesOf(
  { xmin, ymin, xmax, ymax }: Edges,
  { width, height }: PictureSize,
  scale: PictureSize,
): Edges | string {
  const x = [xmin / scale.width, xmax / scale.width].map((share) => within(share, width));
  const y = [ymin / scale.height, ymax / scale.height].map((share) => within(share, height));
  if (![...x, ...y].every((share) => share >= 0 && share <= 1)) return 'reaches out of the picture';
  const [left, right, top, bottom] = [Math.fround(x[0]!), Math.fround(x[1]!), Math.fround(y[0]!), Math.fround(y[1]!)];
  if (!(right > left && bottom > top)) return 'has no area';
  return { xmin: left, ymin: top, xmax: right, ymax: bottom };
}

function within(share: number, size: number): number {
  if (share < 0 && share * size >= -TOLERANCE) return 0;
  return share > 1 && (share - 1) * size <= TOLERANCE ? 1 : share;
}

/** The text of the edges of a box, for errors. */
export function edgesText({ xmin, ymin, xmax, ymax }: Edges): string {
  return `${xmin}, ${ymin} to ${xmax}, ${ymax}`;
}

/**
 * The number with the fewest decimals near `value` for which `isExact` holds; `value`, if there is none. So numbers that
 * went through float32 come back as they were.
 */
export function shortest(value: number, isExact: (value: number) => boolean): number {
  for (let decimals = 0; decimals <= DECIMALS; decimals++) {
    const short = Number(value.toFixed(decimals));
    if (isExact(short)) return short;
  }
  return value;
}

/** The edges in pixels of a box of shares, each with the fewest decimals that give its share again. */
export function pixelsOf({ xmin, ymin, xmax, ymax }: Edges, { width, height }: PictureSize): Edges {
  const edge = (share: number, size: number): number =>
    shortest(share * size, (pixel) => Math.fround(pixel / size) === share);
  return { xmin: edge(xmin, width), ymin: edge(ymin, height), xmax: edge(xmax, width), ymax: edge(ymax, height) };
}
