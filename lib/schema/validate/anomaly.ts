/** Anomalies, with the types of TensorFlow Data Validation. */
import { counted, grouped } from '../../base';
import type { FeatureSection } from '../feature';
import { SEQUENCE } from '../message/schema-message';
import { sourceText } from '../print/source-text';

/**
 * The types of anomalies that {@link validate} finds, and, with `COMPARATOR`, those of {@link compareStatistics}: names
 * of TensorFlow Metadata's `AnomalyInfo.Type`. Types about natural language and derived features are not among them.
 */
export type AnomalyType =
  | 'BOOL_TYPE_BIG_INT'
  | 'BOOL_TYPE_SMALL_INT'
  | 'BOOL_TYPE_UNEXPECTED_FLOAT'
  | 'BOOL_TYPE_UNEXPECTED_STRING'
  | 'COMPARATOR_CONTROL_DATA_MISSING'
  | 'COMPARATOR_HIGH_NUM_EXAMPLES'
  | 'COMPARATOR_JENSEN_SHANNON_DIVERGENCE_HIGH'
  | 'COMPARATOR_LOW_NUM_EXAMPLES'
  | 'COMPARATOR_L_INFTY_HIGH'
  | 'COMPARATOR_NORMALIZED_ABSOLUTE_DIFFERENCE_HIGH'
  | 'COMPARATOR_TREATMENT_DATA_MISSING'
  | 'DATASET_HIGH_NUM_EXAMPLES'
  | 'DATASET_LOW_NUM_EXAMPLES'
  | 'DOMAIN_INVALID_FOR_TYPE'
  | 'ENUM_TYPE_INVALID_UTF8'
  | 'ENUM_TYPE_UNEXPECTED_STRING_VALUES'
  | 'FEATURE_MISSING_NAME'
  | 'FEATURE_MISSING_TYPE'
  | 'FEATURE_TYPE_HIGH_NUMBER_VALUES'
  | 'FEATURE_TYPE_HIGH_UNIQUE'
  | 'FEATURE_TYPE_LOW_FRACTION_PRESENT'
  | 'FEATURE_TYPE_LOW_NUMBER_PRESENT'
  | 'FEATURE_TYPE_LOW_NUMBER_VALUES'
  | 'FEATURE_TYPE_LOW_UNIQUE'
  | 'FEATURE_TYPE_NOT_PRESENT'
  | 'FEATURE_TYPE_NO_UNIQUE'
  | 'FLOAT_TYPE_BIG_FLOAT'
  | 'FLOAT_TYPE_HAS_INF'
  | 'FLOAT_TYPE_HAS_NAN'
  | 'FLOAT_TYPE_SMALL_FLOAT'
  | 'FLOAT_TYPE_STRING_NOT_FLOAT'
  | 'INT_TYPE_BIG_INT'
  | 'INT_TYPE_NOT_INT_STRING'
  | 'INT_TYPE_SMALL_INT'
  | 'INVALID_DOMAIN_SPECIFICATION'
  | 'INVALID_FEATURE_SHAPE'
  | 'INVALID_SCHEMA_SPECIFICATION'
  | 'LOW_SUPPORTED_IMAGE_FRACTION'
  | 'MAX_IMAGE_BYTE_SIZE_EXCEEDED'
  | 'SCHEMA_MISSING_COLUMN'
  | 'SCHEMA_NEW_COLUMN'
  | 'SPARSE_FEATURE_LENGTH_MISMATCH'
  | 'SPARSE_FEATURE_MISSING_INDEX'
  | 'SPARSE_FEATURE_MISSING_VALUE'
  | 'SPARSE_FEATURE_NAME_COLLISION'
  | 'UNEXPECTED_DATA_TYPE'
  | 'VALUE_NESTEDNESS_MISMATCH'
  | 'WEIGHTED_FEATURE_LENGTH_MISMATCH'
  | 'WEIGHTED_FEATURE_MISSING_VALUE'
  | 'WEIGHTED_FEATURE_MISSING_WEIGHT'
  | 'WEIGHTED_FEATURE_NAME_COLLISION';

/** A record that has an anomaly. */
export interface AnomalousRecord {
  /** The name of its file. */
  readonly file: string;
  /** Its number in the file, from 0. */
  readonly record: number;
}

/** One difference between data and schema. */
export interface Anomaly {
  /**
   * The name of the feature; for a feature list, `##SEQUENCE##.` and its name, as in TFX. Empty for anomalies of the
   * whole data set.
   */
  readonly feature: string;
  /** The steps of `feature`; empty for anomalies of the whole data set. */
  readonly path: readonly string[];
  /** Its type in TFDV. */
  readonly type: AnomalyType;
  /** A description in a sentence, with the numbers. */
  readonly message: string;
  /** The first records that have it, at most three. Empty if no single record has it. */
  readonly records: readonly AnomalousRecord[];
}

/** The path of a feature. */
export function pathOf(section: FeatureSection, name: string): readonly string[] {
  return section === 'context' ? [name] : [SEQUENCE, name];
}

/** Maximum length of a user's text in a sentence, in characters. */
const MAX_LETTERS = 60;

/** A user's text for a sentence: quoted, and cut if it is long. */
export function quoted(text: string): string {
  const letters = Array.from(text);
  return sourceText(letters.length <= MAX_LETTERS ? text : `${letters.slice(0, MAX_LETTERS - 1).join('')}…`);
}

/** `1 record`, `2 records`, `12,345 records`. */
export function plural(count: number, noun: string): string {
  return counted(count, noun, grouped(count));
}
