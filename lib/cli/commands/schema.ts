import { Option } from 'commander';

import { losslessJson } from '../../example';
import type { InferredFeature, InferredSchema } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import { addFiles, addReadFlags, readOptions, type ReadFlags } from '../flags';
import { lineText, linesText } from '../terminal/text';

const FORMS = ['table', 'spec', 'ts', 'python', 'pbtxt'] as const;

interface SchemaFlags extends ReadFlags {
  readonly as: (typeof FORMS)[number];
  readonly json?: boolean;
}

const HELP = `
All files together are one set of records, and every record is read. --as prints it as
  table    each feature, with its kind, the spec that reads it, and what it holds
  spec     JSON for --spec, and for specFromJSON() of the package
  ts       a TypeScript module with the spec, and the type of its rows
  python   features for tf.io.parse_example; context_features and sequence_features for SequenceExamples
  pbtxt    TensorFlow Metadata's Schema, which TFX and TensorFlow Data Validation read
--json prints all that was found out.
`;

export const schemaCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addFiles(
      program.command('schema').description('Print which features the records have, and the spec that reads them.'),
    )
      .addOption(new Option('--as <form>', 'what to print').choices([...FORMS]).default('table'))
      .addOption(new Option('--json', 'one JSON object, for programs').conflicts('as')),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: SchemaFlags) => printSchema(files, flags, begin()));

async function printSchema(names: readonly string[], flags: SchemaFlags, context: Context): Promise<void> {
  const { out, reporter } = context;
  const files = await context.files(names);
  // A missing file was reported. A schema of the others would look as if it were that of all.
  if (files.length === 0 || reporter.exitCode !== 0) return;
  const progress = await context.startProgress(files, flags.progress);
  const options = readOptions(flags, reporter);
  try {
    const onProgress = ({ compressedBytes, records }: { compressedBytes: number; records: number }): void => {
      progress.update({ bytes: compressedBytes, records });
    };
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- other commands start fast
    const { inferSchema } = require('../../schema') as typeof import('../../schema');
    const schema = await inferSchema(files, { ...options, onProgress });
    progress.clear();
    await out.line(textOf(schema, flags).replace(/\n$/, ''));
  } finally {
    progress.clear();
  }
}

function textOf(schema: InferredSchema, { as, json }: SchemaFlags): string {
  if (json === true) return lineText(losslessJson().stringify(findings(schema))!);
  switch (as) {
    case 'table':
      return linesText(String(schema));
    case 'spec':
      return JSON.stringify(schema.toSpecJSON(), null, 2);
    case 'ts':
      return schema.toTypeScript();
    case 'python':
      return schema.toPython();
    case 'pbtxt':
      return schema.toPbtxt();
  }
}

/** The findings, as one JSON object. Integers are exact. */
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
