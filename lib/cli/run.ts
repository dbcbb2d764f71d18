import { CommanderError } from 'commander';

import { Context } from './context';
import { buildProgram, expandNumber, USES } from './program';
import { EXIT, type ExitCode } from './terminal/reporter';
import { LineWriter, type Streams } from './terminal/streams';
import { flagsOf, type Flags } from './terminal/terms';
import { linesText } from './terminal/text';

/** A run of the command. */
export interface Run {
  /** Resolves with the exit code. Never rejects. */
  readonly code: Promise<ExitCode>;
  /** Removes the progress bar and unfinished files. The caller then exits. */
  readonly interrupt: () => Promise<void>;
  /** True if the process could wait for a thread when it exits: see {@link Context.exitWaits}. */
  readonly exitWaits: () => boolean;
}

/**
 * Runs the command. `argv` has the arguments after the program's name. `endAtSignals` is called if the operating system
 * must end the process at signals from then on.
 */
export function run(argv: readonly string[], streams: Streams, endAtSignals?: () => void): Run {
  // Help is written like other output, because it may go to a full disk, or to a pipe that closes early.
  const help = new LineWriter(streams.stdout);
  let helps = false;
  let context: Context | undefined;
  let flags: Flags;
  const begin = (): Context => (context = new Context(streams, endAtSignals, flags));
  const program = buildProgram(
    begin,
    {
      write: (text) => {
        helps = true;
        help.line(text.replace(/\n$/, ''))?.catch(() => undefined);
      },
      // Messages may quote file names, so control characters are escaped for the terminal.
      writeError: (text) => void streams.stderr.write(linesText(text)),
    },
    argv[0],
  );
  program.hook('preAction', (_program, command) => void (flags = flagsOf(command)));
  const work = async (): Promise<ExitCode> => {
    if (argv.length === 0) {
      streams.stderr.write(USES);
      return EXIT.usage;
    }
    try {
      await program.parseAsync(expandNumber(argv), { from: 'user' });
      await context?.out.flush();
    } catch (error) {
      if (context?.signal.aborted === true) return EXIT.interrupted;
      if (!(error instanceof CommanderError)) await fail(context ?? begin(), error);
      else if (error.exitCode !== 0) return EXIT.usage;
    }
    if (helps) {
      await help.flush().catch((error: unknown) => {
        (context ?? begin()).reporter.error(error);
      });
    }
    context?.reporter.finish();
    return context?.reporter.exitCode ?? EXIT.ok;
  };
  return {
    code: work(),
    interrupt: async () => context?.interrupt(),
    exitWaits: () => context?.exitWaits === true,
  };
}

/** Prints the pending output, then the error. */
async function fail(context: Context, error: unknown): Promise<void> {
  await context.out.flush().catch(() => undefined);
  context.reporter.error(error);
}
