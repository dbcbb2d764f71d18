import { inspect } from 'node:util';

import { specToJSON, type FeatureSpec, type MessageInit } from '../example';
import { type Survey } from '../table';
import { inspected, type InspectArguments, counted, grouped } from '../base';
import { type ReadStats } from '../record';
import { emptySpec, type SchemaFeature, type SchemaRecordType, type SchemaSpec, type SchemaSpecJSON } from './feature';
import type { InferredFeature } from './infer/inferred-features';
import { messageOf } from './message/from-features';
import { SchemaProto } from './message/metadata';
import type { SchemaMessage } from './message/schema-message';
import { pythonOf } from './print/python';
import { tableOf } from './print/table';
import { typeScriptOf } from './print/typescript';

/**
 * The features of records, and the spec that reads them. {@link readSchema} reads it from files, {@link inferSchema}
 * infers it from records.
 *
 * @example
 * const schema: Schema = await inferSchema('train-*.tfrecord.gz');
 * console.log(schema.recordType, schema.features.length);
 */
export class Schema<F extends SchemaFeature = SchemaFeature> {
  /** The type of the records. */
  readonly recordType: SchemaRecordType;
  /** The stored features. */
  readonly features: readonly F[];
  /** The spec that reads them. */
  readonly spec: SchemaSpec;
  /** The message `Schema` of TensorFlow Metadata from which it was read. */
  readonly #message: MessageInit<SchemaMessage> | undefined;

  /** @internal */
  constructor(
    recordType: SchemaRecordType,
    features: readonly F[],
    spec: SchemaSpec,
    message?: MessageInit<SchemaMessage>,
  ) {
    this.recordType = recordType;
    this.features = features;
    this.spec = spec;
    this.#message = message;
  }

  /**
   * @internal The message `Schema` of TensorFlow Metadata from which it was read; undefined if it has another source.
   */
  get message(): MessageInit<SchemaMessage> | undefined {
    return this.#message;
  }

  /** True if the records are SequenceExamples. */
  get sequenceExamples(): boolean {
    return this.recordType === 'SequenceExample';
  }

  /**
   * Returns the spec as JSON, which `specFromJSON`, `sequenceSpecFromJSON` and the option `--spec` of the
   * command accept.
   *
   * @example
   * await writeFile('spec.json', JSON.stringify(schema.toSpecJSON(), null, 2));
   */
  toSpecJSON(): SchemaSpecJSON {
    if (!this.sequenceExamples) return specToJSON(this.spec);
    const { context = {}, sequence = {} } = this.spec;
    return { context: specToJSON(context), sequence: specToJSON(sequence) };
  }

  /**
   * Returns TypeScript: a module that exports the constant `spec` and the type `Row` of its rows.
   *
   * @example
   * await writeFile('spec.ts', schema.toTypeScript());
   */
  toTypeScript(): string {
    return typeScriptOf(this.toSpecJSON(), this.sequenceExamples);
  }

  /**
   * Returns Python for TensorFlow: a dictionary `features` for `tf.io.parse_example`; for SequenceExamples two,
   * `context_features` and `sequence_features`, for `tf.io.parse_sequence_example`.
   *
   * @example
   * await writeFile('features.py', schema.toPython());
   */
  toPython(): string {
    return pythonOf(this.toSpecJSON(), this.sequenceExamples);
  }

  /**
   * Returns the text of TensorFlow Metadata's `Schema` (`schema.pbtxt`), which TensorFlow Data Validation and TFX read.
   * A schema that was read from such a file keeps all of its content.
   *
   * @example
   * await writeFile('schema.pbtxt', schema.toPbtxt());
   */
  toPbtxt(): string {
    return SchemaProto.toText(this.#message ?? messageOf(this.features));
  }

  /**
   * Returns a table of the features, as text.
   *
   * @example
   * console.log(String(schema));
   */
  toString(): string {
    return tableOf(this.features);
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected(this.constructor.name, args, () => ({ recordType: this.recordType, features: this.features }));
  }
}

/**
 * A schema that {@link inferSchema} inferred from records.
 *
 * @example
 * const { records, features } = await inferSchema('train-*.tfrecord.gz');
 * console.log(records, features.filter(({ inAll }) => !inAll));
 */
export class InferredSchema extends Schema<InferredFeature> {
  /** Number of records. If 0, there are no features, and the spec is empty. */
  readonly records: number;
  /**
   * Number of records with a field of feature lists. SequenceExamples without feature lists have the same bytes as
   * Examples, so a single record with such a field makes all of them SequenceExamples.
   */
  readonly withLists: number;
  /** The names of the files that were read. */
  readonly files: readonly string[];
  /** The final progress of reading: bytes, and what was skipped. */
  readonly stats: ReadStats;

  /** @internal */
  constructor({ records, withLists, files, stats }: Survey, features: readonly InferredFeature[]) {
    super(withLists > 0 ? 'SequenceExample' : 'Example', features, specOf(features, withLists > 0));
    this.records = records;
    this.withLists = withLists;
    this.files = files;
    this.stats = stats;
  }

  /**
   * Returns the number of records, and a table of the features, as text.
   *
   * @example
   * console.log(String(await inferSchema('train-*.tfrecord.gz')));
   */
  override toString(): string {
    const count = counted(this.records, this.recordType, grouped(this.records));
    if (this.records === 0) return 'No records: the schema is empty.\n';
    return `${count}\n\n${tableOf(this.features, this.records)}`;
  }
}

function specOf(features: readonly InferredFeature[], sequence: boolean): SchemaSpec {
  const parts: Record<InferredFeature['section'], Record<string, FeatureSpec>> = {
    context: emptySpec(),
    sequence: emptySpec(),
  };
  for (const { section, name, spec } of features) if (spec !== undefined) parts[section][name] = spec;
  return (sequence ? parts : parts.context) as SchemaSpec;
}
