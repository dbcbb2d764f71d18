import { Option } from 'commander';

import type { DraftOptions } from '../../convert';
import { losslessJson } from '../../example';
import { messagesOf } from '../../base';
import type { InferredFeature, InferredSchema } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import {
  addFiles,
  addReadFlags,
  parseCount,
  parseDelimiter,
  parseNames,
  parseSeed,
  readOptions,
  type FlagOptions,
} from '../flags';
import { formatOption, fileNames, isConvertible } from '../formats';
import { addPartFlags, describeShard, refusePartFlags, type PartFlags, type WriteMerged } from '../parts';
import { Reservoir } from '../reservoir';
import { UsageError } from '../terminal/reporter';
import { inFlags } from '../terminal/terms';
import { lineText, linesText } from '../terminal/text';
import { wordedError } from './convert';
import { firstRecords, sampledRecords } from './schema-records';
import { onDemand } from '../on-demand';

const FORMS = ['table', 'spec', 'ts', 'python', 'pbtxt'] as const;

interface SchemaFlags extends PartFlags, Pick<DraftOptions, 'from' | 'exclude' | 'dates' | 'na' | 'delimiter'> {
  readonly records?: number;
  readonly sample?: number;
  readonly seed?: bigint;
  readonly as: (typeof FORMS)[number];
  readonly json?: boolean;
}

const HELP = `
All files together are one set of records. Every record is read, unless -n or --sample limits their
number. --as is one of
  table    each feature, with its kind, the spec that reads it, and what it holds
  spec     JSON for --spec, and for specFromJSON() of the package
  ts       a TypeScript module with the spec, and the type of its rows
  python   features for tf.io.parse_example; context_features and sequence_features for SequenceExamples
  pbtxt    TensorFlow Metadata's Schema, which TFX and TensorFlow Data Validation read
--json prints all findings.

JSON Lines, CSV, Parquet and Arrow, by their extensions or --from, are described as the Examples that
"tfrecord convert" makes of them, so that --as spec drafts a spec for its --spec. In JSON Lines a feature
whose values are all integers in strings is int64 then.

--shard i/N -o OUT describes part i of N of the files, or of their records if there are fewer files, and leaves
what it found in OUT.part-i-of-N. "tfrecord merge OUT" writes what one run prints to OUT when all parts are there.
`;

export const schemaCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addPartFlags(
      addFiles(
        program.command('schema').description('Print the features of the records, and the spec that reads them.'),
      ),
    )
      .addOption(
        new Option('-n, --records <count>', 'read only this number of records, from the start')
          .argParser((text: string) => parseCount(text))
          .conflicts('sample'),
      )
      .option('--sample <count>', 'use only this number of random records; all are read', parseCount)
      .option('--seed <number>', 'an integer that determines the sample (default: another sample each time)', parseSeed)
      .addOption(new Option('--as <form>', 'form of the output').choices([...FORMS]).default('table'))
      .addOption(new Option('--json', 'one JSON object, for programs').conflicts('as'))
      .addOption(formatOption('--from <format>', 'format of the files (default: by the extension)', fileNames))
      .option('--features <names>', 'for other formats: read only these features, such as a,b', parseNames)
      .addOption(
        new Option('--exclude <names>', 'for other formats: leave out these features, such as a,b')
          .argParser((text: string) => parseNames(text))
          .conflicts('features'),
      )
      .addOption(
        new Option('--dates <form>', 'for Parquet and Arrow: the form of dates, int64 or text').choices([
          'int64',
          'text',
        ]),
      )
      .option('--na <texts>', 'for CSV: texts that mean no value, such as NA,NULL', parseNames)
      .option('--delimiter <character>', "for CSV: the character between fields, such as ';'", parseDelimiter)
      .option('-o, --output <file>', 'with --shard: the file that tfrecord merge makes of all parts')
      .option('--force', 'with --shard: replace a part that exists'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: SchemaFlags) => printSchema(files, flags, begin()));

async function printSchema(names: readonly string[], flags: SchemaFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  refusePartFlags(flags, 'output', 'force', 'resume');
  const files = await context.files(names);
  // A missing file was reported. A schema of the other files could be mistaken for that of all.
  if (files.length === 0 || reporter.exitCode !== 0) return;
  if (flags.shard !== undefined) {
    const { as, json, records, sample } = flags;
    if (records !== undefined || sample !== undefined)
      throw new UsageError('-n and --sample choose records of all files: leave out --shard');
    if (isForeign(files, flags)) throw new UsageError('--shard is for TFRecords');
    await describeShard('schema', files, flags, { as, json: json === true }, context);
    return;
  }
  const progress = await context.startProgress(files, flags.progress);
  const options = readOptions(flags, reporter);
  try {
    const onProgress = ({ compressedBytes, records }: { compressedBytes: number; records: number }): void => {
      progress.update({ bytes: compressedBytes, records });
    };
    const { inferSchema } = onDemand.schema;
    const some = chosen(files, options, flags);
    const schema = isForeign(files, flags)
      ? await drafted(files, flags, context, progress)
      : await (some === undefined ? inferSchema(files, { ...options, onProgress }) : inferSchema(some));
    progress.clear();
    await out.line(textOf(schema, flags).replace(/\n$/, ''));
  } finally {
    progress.clear();
  }
}

/** Returns a stream of the records that `-n` or `--sample` chooses, read with `options`; undefined for all records. */
function chosen(
  files: readonly string[],
  options: FlagOptions,
  flags: SchemaFlags,
): AsyncGenerator<Uint8Array> | undefined {
  const { records, sample, seed } = flags;
  if (records === undefined && sample === undefined) return undefined;
  if (isForeign(files, flags)) throw new UsageError('-n and --sample are for TFRecords');
  if (sample === undefined) return firstRecords(files, options, records!);
  return sampledRecords(files, options, new Reservoir(sample, seed));
}

/**
 * True if the files are not TFRecords.
 * @throws UsageError if they are TFRecords, and an option is given that only other formats have
 */
function isForeign(files: readonly string[], flags: SchemaFlags): boolean {
  const { from } = flags;
  if (from === undefined ? files.some(isConvertible) : from !== 'tfrecord') return true;
  const option = (['features', 'exclude', 'dates', 'na', 'delimiter'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (option !== undefined) throw new UsageError(`--${option} is for JSON Lines, CSV, Parquet and Arrow`);
  return false;
}

/** Returns the schema of the Examples that `tfrecord convert` would make of `files`. */
async function drafted(
  files: readonly string[],
  flags: SchemaFlags,
  context: Context,
  progress: { update(state: { bytes: number; records: number }): void; clear(): void },
): Promise<InferredSchema> {
  const { reporter } = context;
  const { from, features, exclude, dates, na, delimiter, maxRecordBytes } = flags;
  const { draftSchema } = onDemand.convert;
  const { schema, notes } = await draftSchema(files, {
    ...{ from, features, exclude, dates, na, delimiter, maxRecordBytes },
    onError: readOptions(flags, reporter).onError,
    onProgress: ({ bytes, records, phase }) => {
      if (phase === 'write') progress.update({ bytes, records });
    },
  }).catch((error: unknown) => {
    throw wordedError(error, context.flags);
  });
  progress.clear();
  for (const note of messagesOf(notes)) reporter.note(inFlags(note, context.flags));
  return schema;
}

/** Returns what one run prints about the records of all parts. */
export const mergedSchema: WriteMerged = async (parts, signal) => {
  const { options } = parts;
  const as = FORMS.find((form) => form === options['as']) ?? 'table';
  return `${textOf(await parts.schema(signal), { as, json: options['json'] === true }).replace(/\n$/, '')}\n`;
};

function textOf(schema: InferredSchema, { as, json }: Pick<SchemaFlags, 'as' | 'json'>): string {
  if (json === true) return lineText(losslessJson().stringify(findings(schema))!);
  switch (as) {
    case 'table':
      return linesText(String(schema));
    case 'spec':
      return linesText(JSON.stringify(schema.toSpecJSON(), null, 2));
    case 'ts':
      return schema.toTypeScript();
    case 'python':
      return schema.toPython();
    case 'pbtxt':
      return schema.toPbtxt();
  }
}

/** Returns the schema as one JSON object. Integers are exact. */
function findings(schema: InferredSchema): object {
  const { records, recordType } = schema;
  return {
    records,
    recordType,
    spec: schema.toSpecJSON(),
    features: schema.features.map(featureFindings),
  };
}

function featureFindings(feature: InferredFeature): object {
  const { section, name, kind, text, inAll, records, kinds, empty, counts, steps, int64, float32, bytes } = feature;
  const words = bytes?.distinct?.map((word) => Buffer.from(word).toString());
  return {
    name,
    section,
    kind,
    text,
    inAllRecords: inAll,
    records,
    kinds,
    empty,
    values: counts,
    steps,
    int64,
    float32,
    bytes: bytes && { ...bytes, distinct: text === true ? words : undefined },
    pictures: feature.pictures,
  };
}
