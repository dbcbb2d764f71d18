import { PassThrough } from 'node:stream';

import { checkOptions, codeOf } from '../base';
import { type RecordSource } from '../io';
import { inferSchema, type InferredSchema } from '../schema';
import { runConversion } from './convert';
import type { ConvertOptions } from './options';

const OPTION_NAMES = [
  'from',
  'features',
  'exclude',
  'dates',
  'na',
  'delimiter',
  'onError',
  'maxRecordBytes',
  'signal',
  'onProgress',
] as const satisfies readonly (keyof DraftOptions)[];

/** Options of {@link draftSchema}, a subset of those of {@link convert}. Unknown names throw. */
export type DraftOptions = Pick<
  ConvertOptions,
  | 'from'
  | 'features'
  | 'exclude'
  | 'dates'
  | 'na'
  | 'delimiter'
  | 'onError'
  | 'maxRecordBytes'
  | 'signal'
  | 'onProgress'
>;

/** The result of {@link draftSchema}. */
export interface SchemaDraft {
  /** The schema of the records. Its `spec` is the draft for `convert`. */
  readonly schema: InferredSchema;
  /** Notes about values that could be read in several ways. */
  readonly notes: readonly string[];
}

/**
 * Infers the features that `convert` makes of files of JSON Lines, CSV, Parquet or Arrow. The spec of the schema is a
 * draft for the option `spec` of `convert`.
 *
 * In JSON Lines, a feature whose values are all integers in strings is int64 in the draft, and a note names it: by such a
 * spec, `convert` reads them as int64. Numbers of 64-bit floating point are float32, rounded.
 *
 * @throws as {@link convert} and `inferSchema`
 *
 * @example
 * const { schema } = await draftSchema('rows.jsonl');
 * await convert('rows.jsonl', 'rows.tfrecord', { spec: schema.spec });
 */
export async function draftSchema(input: RecordSource, options?: DraftOptions): Promise<SchemaDraft> {
  const given = checkOptions<DraftOptions>(options, OPTION_NAMES);
  const { onError, maxRecordBytes } = given;
  const records = new PassThrough();
  // An error of the stream rejects both promises below.
  records.on('error', () => undefined);
  const inferring = inferSchema(records, { onError, maxRecordBytes });
  // If inferring fails, nobody reads the stream, and the conversion would wait for ever.
  inferring.catch((error: unknown) => records.destroy(error as Error));
  const settings = { ...given, to: 'tfrecord', compression: 'none', round: true } as const;
  const [converted, inferred] = await Promise.allSettled([
    runConversion(input, records, settings, 'int64').catch((error: unknown) => {
      records.destroy(error as Error);
      throw error;
    }),
    inferring,
  ]);
  // An aborted stream fails both. An error of the records themselves (TFR_EXAMPLE) arises in inferring alone.
  if (inferred.status === 'rejected' && codeOf(inferred.reason) === 'TFR_EXAMPLE') throw inferred.reason;
  if (converted.status === 'rejected') throw converted.reason;
  if (inferred.status === 'rejected') throw inferred.reason;
  return { schema: inferred.value, notes: converted.value.notes };
}
