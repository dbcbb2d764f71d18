import { grouped } from '../../base';
import type { Anomaly, Schema } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import { addFiles, addReadFlags, parseNames, readOptions, type ReadFlags } from '../flags';
import { schemaOption } from '../spec';
import { lineJson, fileText, lineText, plural } from '../terminal/text';
import { onDemand } from '../on-demand';

interface ValidateFlags extends ReadFlags {
  readonly schema: Schema;
  readonly features?: readonly string[];
  readonly environment?: string;
  readonly json?: boolean;
}

const HELP = `
All files together are one data set, and every record is checked. Prints a line for each anomaly, in the
terms of TensorFlow Data Validation, and below it the first records that show it, by their numbers from 0.
--json prints one array of {"feature","path","type","message","records":[{"file","record"}]}.
Exit codes: 0 if all records fit the schema; 1 if there are anomalies, or data cannot be read.
`;

export const validateCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addFiles(program.command('validate').description('Check records against a schema, and list the anomalies.'))
      .addOption(schemaOption().makeOptionMandatory())
      .option('--features <names>', 'only these features: names with commas between them', parseNames)
      .option('--environment <name>', 'the environment of the schema that applies to the data, such as SERVING')
      .option('--json', 'one JSON array, for programs'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: ValidateFlags) => validateFiles(files, flags, begin()));

/** Prints the anomalies of all files together. */
async function validateFiles(names: readonly string[], flags: ValidateFlags, context: Context): Promise<void> {
  const { reporter, out } = context;
  const { schema, features, environment, json } = flags;
  const files = await context.files(names);
  // Without the missing files, anomalies could be missed.
  if (files.length === 0 || reporter.exitCode !== 0) return;
  const progress = await context.startProgress(files, flags.progress);
  const options = readOptions(flags, reporter);
  let count = 0;
  const { validate } = onDemand.schema;
  const anomalies = await validate(files, schema, {
    ...options,
    features,
    environment,
    signal: context.signal,
    onProgress: ({ compressedBytes, records }) => {
      count = records;
      progress.update({ bytes: compressedBytes, records });
    },
  }).finally(() => {
    progress.clear();
  });
  if (json === true) await out.line(lineJson(anomalies));
  else {
    for (const anomaly of anomalies) await printAnomaly(anomaly, context);
    const found =
      anomalies.length === 0
        ? 'no anomalies'
        : anomalies.length === 1
          ? '1 anomaly'
          : `${grouped(anomalies.length)} anomalies`;
    await out.line(`${plural(count, 'record')}, ${found}`);
  }
  if (anomalies.length > 0) reporter.fault();
}

async function printAnomaly({ feature, path, type, message, records }: Anomaly, { out }: Context): Promise<void> {
  const what = path.length === 0 ? 'all records' : lineText(feature === '' ? '""' : feature);
  await out.line(`${what}: ${type}`);
  await out.line(`  ${lineText(message)}`);
  for (const file of new Set(records.map(({ file }) => file))) {
    const numbers = records.filter((each) => each.file === file).map(({ record }) => record);
    await out.line(`  ${numbers.length === 1 ? 'record' : 'records'} ${numbers.join(', ')} of ${fileText(file)}`);
  }
}
