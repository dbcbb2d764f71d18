/** Tables of what records hold, for formats of columns. */
import { TFRecordError } from '../errors';
import { newTable, type FeatureColumn, type Table } from '../example';
import type { InferredFeature, InferredSchema } from '../schema';

/**
 * The table of all features that `schema` found, in which no record loses one: missing features are null, apart from
 * empty ones. Features without a kind count as missing; if no record says the kind, the column is one of bytes.
 * @throws TFRecordError TFR_FEATURE for a feature of several kinds; TFR_SPEC where two columns would get one name
 */
export function tableOfSchema({ features, sequenceExamples }: InferredSchema): Table {
  return newTable(features.map(columnOf), sequenceExamples);
}

function columnOf({ name, section, kind, kinds, counts, text, inAll }: InferredFeature): FeatureColumn {
  if (kind === 'mixed') throw mixed(name, kinds);
  // A step without a kind has no values.
  const least = section === 'sequence' && kinds.none > 0 ? 0 : counts?.min;
  const fixed = counts !== undefined && counts.max > 0 && least === counts.max ? counts.max : undefined;
  return {
    key: name,
    section: section === 'context' ? 0 : 1,
    dtype: text === true ? 'text' : kind === 'none' ? 'bytes' : kind,
    shape: fixed === undefined ? undefined : fixed === 1 ? [] : [fixed],
    nullable: !inAll,
  };
}

function mixed(name: string, { bytes, float32, int64 }: InferredFeature['kinds']): TFRecordError {
  const found = Object.entries({ bytes, float32, int64 })
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind} in ${count}`)
    .join(', ');
  return new TFRecordError(
    'TFR_FEATURE',
    `Feature ${JSON.stringify(name)} has several kinds (${found}), and a column has one type. Leave it out (features), or ` +
      'convert to protobuf JSON, which keeps it.',
    { feature: name, expected: 'one kind', found },
  );
}
