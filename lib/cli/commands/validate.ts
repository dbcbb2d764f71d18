import { grouped } from '../../base';
import type { Anomaly, Schema } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import { addFiles, addReadFlags, parseNames, readOptions } from '../flags';
import { addPartFlags, describeShard, refusePartFlags, type PartFlags, type WriteMerged } from '../parts';
import { schemaOption } from '../spec';
import { lineJson, fileText, lineText, plural } from '../terminal/text';
import { onDemand } from '../on-demand';

interface ValidateFlags extends PartFlags {
  readonly schema: Schema;
  readonly environment?: string;
  readonly json?: boolean;
}

const HELP = `
All files together are one data set, and every record is checked. Prints a line for each anomaly, in the
terms of TensorFlow Data Validation, and below it the first records that show it, by their numbers from 0.
--json prints one array of {"feature","path","type","message","records":[{"file","record"}]}.
Exit codes: 0 if all records fit the schema; 1 if there are anomalies, or data cannot be read.

--shard i/N -o OUT checks part i of N of the files, and leaves what it found in OUT.part-i-of-N. "tfrecord merge
OUT" writes what one run prints to OUT when all parts are there; its exit code is that of one run.
`;

export const validateCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addPartFlags(
      addFiles(program.command('validate').description('Check records against a schema, and list the anomalies.')),
    )
      .addOption(schemaOption().makeOptionMandatory())
      .option('--features <names>', 'only these features: names with commas between them', parseNames)
      .option('--environment <name>', 'the environment of the schema that applies to the data, such as SERVING')
      .option('--json', 'one JSON array, for programs')
      .option('-o, --output <file>', 'with --shard: the file that tfrecord merge makes of all parts')
      .option('--force', 'with --shard: replace a part that exists'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: ValidateFlags) => validateFiles(files, flags, begin()));

/** Prints the anomalies of all files together. */
async function validateFiles(names: readonly string[], flags: ValidateFlags, context: Context): Promise<void> {
  const { reporter, out } = context;
  const { schema, features, environment, json } = flags;
  refusePartFlags(flags, 'output', 'force', 'resume');
  const files = await context.files(names);
  // Without the missing files, anomalies could be missed.
  if (files.length === 0 || reporter.exitCode !== 0) return;
  if (flags.shard !== undefined) {
    const validation = { schema, environment };
    await describeShard('validate', files, flags, { json: json === true }, context, { validation });
    return;
  }
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
  for (const line of linesOf(anomalies, count, json === true)) await out.line(line);
  if (anomalies.length > 0) reporter.fault();
}

/** Returns what one run prints about the records of all parts. */
export const mergedAnomalies: WriteMerged = async (parts, signal, { reporter }) => {
  const anomalies = await parts.anomalies(signal);
  if (anomalies.length > 0) reporter.fault();
  return linesOf(anomalies, parts.records, parts.options['json'] === true)
    .map((line) => `${line}\n`)
    .join('');
};

/** The lines about `anomalies` of so many records. */
function linesOf(anomalies: readonly Anomaly[], records: number, json: boolean): readonly string[] {
  if (json) return [lineJson(anomalies)];
  const found =
    anomalies.length === 0
      ? 'no anomalies'
      : anomalies.length === 1
        ? '1 anomaly'
        : `${grouped(anomalies.length)} anomalies`;
  return [...anomalies.flatMap(anomalyLines), `${plural(records, 'record')}, ${found}`];
}

/** The lines about an anomaly, and about the records that show it. */
export function anomalyLines({ feature, path, type, message, records }: Anomaly): readonly string[] {
  const what = path.length === 0 ? 'all records' : lineText(feature === '' ? '""' : feature);
  const lines = [`${what}: ${type}`, `  ${lineText(message)}`];
  for (const file of new Set(records.map(({ file }) => file))) {
    const numbers = records.filter((each) => each.file === file).map(({ record }) => record);
    lines.push(`  ${numbers.length === 1 ? 'record' : 'records'} ${numbers.join(', ')} of ${fileText(file)}`);
  }
  return lines;
}
