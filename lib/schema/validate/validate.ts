import { checkCallback, checkOptions, invalidArgType, invalidArgValue, LoopTurns } from '../../base';
import { readableSource, type RecordSource } from '../../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions, type ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { byNames, checkNames, placeOf, refuseAbsent } from '../feature-names';
import { messageOf } from '../message/from-features';
import { SchemaProto } from '../message/metadata';
import type { SchemaMessage } from '../message/schema-message';
import { Schema } from '../schema';
import type { Anomaly } from './anomaly';
import { schemaFaults, type SchemaFault } from './schema-faults';
import { schemaRules } from './schema-rules';
import { Search } from './search';

/** Options of {@link validate}. */
export interface ValidateOptions extends ReadOptions {
  /** Names of the features to check, in both parts of SequenceExamples. Default: all. */
  features?: readonly string[] | undefined;
  /**
   * The environment of the data, such as `SERVING`: the data need not, and should not, have features that the schema
   * assigns to other environments only. Default: none; the data has features of all environments.
   */
  environment?: string | undefined;
  /** Called after each slab of records, with the progress so far. */
  onProgress?: ((progress: ReadStats) => void) | undefined;
}

/**
 * Checks the records of `source` against a schema, and returns the differences, like TensorFlow Data Validation:
 * missing and new features, other types, numbers of values and shapes, values outside a domain, and more
 * ({@link AnomalyType}). Reads each record, on native threads; memory does not grow with the number of records.
 *
 * {@link readSchema} and {@link inferSchema} return the schema. Features that are deprecated, disabled, planned, alpha
 * or for debugging in the schema are neither required nor new.
 *
 * @returns the anomalies: first those of the whole data set, then by the names of the features; empty if there are none
 * @throws TFRecordError TFR_EXAMPLE for records that are neither Examples nor SequenceExamples, and for more than
 *   32,768 different features; TFR_FEATURE if neither schema nor data have one of `features`; the errors of reading.
 *   TypeError or RangeError for wrong arguments, and for an environment that the schema does not have.
 *
 * @example
 * const schema = await readSchema('schema.pbtxt');
 * for (const { feature, type, message, records } of await validate('eval-*.gz', schema)) {
 *   console.log(feature, type, message, records[0]?.file, records[0]?.record);
 * }
 */
export async function validate(source: RecordSource, schema: Schema, options?: ValidateOptions): Promise<Anomaly[]> {
  const classified = readableSource(source);
  if (!(schema instanceof Schema)) throw invalidArgType('schema', 'a Schema of readSchema or inferSchema', schema);
  const { features, environment, onProgress, ...reading } = checkOptions(options, [
    ...READ_OPTION_NAMES,
    'features',
    'environment',
    'onProgress',
  ] as const);
  const wanted = checkNames(features);
  checkCallback('options.onProgress', onProgress);
  const plan = resolveReadOptions(reading);
  const message = SchemaProto.decode(SchemaProto.encode(schema.message ?? messageOf(schema.features)));
  checkEnvironment(message, environment);
  const checking = checkingOf(message, schema.message !== undefined, wanted, environment);
  const survey = await surveyRecords(classified, plan, { onProgress, onRecords: checking.search.onRecords });
  return anomaliesOf(checking, survey);
}

/** A search for what breaks a schema, and the faults of the schema itself. */
export interface Checking {
  readonly search: Search;
  readonly names: readonly string[];
  readonly wanted: ReadonlySet<string> | undefined;
  readonly faults: readonly SchemaFault[];
}

/** `isRead`: true for a schema that was read, whose own faults are anomalies, too. */
export function checkingOf(
  message: SchemaMessage,
  isRead: boolean,
  wanted: ReadonlySet<string> | undefined,
  environment: string | undefined,
): Checking {
  const rules = schemaRules(message, wanted, environment);
  const search = new Search(rules, wanted, new LoopTurns());
  return { search, names: rules.names, wanted, faults: isRead ? schemaFaults(message) : [] };
}

/** The anomalies of all records. Call it after all were checked. */
export async function anomaliesOf({ search, names, wanted, faults }: Checking, survey: Survey): Promise<Anomaly[]> {
  refuseAbsent(wanted, [...names, ...survey.features.map(({ name }) => name)]);
  const anomalies = faults
    .filter(({ path }) => wanted?.has(path.at(-1)!) !== false)
    .map(({ path, type, message }): Anomaly => ({ feature: path.join('.'), path, type, message, records: [] }));
  return [...anomalies, ...(await search.anomalies(survey))].sort(byPath);
}

/** Orders anomalies: first those of the whole data set, then the context, then feature lists. */
function byPath({ path: a }: Anomaly, { path: b }: Anomaly): number {
  if (a.length === 0 || b.length === 0) return a.length - b.length;
  return byNames(placeOf(a), placeOf(b));
}

/** @throws TypeError for an environment that the schema does not have */
export function checkEnvironment({ defaultEnvironment, feature }: SchemaMessage, environment: unknown): void {
  if (environment === undefined) return;
  if (typeof environment !== 'string') throw invalidArgType('options.environment', 'a string', environment);
  const known = new Set(defaultEnvironment);
  const all = feature.flatMap((each) => [each, ...(each.structDomain?.feature ?? [])]);
  for (const { inEnvironment = [], notInEnvironment = [] } of all) {
    for (const name of [...inEnvironment, ...notInEnvironment]) known.add(name);
  }
  if (known.has(environment)) return;
  const names = known.size === 0 ? 'none' : [...known].join(', ');
  throw invalidArgValue('options.environment', `an environment of the schema, which has ${names}`, environment);
}
