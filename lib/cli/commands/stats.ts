import { InvalidArgumentError, Option } from 'commander';

import type { DatasetStatistics, SliceBy } from '../../schema';
import type { CommandDefinition, Context } from '../context';
import { addFiles, addReadFlags, parseNames, readOptions } from '../flags';
import { checkApart, checkNew, writeOutput } from '../output';
import { addPartFlags, describeShard, refusePartFlags, type PartFlags, type WriteMerged } from '../parts';
import { UsageError } from '../terminal/reporter';
import { lineJson, lineText, linesText } from '../terminal/text';
import { onDemand } from '../on-demand';

/** The forms of statistics. */
const FORMS = ['table', 'json', 'pb'] as const;

interface StatsFlags extends PartFlags {
  readonly as?: (typeof FORMS)[number];
  readonly json?: boolean;
  readonly name?: string;
  readonly slice?: readonly SliceBy[];
}

const HELP = `
All files together are one data set. The statistics are those of TensorFlow Data Validation, which opens
them, as Facets does: pb is TensorFlow Metadata's message DatasetFeatureStatisticsList, json the same in
protobuf's JSON. Counts, bounds, different values and the most frequent ones are exact; medians and
quantiles of very many values are off by less than 1 % of the ranks. Needs the package @duckdb/node-api.

--slice also describes the records with each value of a feature, as one more data set a value: --slice country
makes country_US, country_FR ...; --slice country,age each combination that occurs; --slice country=US only
that value. All records are then called All Examples, as in TensorFlow Data Validation. At most 1,000 slices.

--shard i/N -o OUT describes part i of N of the files, or of their records if there are fewer files, and leaves
what it found in OUT.part-i-of-N. "tfrecord merge OUT" writes OUT when all parts are there.
`;

export const statsCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    addPartFlags(
      addFiles(
        program.command('stats').description('Describe the values of all features: numbers, texts, histograms.'),
      ),
    )
      .addOption(
        new Option('--as <form>', 'form of the output (default: by the extension of --output, else table)').choices(
          FORMS,
        ),
      )
      .addOption(new Option('--json', 'the same as --as json').conflicts('as'))
      .option('--features <names>', 'only these features: names with commas between them', parseNames)
      .option('--name <name>', 'name of the data set, for tools that compare several')
      .addOption(
        new Option(
          '--slice <features>',
          'also describe each slice: the records with each value of a feature, or combination of values of several; ' +
            'may be repeated',
        )
          .argParser(parseSlice)
          .conflicts('name'),
      )
      .option('-o, --output <file>', 'write the statistics to a file; - is standard output')
      .option('--force', 'replace a file, or a part, that exists'),
    { verify: true, onError: true },
  )
    .addHelpText('after', HELP)
    .action((files: readonly string[], flags: StatsFlags) => stats(files, flags, begin()));

/** Adds the slices of an option `--slice` to those before. */
function parseSlice(text: string, before: readonly SliceBy[] = []): readonly SliceBy[] {
  const slice = new Map<string, string[] | undefined>();
  for (const part of parseNames(text)) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals).trim();
    if (name === '') throw new InvalidArgumentError('Expected names of features, with or without =VALUE.');
    const values = slice.get(name);
    if (slice.has(name) && (values === undefined || equals < 0)) {
      throw new InvalidArgumentError(`It names ${lineText(name)} twice.`);
    }
    slice.set(name, equals < 0 ? undefined : [...(values ?? []), part.slice(equals + 1).trim()]);
  }
  return [...before, Object.fromEntries(slice)];
}

/** Prints the statistics of all files together. */
async function stats(names: readonly string[], flags: StatsFlags, context: Context): Promise<void> {
  const { reporter, out, streams } = context;
  const { features, name, slice: sliceBy, output = '-', force } = flags;
  const as = flags.json === true ? 'json' : (flags.as ?? formOf(output));
  refusePartFlags(flags, 'resume');
  if (flags.shard === undefined) await checkNew(output, force);
  const files = await context.files(names);
  // Statistics of only some files could be mistaken for those of all.
  if (reporter.exitCode !== 0) return;
  await checkApart(output, files);
  if (flags.shard !== undefined) {
    if (files.length > 0) await describeShard('stats', files, flags, { as, name: name ?? '' }, context, { sliceBy });
    return;
  }
  const { statistics } = onDemand.schema;
  const progress = await context.startProgress(files, flags.progress);
  await context.writing(async (signal) => {
    const options = readOptions(flags, reporter);
    const found = await statistics(files, {
      ...options,
      features,
      ...(sliceBy === undefined ? { name } : { sliceBy }),
      signal,
      onProgress: ({ compressedBytes, records }) => {
        progress.update({ bytes: compressedBytes, records });
      },
    }).finally(() => {
      progress.clear();
    });
    const width = output === '-' ? streams.stdout.columns : undefined;
    const content = contentOf(found, as, width, output !== '-');
    if (output !== '-') await writeOutput(output, content, signal);
    else if (typeof content === 'string') await out.line(content.replace(/\n$/, ''));
    else await out.bytes(content);
  });
}

/** Returns what one run writes about the records of all parts. */
export const mergedStatistics: WriteMerged = async (parts, signal) => {
  const as = FORMS.find((form) => form === parts.options['as']) ?? 'table';
  return contentOf(await parts.statistics(signal), as, undefined, true);
};

/** Returns the form for an output file, by its extension. @throws UsageError for the extension of another format */
function formOf(output: string): (typeof FORMS)[number] {
  if (/\.(?:csv|tsv|html?|parquet|pbtxt|xlsx)$/i.test(output)) {
    throw new UsageError(
      `${lineText(output)} has the extension of another format: --as must say which to write, of ${FORMS.join(', ')}`,
    );
  }
  return FORMS.find((form) => output.toLowerCase().endsWith(`.${form}`)) ?? 'table';
}

function contentOf(
  found: DatasetStatistics,
  form: (typeof FORMS)[number],
  width: number | undefined,
  isFile: boolean,
): string | Uint8Array {
  switch (form) {
    case 'table':
      return linesText(found.toTable(width));
    case 'json':
      // Standard output gets one line, like all JSON there; a file is indented, for people.
      return isFile ? `${linesText(JSON.stringify(found, null, 2))}\n` : `${lineJson(found)}\n`;
    case 'pb':
      return found.toBytes();
  }
}
