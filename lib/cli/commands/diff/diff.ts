import { InvalidArgumentError } from 'commander';
import { tmpdir } from 'node:os';
import pc from 'picocolors';

import { grouped } from '../../../base';
import { JsonText, RecordPrinter, valueJson, type DecodedFeature } from '../../../example';
import type { CommandDefinition, Context } from '../../context';
import { addFile, addReadFlags, FILES_HELP, parseCount, readOptions, type ReadFlags } from '../../flags';
import { UsageError } from '../../terminal/reporter';
import { wantsColor } from '../../terminal/streams';
import { lineJson, fileText, lineText, plural } from '../../terminal/text';
import { compareRecords, type BytesDifference, type FeatureDifference } from './compare-records';
import { pairsByKey, pairsByOrder, RecordSet, type Pair, type PlacedRecord, type Sums } from './paired-records';

interface DiffFlags extends ReadFlags {
  readonly key?: string;
  readonly tolerance: number;
  readonly maxCount?: number;
  readonly quiet?: boolean;
  readonly full?: boolean;
  readonly json?: boolean;
  readonly temporary?: string;
}

const FORMS = `
Compares records; "tfrecord compare" compares the distributions of their values.
Prints the records that differ, and how, then a summary:
  ~ a.tfrecord:3 b.tfrecord:3               record 3 of a and of b (numbers begin at 0)
      age: 29 -> 30
      scores[7]: 0.5 -> 0.6 (3 values differ)
      name: missing -> {"bytes":["Ann"]}
  - a.tfrecord:8 {"features":{"age":[7]}}   only a has it
  + b.tfrecord:9 {"features":{"age":[8]}}   only b has it
words[2][0] is the first value in step 2 of a feature list. Of Examples the features count, not the
order and form in which they are stored; of other records all bytes. NaN is equal to NaN, -0 is not 0.
With --tolerance T, floats a and b are equal if |a - b| <= T * max(1, |a|, |b|).

Without --key the first records belong together, the second ones and so on, and memory does not grow
with the sets. With --key records with the same value belong together, in the order of b; the feature
has one value in every record. The records of a are then held in memory up to 256 MiB. If they are
more, both sets are written to temporary files, uncompressed, and compared in 256 parts: one part of a
is held at a time, and the order is that of the parts.

With --json each record that differs is an object, as {"change":"changed","a":{"file":"a","record":3},
"b":{"file":"b","record":3},"features":[{"feature":"age","index":0,"a":29,"b":30,"values":1}]}, and
the last line is {"summary":{...}}.

Exit codes: 0 if the sets are equal, 1 if they differ. It is also 1 if data is damaged or a file cannot
be read; then there is no summary, and standard error has a line that begins with "tfrecord: error:".
`;

export const diffCommand: CommandDefinition = (program, begin) =>
  addReadFlags(
    program
      .command('diff')
      .description('Print what differs between two sets of records.')
      .argument('<a>', `the first set: ${FILES_HELP}`, checkName)
      .argument('<b>', 'the second set', checkName)
      .option('--key <feature>', 'compare records with the same value of this feature')
      .option('--tolerance <number>', 'maximum difference of equal floats, see below', parseTolerance, 0)
      .option('-m, --max-count <count>', 'maximum number of records to print', parseCount)
      .option('-q, --quiet', 'print nothing; the exit code is the result')
      .option('--full', 'do not cut long values and lists')
      .option('--json', 'one JSON object for each record, for programs')
      .option('--temporary <folder>', 'folder for temporary files (default: that of the system)'),
    { verify: true, onError: true },
  )
    .addHelpText('after', FORMS)
    .action(async (a: string, b: string, flags: DiffFlags) => {
      if (a === '-' && b === '-') throw new UsageError('Standard input can be read only once.');
      await diff(a, b, flags, begin());
    });

function checkName(name: string): string {
  addFile(name);
  return name;
}

function parseTolerance(text: string): number {
  const tolerance = /^[\d.]+(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(tolerance)) throw new InvalidArgumentError('A tolerance is a number, 0 or more.');
  return tolerance;
}

/** Prints what differs between sets `a` and `b`. */
async function diff(a: string, b: string, flags: DiffFlags, context: Context): Promise<void> {
  const filesA = await context.files([a]);
  const filesB = await context.files([b]);
  // A missing set was reported.
  if (filesA.length === 0 || filesB.length === 0) return;
  if (flags.key === undefined) await compare(filesA, filesB, flags, context, context.signal);
  else await context.writing((signal) => compare(filesA, filesB, flags, context, signal));
}

async function compare(
  filesA: readonly string[],
  filesB: readonly string[],
  flags: DiffFlags,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { out, reporter, streams } = context;
  const { key, tolerance, quiet, temporary = tmpdir(), maxCount = Infinity, json } = flags;
  const progress = await context.startProgress([...filesA, ...filesB], flags.progress && streams.stdout.isTTY !== true);
  const options = { ...readOptions(flags, reporter), signal };
  const sums: [Sums, Sums] = [NOTHING, NOTHING];
  const set = (files: readonly string[], side: 0 | 1): RecordSet =>
    new RecordSet(files, options, (sum) => {
      sums[side] = sum;
      progress.update({
        bytes: sums[0].compressedBytes + sums[1].compressedBytes,
        records: sums[0].records + sums[1].records,
      });
    });
  const [setA, setB] = [set(filesA, 0), set(filesB, 1)];
  const pairs = key === undefined ? pairsByOrder(setA, setB) : pairsByKey(setA, setB, { key, temporary, signal });
  const printer = json === true ? new JsonDiff(flags) : new TextDiff(flags, context);
  const summary = new Summary();
  try {
    for await (const pair of pairs) {
      const { a, b } = pair;
      const difference = a && b && compareRecords(a.record, b.record, tolerance);
      if (a && b && difference === undefined) continue;
      summary.add(pair, difference);
      if (quiet === true || out.closed) break;
      if (summary.different > maxCount) continue;
      const full = out.line(printer.pair(pair, difference));
      if (full !== undefined) await full;
    }
  } finally {
    progress.clear();
  }
  if (summary.different > 0) reporter.fault();
  if (quiet === true || out.closed) return;
  if (summary.different > maxCount && json !== true) {
    await out.line(`... ${grouped(summary.different - maxCount)} more`);
  }
  await out.line(printer.summary(summary, setA.records, setB.records));
}

const NOTHING: Sums = { records: 0, compressedBytes: 0 };

type Difference = readonly FeatureDifference[] | BytesDifference | undefined;

/** Maximum number of features in a summary. */
const MAX_NAMED = 1000;

/** Counts differences. */
class Summary {
  changed = 0;
  removed = 0;
  added = 0;
  /** Number of records in which each feature differs. */
  readonly features = new Map<string, number>();

  get different(): number {
    return this.changed + this.removed + this.added;
  }

  add({ a, b }: Pair, difference: Difference): void {
    if (a === undefined) this.added++;
    else if (b === undefined) this.removed++;
    else this.changed++;
    if (difference === undefined || 'byte' in difference) return;
    for (const { feature } of difference) {
      const count = this.features.get(feature);
      if (count !== undefined || this.features.size < MAX_NAMED) this.features.set(feature, (count ?? 0) + 1);
    }
  }
}

/** Maximum number of values to print for a feature that only one record has. */
const SHOWN_VALUES = 8;

/** Returns a feature as `head --kinds` prints it; undefined if it is missing. */
function featureJson(feature: DecodedFeature | null | undefined, full: boolean): string | undefined {
  if (!feature) return feature === null ? 'null' : undefined;
  const { length } = feature.values;
  const shown = full ? length : Math.min(length, SHOWN_VALUES);
  const values = Array.from({ length: shown }, (_, i) => valueJson(feature.values.at(i)!, full));
  if (shown < length) values.push(`{"more":${length - shown}}`);
  return `{"${feature.kind}":[${values.join()}]}`;
}

/** Returns the value at `index` of a feature, or the whole feature; undefined if there is none. */
function shownJson(
  feature: DecodedFeature | null | undefined,
  index: number | undefined,
  full: boolean,
): string | undefined {
  if (index === undefined || !feature) return featureJson(feature, full);
  const value = feature.values.at(index);
  return value === undefined ? undefined : valueJson(value, full);
}

/** Prints differences for people. */
class TextDiff {
  readonly #records: RecordPrinter;
  readonly #full: boolean;
  readonly #colors: ReturnType<typeof pc.createColors>;

  constructor({ full = false }: DiffFlags, { streams }: Context) {
    this.#full = full;
    this.#records = new RecordPrinter({ full });
    this.#colors = pc.createColors(wantsColor(streams.stdout, streams.env));
  }

  pair({ a, b, key }: Pair, difference: Difference): string {
    const { red, green, yellow } = this.#colors;
    const named = key === undefined ? '' : `${lineText(key)} `;
    if (a === undefined) return `${green('+')} ${named}${this.#whole(b!)}`;
    if (b === undefined) return `${red('-')} ${named}${this.#whole(a)}`;
    return [`${yellow('~')} ${named}${placeText(a)} ${placeText(b)}`, ...this.#lines(difference!)].join('\n');
  }

  summary({ changed, removed, added, features, different }: Summary, a: number, b: number): string {
    if (different === 0) return `equal: ${plural(b, 'record')}`;
    const names = [...features].sort(([, x], [, y]) => y - x).slice(0, SHOWN_VALUES);
    const counts = names.map(([name, count]) => `${lineText(name)} in ${grouped(count)}`);
    if (features.size > names.length) counts.push(`${grouped(features.size - names.length)} more`);
    const where = counts.length === 0 ? '' : `: ${counts.join(', ')}`;
    return (
      `different: ${grouped(changed)} changed${where}; ${grouped(removed)} only in a, ${grouped(added)} only in b ` +
      `(a has ${plural(a, 'record')}, b ${plural(b, 'record')})`
    );
  }

  #whole(placed: PlacedRecord): string {
    const out = new JsonText();
    this.#records.print(placed.record, out);
    return `${placeText(placed)} ${out.toString()}`;
  }

  #lines(difference: NonNullable<Difference>): string[] {
    if ('byte' in difference) {
      const [a, b] = difference.lengths;
      return [`    from byte ${grouped(difference.byte)} on: ${plural(a, 'byte')} -> ${plural(b, 'byte')}`];
    }
    return difference.map(({ feature, step, index, a, b, values }) => {
      const single = a?.values.length === 1 && b?.values.length === 1;
      const place = [step, single ? undefined : index].map((at) => (at === undefined ? '' : `[${at}]`)).join('');
      const none = index === undefined ? 'missing' : 'no value';
      const sides = [a, b].map((side) => shownJson(side, index, this.#full) ?? none);
      const more = values > 1 && index !== undefined ? ` (${plural(values, 'value')} differ)` : '';
      return `    ${lineText(feature)}${place}: ${sides.map(lineText).join(' -> ')}${more}`;
    });
  }
}

function placeText({ file, number }: PlacedRecord): string {
  return `${fileText(file)}:${number}`;
}

/** Prints differences for programs. */
class JsonDiff {
  readonly #full: boolean;

  constructor({ full = false }: DiffFlags) {
    this.#full = full;
  }

  pair({ a, b, key }: Pair, difference: Difference): string {
    const change = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed';
    const members = [`"change":"${change}"`];
    if (key !== undefined) members.push(`"key":${key}`);
    for (const [side, placed] of Object.entries({ a, b })) {
      if (placed !== undefined) members.push(`"${side}":${lineJson({ file: placed.file, record: placed.number })}`);
    }
    if (difference !== undefined) {
      if ('byte' in difference) members.push(`"byte":${difference.byte},"lengths":[${difference.lengths.join()}]`);
      else members.push(`"features":[${difference.map((one) => this.#feature(one)).join()}]`);
    }
    return lineText(`{${members.join()}}`);
  }

  summary({ changed, removed, added, features, different }: Summary, recordsA: number, recordsB: number): string {
    return lineJson({
      summary: {
        equal: different === 0,
        ...{ recordsA, recordsB, changed, removed, added },
        features: Object.fromEntries(features),
      },
    });
  }

  #feature({ feature, step, index, a, b, values }: FeatureDifference): string {
    const members = [`"feature":${lineJson(feature)}`];
    if (step !== undefined) members.push(`"step":${step}`);
    if (index !== undefined) members.push(`"index":${index}`);
    for (const [side, value] of Object.entries({ a, b })) {
      const json = shownJson(value, index, this.#full);
      if (json !== undefined) members.push(`"${side}":${json}`);
    }
    members.push(`"values":${values}`);
    return `{${members.join()}}`;
  }
}
