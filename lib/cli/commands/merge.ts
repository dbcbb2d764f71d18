import type { DescribeCommand } from '../../convert/describe';
import type { CommandDefinition } from '../context';
import { checkName } from '../output';
import { addProgressFlags, tell, wordedError } from './convert';
import { onDemand } from '../on-demand';
import { mergeShards, type WriteMerged } from '../parts';
import { mergedCounts } from './count';
import { mergedIndexes } from './index-files';
import { mergedSchema } from './schema';
import { mergedStatistics } from './stats';
import { mergedAnomalies } from './validate';

interface MergeFlags {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** The writers of results, by the commands that work in parts. */
const WRITERS: Readonly<Record<DescribeCommand, WriteMerged>> = {
  count: mergedCounts,
  index: mergedIndexes,
  schema: mergedSchema,
  stats: mergedStatistics,
  validate: mergedAnomalies,
};

export const mergeCommand: CommandDefinition = (program, begin) =>
  addProgressFlags(
    program
      .command('merge')
      .description('Join the parts that --shard made: of convert, count, index, schema, stats or validate.')
      .argument('<output>', 'the output that the parts were made for: OUT of OUT.part-0-of-5')
      .option('--force', 'replace outputs that exist'),
  ).action(async (output: string, { force, json }: MergeFlags) => {
    const context = begin();
    checkName(output);
    const { mergeParts } = onDemand.convert;
    const { openDescription } = onDemand.describe;
    try {
      const parts = await openDescription(output, context.signal);
      if (parts !== undefined) {
        await mergeShards(parts, output, { force, json }, WRITERS[parts.command], context);
        return;
      }
      const report = await context.writing((signal) => mergeParts(output, { force, signal }));
      await tell(report, json, context);
    } catch (error) {
      throw wordedError(error, context.flags);
    }
  });
