/** Parts of the work of commands that describe records: `--shard`, and what joins the parts. */
import type { Command } from 'commander';

import { messagesOf, textsOf } from '../base';
import type { DescribeCommand, Description, PartWork } from '../convert/describe';
import type { Schema, SliceBy } from '../schema';
import { wordedError } from './commands/convert';
import type { Context } from './context';
import { readOptions, type ReadFlags } from './flags';
import { onDemand } from './on-demand';
import { checkName, checkNew, writeOutput } from './output';
import type { Progress } from './terminal/progress';
import { UsageError } from './terminal/reporter';
import { inFlags } from './terminal/terms';
import { lineJson, lineText, plural } from './terminal/text';

/** Flags of commands that work in parts. */
export interface PartFlags extends ReadFlags {
  readonly shard?: string;
  readonly output?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly features?: readonly string[];
}

/** Adds the options of parts, but for --output and --force, which commands describe themselves. */
export function addPartFlags(command: Command): Command {
  return command
    .option('--shard <part>', 'describe part i of N, for tfrecord merge: i/N, or auto for that of the scheduler')
    .option('--resume', 'with --shard: do nothing if the part is complete');
}

/** @throws UsageError if one of `names`, flags that are only for parts, is in a run of the whole */
export function refusePartFlags(flags: PartFlags, ...names: readonly ('force' | 'output' | 'resume')[]): void {
  if (flags.shard !== undefined) return;
  const found = names.find((name) => flags[name] !== undefined);
  if (found !== undefined) throw new UsageError(`--${found} is for parts: name one with --shard`);
}

/**
 * Describes the part of `files` that --shard names. `output`: what the merge needs besides the options. `work`: for
 * `index`, see {@link PartWork}. `validation`: for `validate`. `sliceBy`: for `stats`.
 */
export async function describeShard(
  command: DescribeCommand,
  files: readonly string[],
  flags: PartFlags,
  output: Readonly<Record<string, unknown>>,
  context: Context,
  {
    work,
    validation,
    sliceBy,
  }: {
    readonly work?: (files: readonly string[], progress: Progress) => ReturnType<PartWork>;
    readonly sliceBy?: readonly SliceBy[] | undefined;
    readonly validation?: { readonly schema: Schema; readonly environment: string | undefined };
  } = {},
): Promise<void> {
  const { shard, output: path, features, resume, force, progress: shows } = flags;
  if (shard === undefined || path === undefined || path === '-') {
    throw new UsageError('--shard needs --output: the file that tfrecord merge makes of all parts');
  }
  checkName(path);
  const { reporter } = context;
  const { describePart } = onDemand.describe;
  const progress = await context.startProgress(files, shows);
  try {
    const found = await context.writing((signal) =>
      describePart(command, files, path, {
        shard,
        reading: { ...readOptions(flags, reporter), signal },
        features,
        sliceBy,
        output,
        resume,
        force,
        validation,
        work: work && ((own) => work(own, progress)),
        onProgress: ({ compressedBytes, records }) => {
          progress.update({ bytes: compressedBytes, records });
        },
      }),
    );
    progress.clear();
    // A part that was complete may lack bytes, too.
    reporter.losses.atLeast(found.lostBytes);
    for (const note of messagesOf(textsOf(found.notes))) reporter.note(inFlags(note, context.flags));
    const done = `${plural(found.records, 'record')} in ${lineText(found.folder)}`;
    reporter.note(found.upToDate ? `up to date, nothing to do: ${done}` : done);
  } catch (error) {
    throw wordedError(error, context.flags);
  } finally {
    progress.clear();
  }
}

/** Makes the content of a command's output from what its parts have found. */
export type WriteMerged = (parts: Description, signal: AbortSignal, context: Context) => Promise<string | Uint8Array>;

/** Writes what all parts of `output` have found, as one run would, and removes the parts. */
export async function mergeShards(
  parts: Description,
  output: string,
  { force, json }: { readonly force?: boolean | undefined; readonly json?: boolean | undefined },
  write: WriteMerged,
  context: Context,
): Promise<void> {
  const { reporter, out } = context;
  await checkNew(output, force);
  await context.writing(async (signal) => {
    await writeOutput(output, await write(parts, signal, context), signal);
    await parts.remove();
  });
  reporter.losses.atLeast(parts.lostBytes);
  const { command, records, count } = parts;
  if (json === true) await out.line(lineJson({ command, output, parts: count, records }));
  else reporter.note(`${plural(records, 'record')} of ${plural(count, 'part')} in ${lineText(output)}`);
}
