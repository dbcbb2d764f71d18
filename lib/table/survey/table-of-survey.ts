/** Makes tables from surveys, for formats of columns. */
import type { TFRecordError } from '../../base';
import { tfrecordError, advice, named, worded } from '../../base';
import { compareUtf8 } from '../../example';
import { newTable, type FeatureColumn, type Table } from '../table';
import { fixedCount, isInAll, isText, surveyedKind, type FeatureSurvey } from './feature-survey';
import type { Survey } from './survey-total';

/**
 * The table of all features in `survey`, sorted by name. No record loses a feature: missing features are null, and
 * differ from empty ones. Features without a kind count as missing; if no record has a kind, the column has type bytes.
 * `wanted`: keeps only these features.
 * @throws TFRecordError TFR_FEATURE for a feature of several kinds; TFR_SPEC if two columns would have the same name
 */
export function tableOfSurvey(survey: Survey, wanted?: ReadonlySet<string>): Table {
  const { records, withLists } = survey;
  const features = survey.features.filter(({ name }) => wanted?.has(name) !== false).sort(byNames);
  return newTable(
    features.map((feature) => columnOf(feature, records)),
    withLists > 0,
  );
}

/** Sorts the context before feature lists. */
function byNames(a: FeatureSurvey, b: FeatureSurvey): number {
  if (a.section !== b.section) return a.section === 'context' ? -1 : 1;
  return compareUtf8(a.name, b.name);
}

function columnOf(feature: FeatureSurvey, records: number): FeatureColumn {
  const { name, section } = feature;
  const kind = surveyedKind(feature.kinds);
  if (kind === 'mixed') throw mixed(feature);
  const fixed = fixedCount(feature);
  return {
    key: name,
    section: section === 'context' ? 0 : 1,
    dtype: isText(feature) ? 'text' : kind === 'none' ? 'bytes' : kind,
    shape: fixed === undefined ? undefined : fixed === 1 ? [] : [fixed],
    nullable: !isInAll(feature, records),
  };
}

function mixed({ name, kinds: { bytes, float32, int64 } }: FeatureSurvey): TFRecordError {
  const found = Object.entries({ bytes, float32, int64 })
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind} in ${count}`)
    .join(', ');
  const cure = advice` Name the features to keep (${named('features')}), or convert to protobuf JSON, which keeps it.`;
  return tfrecordError(
    'TFR_FEATURE',
    worded`Feature ${JSON.stringify(name)} has several kinds (${found}), and a column has one type.${cure}`,
    { feature: name, expected: 'one kind', found },
  );
}
