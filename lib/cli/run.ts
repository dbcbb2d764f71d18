/* eslint-disable @typescript-eslint/no-require-imports -- a command loads what it needs when it runs, not before */
import { CommanderError } from 'commander';

import type { Context } from './context';
import { EXIT, type ExitCode } from './exit-code';
import { buildProgram, expandNumber } from './program';
import type { Streams } from './streams';

/** A run of the command: `code` settles with its exit code, never rejects. */
export interface Run {
  readonly code: Promise<ExitCode>;
  /** Cleans the terminal; the caller exits. */
  readonly interrupt: () => void;
}

/** Runs the command with `argv`: the arguments behind the program's name. */
export function run(argv: readonly string[], streams: Streams): Run {
  // Help, too, may be piped into something that closes early.
  streams.stdout.on('error', () => undefined);
  let context: Context | undefined;
  const begin = (): Context => {
    const { Context } = require('./context') as typeof import('./context');
    return (context = new Context(streams));
  };
  const program = buildProgram(
    {
      head: (files, flags) => (require('./head') as typeof import('./head')).head(files, flags, begin()),
      cat: (files, flags) => (require('./cat') as typeof import('./cat')).cat(files, flags, begin()),
      count: (files, flags) => (require('./count') as typeof import('./count')).count(files, flags, begin()),
      verify: (files, flags) => (require('./verify') as typeof import('./verify')).verify(files, flags, begin()),
      info: (files, flags) => (require('./info') as typeof import('./info')).info(files, flags, begin()),
    },
    {
      write: (text) => void streams.stdout.write(text),
      writeError: (text) => void streams.stderr.write(text),
    },
  );
  const work = async (): Promise<ExitCode> => {
    try {
      await program.parseAsync(expandNumber(argv), { from: 'user' });
      await context?.out.flush();
    } catch (error) {
      if (error instanceof CommanderError) return usageCode(error);
      await fail(context ?? begin(), error);
    }
    context?.reporter.finish();
    return context?.reporter.exitCode ?? EXIT.ok;
  };
  return {
    code: work(),
    interrupt: () => {
      context?.reporter.progress?.clear();
    },
  };
}

/** Help and version that were asked for are a success; help in place of a command is not. */
function usageCode({ exitCode }: CommanderError): ExitCode {
  return exitCode === 0 ? EXIT.ok : EXIT.usage;
}

/** What was printed before the failure comes before its message. */
async function fail(context: Context, error: unknown): Promise<void> {
  await context.out.flush().catch(() => undefined);
  context.reporter.error(error);
}
