import { stat } from 'node:fs/promises';

import { objectScheme, shownUrl } from '../../base';
import type { RecordType } from '../../example';
import { readRecords } from '../../record';
import type { CompareOptions, Schema, StatisticsComparison, StatisticsSource } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import { addFile, addReadFlags, FILES_HELP, parseNames, readOptions, type ReadFlags } from '../flags';
import { onDemand } from '../on-demand';
import { schemaOption } from '../spec';
import { UsageError } from '../terminal/reporter';
import { lineJson, lineText, linesText } from '../terminal/text';
import { anomalyLines } from './validate';

interface CompareFlags extends ReadFlags {
  readonly schema?: Schema;
  readonly skew?: boolean;
  readonly features?: readonly string[];
  readonly json?: boolean;
}

const HELP = `
Compares distributions, not records: "tfrecord diff" compares records. A set is TFRecord files, or the
statistics of a set that "tfrecord stats -o a.pb" or TensorFlow Data Validation saved: bytes (.pb), JSON,
text (.pbtxt), or a TFRecord file with that message. Prints two distances for each feature, from 0 (equal)
to 1 (nothing in common):
  Jensen-Shannon  of the histograms of numbers, or of the 1,000 most frequent texts
  L-infinity      the largest difference of the fractions that a text has of all values; and that text
Features that only one set has come first, then the most different ones.

--schema holds them against the thresholds of drift_comparator in the schema: a is the earlier set, b the
one to judge. With --skew those of skew_comparator apply: a is the set of serving, b that of training. The
anomalies are in the terms of TensorFlow Data Validation.
--json prints one object: {"base":{"name","records"},"current":{...},"features":[{"feature","path","base",
"current","lInfinity","mostDifferent","normalizedDifference","jensenShannon"}],"anomalies":[...],
"unchecked":[{"feature","field","reason"}],"comparators":1}.
Needs the package @duckdb/node-api, unless both sets are saved statistics.
Exit codes: 0 if no distance is above its threshold; 1 if one is, or if data cannot be read.
`;

export const compareCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    program
      .command('compare')
      .description('Print how much the values of two sets differ: drift and skew.')
      .argument('<a>', `the first set: ${FILES_HELP}; or saved statistics`, checkName)
      .argument('<b>', 'the second set', checkName)
      .addOption(schemaOption())
      .option('--skew', 'use the thresholds of skew_comparator, not those of drift_comparator')
      .option('--features <names>', 'only these features: names with commas between them', parseNames)
      .option('--json', 'one JSON object, for programs'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action(async (a: string, b: string, flags: CompareFlags) => {
      if (a === '-' && b === '-') throw new UsageError('Standard input can be read only once.');
      if (flags.skew === true && flags.schema === undefined) {
        throw new UsageError('--skew chooses thresholds of a schema: name it with --schema');
      }
      await compare(a, b, flags, begin());
    });

function checkName(name: string): string {
  addFile(name);
  return name;
}

/** Prints the distances between sets `a` and `b`, and the anomalies. */
async function compare(a: string, b: string, flags: CompareFlags, context: Context): Promise<void> {
  const { reporter, out, streams } = context;
  const [filesA, filesB] = [await context.files([a]), await context.files([b])];
  // Without the missing files, distances would be wrong.
  if (filesA.length === 0 || filesB.length === 0 || reporter.exitCode !== 0) return;
  const { schema, skew, features, json } = flags;
  const comparison = await context.writing(async (signal) => {
    const base = await statisticsOf(a, filesA, flags, context, signal);
    const current = await statisticsOf(b, filesB, flags, context, signal);
    const comparator: CompareOptions['comparator'] = skew === true ? 'skew' : 'drift';
    return onDemand.schema.compareStatistics(base, current, { schema, comparator, features });
  });
  if (json === true) await out.line(lineJson(comparison));
  else await out.line(linesText(comparison.toTable(streams.stdout.columns)).replace(/\n$/, ''));
  await judge(comparison, flags, context);
}

/** Prints the anomalies, and what was not judged. */
async function judge(comparison: StatisticsComparison, flags: CompareFlags, context: Context): Promise<void> {
  const { reporter, out } = context;
  const { anomalies, unchecked, comparators } = comparison;
  if (flags.json !== true) {
    if (anomalies.length > 0) await out.line('');
    for (const line of anomalies.flatMap(anomalyLines)) await out.line(line);
  }
  for (const { feature, field, reason } of unchecked) {
    reporter.note(`${lineText(feature)}: ${field} is not checked: ${lineText(reason)}`);
  }
  if (flags.schema !== undefined && comparators === 0 && anomalies.length === 0) {
    const [used, other] =
      flags.skew === true ? ['skew', 'drift_comparator apply without'] : ['drift', 'skew_comparator apply with'];
    reporter.note(`the schema has no ${used}_comparator with a threshold for these features; those of ${other} --skew`);
  }
  if (anomalies.length > 0) reporter.fault();
}

/** Returns the statistics of a set: those that were saved, or those of its records. */
async function statisticsOf(
  name: string,
  files: readonly string[],
  flags: CompareFlags,
  context: Context,
  signal: AbortSignal,
): Promise<StatisticsSource> {
  const [only = ''] = files;
  const saved = files.length === 1 ? await savedStatistics(only) : undefined;
  if (saved !== undefined) return saved;
  const progress = await context.startProgress(files, flags.progress);
  const { statistics } = onDemand.schema;
  return statistics(files, {
    ...readOptions(flags, context.reporter),
    name: shownUrl(name),
    signal,
    onProgress: ({ compressedBytes, records }) => {
      progress.update({ bytes: compressedBytes, records });
    },
  }).finally(() => {
    progress.clear();
  });
}

/** Returns the statistics in a file; undefined for a file of other records. */
async function savedStatistics(file: string): Promise<StatisticsSource | undefined> {
  if (file === '-' || objectScheme(file) !== undefined) return undefined;
  const { readStatistics } = onDemand.schema;
  if (/\.(?:json|pb|pbtxt)$/i.test(file)) return readStatistics(file);
  // To look at a pipe would empty it.
  if ((await stat(file).catch(() => undefined))?.isFile() !== true) return undefined;
  if ((await firstType(file)) !== 'unknown') return undefined;
  const found = await readStatistics(file).catch(() => undefined);
  return found?.datasets.some(({ features }) => features.length > 0) === true ? found : undefined;
}

/** Returns the type of the first record of a file; undefined if it cannot be read. */
async function firstType(file: string): Promise<RecordType | undefined> {
  try {
    for await (const record of readRecords(file)) return onDemand.example.recordType(record);
  } catch {
    // Reading the set reports the error.
  }
  return undefined;
}
