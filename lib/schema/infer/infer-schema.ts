import { checkCallback, checkOptions, LoopTurns } from '../../base';
import { readableSource, type RecordSource } from '../../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions, type ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { byNames, checkNames, refuseAbsent } from '../feature-names';
import { InferredSchema } from '../schema';
import { inferredFeature, type InferredFeature } from './inferred-features';
import { AllPictureSizes } from './pictures';

/** Options of {@link inferSchema}. */
export interface InferOptions extends ReadOptions {
  /** Names of the features to describe, in both parts of SequenceExamples. Default: all. */
  features?: readonly string[] | undefined;
  /** Called after each slab of records, with the progress so far. */
  onProgress?: ((progress: ReadStats) => void) | undefined;
}

/**
 * Infers the schema of the records in `source`: the features, their kinds, the number of records that have them, their
 * numbers of values and bounds, and the spec that reads them. Reads each record and each value, on native threads.
 * Memory does not grow with the number of records.
 *
 * The records are Examples or SequenceExamples. A record that is neither (or is damaged) is an error TFR_EXAMPLE, and
 * `onError` applies as for damage. Features are sorted by name; the context comes before feature lists. A feature that
 * has several kinds is reported as `mixed`; the spec omits it, because no spec can read it.
 *
 * @throws TFRecordError TFR_EXAMPLE for other records, and for more than 32,768 different features; TFR_FEATURE if no
 *   record has one of `features`; the errors of reading. TypeError or RangeError for wrong arguments.
 *
 * @example
 * const schema = await inferSchema('train-*.tfrecord.gz');
 * console.log(String(schema)); // a table
 * for await (const row of readExamples('train-*.tfrecord.gz', schema.spec)) console.log(row);
 */
export async function inferSchema(source: RecordSource, options?: InferOptions): Promise<InferredSchema> {
  const { features, onProgress, ...reading } = checkOptions(options, [
    ...READ_OPTION_NAMES,
    'features',
    'onProgress',
  ] as const);
  const wanted = checkNames(features);
  checkCallback('options.onProgress', onProgress);
  const sizes = new AllPictureSizes();
  const survey = await surveyRecords(readableSource(source), resolveReadOptions(reading), {
    onProgress,
    onPicture: ({ feature, bytes }) => sizes.look(feature, bytes),
  });
  return describeSchema(survey, sizes, wanted);
}

/** The schema of a survey. `sizes`: of pictures. `wanted`: only these features; undefined: all. */
export async function describeSchema(
  survey: Survey,
  sizes: AllPictureSizes,
  wanted: ReadonlySet<string> | undefined,
): Promise<InferredSchema> {
  return new InferredSchema(survey, await describe(survey, sizes, wanted));
}

/** Describes the features of a survey, sorted by name. */
async function describe(
  survey: Survey,
  sizes: AllPictureSizes,
  wanted: ReadonlySet<string> | undefined,
): Promise<InferredFeature[]> {
  const turns = new LoopTurns();
  const features: InferredFeature[] = [];
  for (const [i, feature] of survey.features.entries()) {
    if (wanted?.has(feature.name) === false) continue;
    features.push(inferredFeature(feature, survey.records, sizes.of(i).summary(feature.bytes?.pictures ?? {})));
    await turns.breathe();
  }
  refuseAbsent(
    wanted,
    survey.features.map(({ name }) => name),
  );
  return features.sort(byNames);
}
