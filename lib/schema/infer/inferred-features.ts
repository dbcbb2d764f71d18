/** Infers features, and their specs, from the results of a survey. */
import { fixedLen, fixedLenSequence, ragged, varLen, type FeatureSpec } from '../../example';
import { fewestValues, fixedCount, isInAll, isText, surveyedKind, type FeatureSurvey } from '../../table';
import type { DType } from '../../tensor';
import type { Domain, SchemaFeature } from '../feature';
import type { PictureSummary } from './pictures';

/** One feature or feature list, as found in all records. */
export interface InferredFeature extends SchemaFeature, FeatureSurvey {
  /** True if each record has it with a kind: a feature without a kind counts as missing. */
  readonly inAll: boolean;
  /**
   * For bytes: true if there is at least one value, all values are UTF-8, and none has control characters other than
   * tabs and line ends. Undefined for other kinds.
   */
  readonly text: boolean | undefined;
  /** The member of a spec that reads it; undefined for the kinds `mixed` and `none`, which no spec reads. */
  readonly spec: FeatureSpec | undefined;
  /** Undefined if no value starts like a picture. */
  readonly pictures: PictureSummary | undefined;
}

/** Describes a feature. `records`: the number of all records. */
export function inferredFeature(
  survey: FeatureSurvey,
  records: number,
  pictures: PictureSummary | undefined,
): InferredFeature {
  const kind = surveyedKind(survey.kinds);
  const inAll = isInAll(survey, records);
  const text = kind === 'bytes' ? isText(survey) : undefined;
  const dtype = text === true ? 'text' : kind;
  const { counts } = survey;
  const fixed = fixedCount(survey);
  const shape = fixed === undefined ? undefined : fixed === 1 ? [] : [fixed];
  const isFixed = survey.section === 'sequence' || inAll;
  return {
    ...survey,
    kind,
    // A feature without a kind counts as missing.
    presence: { minFraction: inAll ? 1 : 0, minCount: kind === 'none' && survey.section === 'context' ? 0 : 1 },
    valueCount: counts && { min: fewestValues(survey)!, max: counts.max },
    shape: isFixed && dtype !== 'mixed' ? shape : undefined,
    domain: domainOf(survey, text),
    inAll,
    text,
    spec: dtype === 'mixed' || dtype === 'none' ? undefined : specOf(survey, dtype, isFixed ? shape : undefined, inAll),
    pictures,
  };
}

/** `inAll`: true if each record has the feature list. */
function specOf(
  { section }: FeatureSurvey,
  dtype: DType,
  shape: readonly number[] | undefined,
  inAll: boolean,
): FeatureSpec {
  if (section === 'context') return shape === undefined ? varLen(dtype) : fixedLen(shape, dtype);
  if (shape === undefined) return ragged({ dtype });
  return fixedLenSequence(shape, dtype, inAll ? undefined : { allowMissing: true });
}

/** Minimum average number of occurrences of a value, for the values to be a domain. */
const MIN_REPEATS = 2;

/** The domain of words: a small set of values that repeat. For integers: their bounds. */
function domainOf({ bytes, int64, counts }: FeatureSurvey, text: boolean | undefined): Domain | undefined {
  const values = counts?.total ?? 0;
  const words = (text === true ? bytes?.distinct : undefined) ?? [];
  if (words.length > 0 && values >= MIN_REPEATS * words.length) {
    return { type: 'text', values: words.map((word) => Buffer.from(word).toString()) };
  }
  const { distinct = [], min, max } = int64 ?? {};
  if (distinct.length === 0 || values < MIN_REPEATS * distinct.length) return undefined;
  return { type: 'int64', min, max };
}
