/** The findings of a survey about each feature, as plain data. */
import { TextDecoder } from 'node:util';

import { SurveyField, type NativeSurveyedFeature } from '../../native';

/** The formats of pictures that a survey tells apart, at the numbers that native code uses. */
const PICTURES = ['JPEG', 'PNG', 'GIF', 'WebP', 'BMP', 'TIFF'] as const satisfies readonly PictureFormat[];
/** The format of a picture, by its first bytes. */
export type PictureFormat = 'JPEG' | 'PNG' | 'GIF' | 'WebP' | 'BMP' | 'TIFF';

/** The fewest, the most and the sum of some counts or sizes. */
export interface Extent {
  /** The fewest or smallest. */
  readonly min: number;
  /** The most or largest. */
  readonly max: number;
  /** The sum. */
  readonly total: number;
}

/** Numbers of features (of feature lists: steps) by their kind. */
export interface KindCounts {
  /** With byte strings. */
  readonly bytes: number;
  /** With floats. */
  readonly float32: number;
  /** With integers. */
  readonly int64: number;
  /** Without any kind: neither values nor an empty list. */
  readonly none: number;
}

/** The values of a feature that are integers. */
export interface Int64Summary {
  /** The smallest. */
  readonly min: bigint;
  /** The largest. */
  readonly max: bigint;
  /** Number of zeros. */
  readonly zeros: number;
  /** All different values, ascending; undefined if there are more than 100. */
  readonly distinct: readonly bigint[] | undefined;
}

/** The values of a feature that are floats. */
export interface FloatSummary {
  /** The smallest finite value; undefined if there is none. */
  readonly min: number | undefined;
  /** The largest finite value; undefined if there is none. */
  readonly max: number | undefined;
  /** Number of zeros, of both signs. */
  readonly zeros: number;
  /** Number of NaN. */
  readonly nans: number;
  /** Number of infinities, of both signs. */
  readonly infinities: number;
}

/** The values of a feature that are byte strings. */
export interface BytesSummary {
  /** Lengths of the values, in bytes. */
  readonly lengths: Extent;
  /** Values that are not UTF-8. */
  readonly notUtf8: number;
  /** Values that are UTF-8 but have control characters, other than tabs and line ends. */
  readonly withControls: number;
  /** Values that start like a picture, by format; only formats that occur. */
  readonly pictures: Readonly<Partial<Record<PictureFormat, number>>>;
  /**
   * All different values, in the order of their bytes; undefined if there are more than 100, if one is longer than 128
   * bytes, or if they are longer than 4096 bytes together.
   */
  readonly distinct: readonly Uint8Array[] | undefined;
}

/** One feature or feature list in all records. Values are those of all records. */
export interface FeatureSurvey {
  /** `context`: the features of an Example or of the context of a SequenceExample. `sequence`: feature lists. */
  readonly section: 'context' | 'sequence';
  /** Its name. */
  readonly name: string;
  /** Number of records that have it, with a kind or without. */
  readonly records: number;
  /** Number of features (of lists: of steps) by kind. */
  readonly kinds: KindCounts;
  /** Number of features (of lists: steps) that have a kind but no values. */
  readonly empty: number;
  /** Number of values per feature (of lists: per step) that has a kind; undefined if none has. */
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

/** The kind that `counts` say. */
export function surveyedKind({ bytes, float32, int64 }: KindCounts): SurveyedKind {
  const kinds = Object.entries({ bytes, float32, int64 }).filter(([, count]) => count > 0);
  if (kinds.length > 1) return 'mixed';
  return (kinds[0]?.[0] ?? 'none') as SurveyedKind;
}

/** True if all byte strings are UTF-8, none has control characters but tabs and line ends, and there is at least one. */
export function isText({ bytes }: FeatureSurvey): boolean {
  return bytes?.notUtf8 === 0 && bytes.withControls === 0;
}

/** True if each of `records` records has the feature, with a kind. */
export function isInAll({ section, records: having, kinds }: FeatureSurvey, records: number): boolean {
  return (section === 'context' ? having - kinds.none : having) === records;
}

/** The fewest values of a feature or step that is there. TensorFlow counts a step without a kind as one without values. */
export function fewestValues({ section, kinds, counts }: FeatureSurvey): number | undefined {
  return section === 'sequence' && kinds.none > 0 ? 0 : counts?.min;
}

/** The number of values, if it is above 0 and the same wherever the feature is. */
export function fixedCount(feature: FeatureSurvey): number | undefined {
  const { counts } = feature;
  return counts !== undefined && counts.max > 0 && fewestValues(feature) === counts.max ? counts.max : undefined;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Makes plain data of what native code reports. */
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
  PICTURES.forEach((format, i) => {
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
