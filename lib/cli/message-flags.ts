/** The options `--proto` and `--message`, by which records are read as messages of any type. */
import { Option, type Command } from 'commander';

import { TFRecordError } from '../base';
import type { MessageType } from '../example';
import type { PlainMessage } from '../messages';
import { onDemand } from './on-demand';
import { explain, isUsage } from './terminal/reporter';
import { flagsOf, usageWording } from './terminal/terms';

export interface MessageFlags {
  readonly proto?: readonly string[];
  readonly protoPath?: readonly string[];
  /** The type that `--message` names. */
  readonly message?: MessageType<PlainMessage>;
}

export const MESSAGE_HELP = `
With --proto and --message, records are messages of any type, and print as protobuf's canonical JSON:
  tfrecord head --proto label.proto --message waymo.Label labels.tfrecord
--proto is a .proto file or a set of descriptors (protoc --include_imports -o FILE.pb). Imports are
looked for in the folders of --proto-path, then beside the importing file and above it;
google/protobuf/* is built in. The last part of a message's name is enough if no other ends so. Without
--proto, PredictionLog (TensorFlow Serving) and ExampleListWithContext (TF-Ranking) are known.
`;

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Adds the options. */
export function addMessageFlags(command: Command): Command {
  return command
    .option(
      '--proto <file>',
      'a .proto file, or a set of descriptors, that defines --message; may be repeated',
      collect,
    )
    .option('--proto-path <folder>', 'a folder with what --proto imports; may be repeated', collect)
    .addOption(new Option('--message <name>', 'read records as this protobuf message').conflicts(['spec', 'kinds']));
}

/**
 * Replaces the name of `--message` by its type. Runs before the actions of all commands, because parsers of options
 * cannot await. @throws CommanderError, as for other invalid values
 */
export async function readMessageFlags(_program: Command, command: Command): Promise<void> {
  const { proto, protoPath, message } = command.opts<{
    readonly proto?: readonly string[];
    readonly protoPath?: readonly string[];
    readonly message?: unknown;
  }>();
  // A command of its own may have an option of that name.
  if (!command.options.some(({ long }) => long === '--proto')) return;
  if (message === undefined && proto === undefined && protoPath === undefined) return;
  const fail = (reason: string): never => command.error(`error: ${reason}`, { code: 'commander.invalidArgument' });
  try {
    const { builtInTypes, loadMessageTypes, namesText } = onDemand.messages;
    const types = proto === undefined ? builtInTypes() : await loadMessageTypes(proto, { roots: protoPath });
    if (typeof message !== 'string') {
      return fail(`--proto needs --message: ${namesText(types.names)}`);
    }
    command.setOptionValue('message', types.type(message));
  } catch (error) {
    if (error instanceof Error && isUsage(error)) {
      if (proto === undefined) return fail('--message needs --proto, except PredictionLog and ExampleListWithContext');
      return fail(`--message is invalid: ${usageWording(error, flagsOf(command))}`);
    }
    if (!(error instanceof TFRecordError)) throw error;
    return fail(`--proto is invalid: ${explain(error, flagsOf(command))}`);
  }
}
