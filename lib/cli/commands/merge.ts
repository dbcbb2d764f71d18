import type { CommandDefinition } from '../context';
import { checkName } from '../output';
import { addProgressFlags, tell, wordedError } from './convert';
import { onDemand } from '../on-demand';

interface MergeFlags {
  readonly force?: boolean;
  readonly json?: boolean;
}

export const mergeCommand: CommandDefinition = (program, begin) =>
  addProgressFlags(
    program
      .command('merge')
      .description('Join the parts that convert --shard wrote.')
      .argument('<output>', 'the output that the parts were made for: OUT of OUT.part-0-of-5')
      .option('--force', 'replace outputs that exist'),
  ).action(async (output: string, { force, json }: MergeFlags) => {
    const context = begin();
    checkName(output);
    const { mergeParts } = onDemand.convert;
    try {
      const report = await context.writing((signal) => mergeParts(output, { force, signal }));
      await tell(report, json, context);
    } catch (error) {
      throw wordedError(error, context.flags);
    }
  });
