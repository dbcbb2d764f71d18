/** The results of a survey about each feature, as plain data. */
import { TextDecoder } from 'node:util';

import { SurveyField, type NativeSurveyedFeature } from '../../native';

/** The formats of pictures that a survey recognises. Native code uses their indices here. */
export const PICTURE_FORMATS = [
  'JPEG',
  'PNG',
  'GIF',
  'WebP',
  'BMP',
  'TIFF',
] as const satisfies readonly PictureFormat[];
/** The format of a picture, recognised by its first bytes. */
export type PictureFormat = 'JPEG' | 'PNG' | 'GIF' | 'WebP' | 'BMP' | 'TIFF';

/** Minimum, maximum and sum of some counts or sizes. */
export interface Extent {
  /** Minimum. */
  readonly min: number;
  /** Maximum. */
  readonly max: number;
  /** Sum. */
  readonly total: number;
}

/** Number of features (for feature lists: of steps) by kind. */
export interface KindCounts {
  /** Number with byte strings. */
  readonly bytes: number;
  /** Number with floats. */
  readonly float32: number;
  /** Number with integers. */
  readonly int64: number;
  /** Number without a kind: neither values nor an empty list. */
  readonly none: number;
}

/** Summary of a feature's integers. */
export interface Int64Summary {
  /** Minimum. */
  readonly min: bigint;
  /** Maximum. */
  readonly max: bigint;
  /** Number of zeros. */
  readonly zeros: number;
  /** All different values in ascending order; undefined if there are more than 100. */
  readonly distinct: readonly bigint[] | undefined;
}

/** Summary of a feature's floats. */
export interface FloatSummary {
  /** Minimum of the finite values; undefined if there are none. */
  readonly min: number | undefined;
  /** Maximum of the finite values; undefined if there are none. */
  readonly max: number | undefined;
  /** Number of zeros of both signs. */
  readonly zeros: number;
  /** Number of NaN. */
  readonly nans: number;
  /** Number of infinities of both signs. */
  readonly infinities: number;
}

/** Summary of a feature's byte strings. */
export interface BytesSummary {
  /** Lengths of the values, in bytes. */
  readonly lengths: Extent;
  /** Number of values that are not UTF-8. */
  readonly notUtf8: number;
  /** Number of values that are UTF-8, but have control characters other than tabs and line ends. */
  readonly withControls: number;
  /** Number of values that start like a picture, by format; has only formats that occur. */
  readonly pictures: Readonly<Partial<Record<PictureFormat, number>>>;
  /**
   * All different values, in the order of their bytes; undefined if there are more than 100, if one is longer than 128
   * bytes, or if their total length exceeds 4096 bytes.
   */
  readonly distinct: readonly Uint8Array[] | undefined;
}

/** One feature or feature list in all records. Values are those of all records. */
export interface FeatureSurvey {
  /** `context`: features of an Example, or of a SequenceExample's context. `sequence`: feature lists. */
  readonly section: 'context' | 'sequence';
  /** Its name. */
  readonly name: string;
  /** Number of records that have it, with or without a kind. */
  readonly records: number;
  /** Number of features (for feature lists: of steps) by kind. */
  readonly kinds: KindCounts;
  /** Number of features (for feature lists: of steps) that have a kind but no values. */
  readonly empty: number;
  /** Number of values per feature (for feature lists: per step) that has a kind; undefined if none has one. */
  readonly counts: Extent | undefined;
  /** For feature lists: number of steps per record that has the list. */
  readonly steps: Extent | undefined;
  /** Undefined if there are no integers. */
  readonly int64: Int64Summary | undefined;
  /** Undefined if there are no floats. */
  readonly float32: FloatSummary | undefined;
  /** Undefined if there are no byte strings. */
  readonly bytes: BytesSummary | undefined;
}

/** The kind of all values of a feature: `none` if it never had one, `mixed` if it had several. */
export type SurveyedKind = 'bytes' | 'float32' | 'int64' | 'mixed' | 'none';

/** The kind that follows from `counts`. */
export function surveyedKind({ bytes, float32, int64 }: KindCounts): SurveyedKind {
  const kinds = Object.entries({ bytes, float32, int64 }).filter(([, count]) => count > 0);
  if (kinds.length > 1) return 'mixed';
  return (kinds[0]?.[0] ?? 'none') as SurveyedKind;
}

/**
 * True if there is at least one byte string, all are UTF-8, and none has control characters other than tabs and line
 * ends.
 */
export function isText({ bytes }: FeatureSurvey): boolean {
  return bytes?.notUtf8 === 0 && bytes.withControls === 0;
}

/** True if each of `records` records has the feature with a kind. */
export function isInAll({ section, records: having, kinds }: FeatureSurvey, records: number): boolean {
  return (section === 'context' ? having - kinds.none : having) === records;
}

/**
 * Minimum number of values in a feature or step that is present. Like TensorFlow, counts a step without a kind as one
 * without values.
 */
export function fewestValues({ section, kinds, counts }: FeatureSurvey): number | undefined {
  return section === 'sequence' && kinds.none > 0 ? 0 : counts?.min;
}

/** The number of values, if it is above 0 and the same in all records with the feature; else undefined. */
export function fixedCount(feature: FeatureSurvey): number | undefined {
  const { counts } = feature;
  return counts !== undefined && counts.max > 0 && fewestValues(feature) === counts.max ? counts.max : undefined;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Converts the result of native code to plain data. */
export function featureSurvey({ section, name, numbers, ...native }: NativeSurveyedFeature): FeatureSurvey {
  const at = (field: number): number => numbers[field]!;
  const extent = (field: SurveyField): Extent | undefined =>
    at(field) > at(field + 1) ? undefined : { min: at(field), max: at(field + 1), total: at(field + 2) };
  return {
    section: section === 0 ? 'context' : 'sequence',
    name: utf8.decode(name),
    records: at(SurveyField.Records),
    kinds: {
      bytes: at(SurveyField.Kinds + 1),
      float32: at(SurveyField.Kinds + 2),
      int64: at(SurveyField.Kinds + 3),
      none: at(SurveyField.Kinds),
    },
    empty: at(SurveyField.Empty),
    counts: extent(SurveyField.Counts),
    steps: extent(SurveyField.Steps),
    int64: int64Summary(native, at(SurveyField.IntZeros)),
    float32: floatSummary(numbers),
    bytes: bytesSummary(native, numbers, extent(SurveyField.Lengths)),
  };
}

function int64Summary(
  { ints, manyInts }: Pick<NativeSurveyedFeature, 'ints' | 'manyInts'>,
  zeros: number,
): Int64Summary | undefined {
  const [min, max] = [ints[0]!, ints[1]!];
  if (min > max) return undefined;
  return { min, max, zeros, distinct: manyInts ? undefined : [...ints.subarray(2).sort()] };
}

function floatSummary(numbers: Float64Array): FloatSummary | undefined {
  const [min, max] = [numbers[SurveyField.FloatMin]!, numbers[SurveyField.FloatMax]!];
  const [nans, infinities] = [numbers[SurveyField.NaNs]!, numbers[SurveyField.Infinities]!];
  const finite = min <= max;
  if (!finite && nans === 0 && infinities === 0) return undefined;
  const zeros = numbers[SurveyField.FloatZeros]!;
  return { min: finite ? min : undefined, max: finite ? max : undefined, zeros, nans, infinities };
}

function bytesSummary(
  { words, wordEnds }: Pick<NativeSurveyedFeature, 'words' | 'wordEnds'>,
  numbers: Float64Array,
  lengths: Extent | undefined,
): BytesSummary | undefined {
  if (lengths === undefined) return undefined;
  const pictures: Partial<Record<PictureFormat, number>> = {};
  PICTURE_FORMATS.forEach((format, i) => {
    const count = numbers[SurveyField.Pictures + 1 + i]!;
    if (count > 0) pictures[format] = count;
  });
  const distinct = wordEnds && Array.from(wordEnds, (end, i) => words.slice(i === 0 ? 0 : wordEnds[i - 1], end));
  distinct?.sort((a, b) => Buffer.compare(a, b));
  return {
    lengths,
    notUtf8: numbers[SurveyField.Binary]!,
    withControls: numbers[SurveyField.Control]!,
    pictures,
    distinct,
  };
}
