/** Runs the command in this process, which takes milliseconds. Only `runCli` has standard input and real signals. */
import { PassThrough, Writable } from 'node:stream';

import { run } from '../../../lib/cli/run';
import type { Streams } from '../../../lib/cli/terminal/streams';

/** A stream that keeps what is written to it. */
export class Screen extends Writable {
  text = '';
  constructor(
    readonly isTTY = false,
    readonly columns = 80,
  ) {
    super();
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface HereResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HereOptions {
  /** The working folder meanwhile. Default: this one. */
  readonly cwd?: string;
  /** Default: no terminal. */
  readonly stdout?: Screen;
  readonly env?: Streams['env'];
}

/** Runs the command to its end. One at a time, because the working folder is the process's. */
export async function runHere(
  args: readonly string[],
  { cwd, stdout = new Screen(), env = {} }: HereOptions = {},
): Promise<HereResult> {
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const stderr = new Screen();
    const { code } = run(args, { stdin: new PassThrough(), stdout, stderr, env });
    return { code: await code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
  }
}
