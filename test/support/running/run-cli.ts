/** Runs the command as users do, in a process of its own, compiled from the current sources. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { childEnvironment, compiledSources, ROOT } from './compiled-sources';

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Content of standard input. Default: empty. */
  readonly input?: Uint8Array | string;
  readonly cwd?: string;
  /** File or device for standard output. Default: it is collected. */
  readonly output?: string;
  /** Arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
  /** More variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** True: runs the command of dist in place of the current sources. */
  readonly built?: boolean;
}

export type Cli = ChildProcess & { readonly stdin: NonNullable<ChildProcess['stdin']> };

/** Starts the command. Its standard input stays open. */
export function startCli(
  args: readonly string[],
  { cwd, output, nodeArguments = [], env, built = false }: Omit<CliOptions, 'input'> = {},
): Cli {
  const target = output === undefined ? 'pipe' : openSync(output, 'w');
  try {
    const script = built ? join(ROOT, 'dist', 'cli', 'main.js') : compiledCli();
    return spawn(process.execPath, [...nodeArguments, script, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...childEnvironment(), ...env },
      stdio: ['pipe', target, 'pipe'],
    }) as Cli;
  } finally {
    if (typeof target === 'number') closeSync(target);
  }
}

function compiledCli(): string {
  const tree = compiledSources();
  providePackageFile(tree);
  return join(tree, 'lib', 'cli', 'main.js');
}

/** Writes the package.json from which the compiled command reads its version. */
function providePackageFile(tree: string): void {
  const target = join(tree, 'package.json');
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return;
  // Renamed into place, because test files run in parallel.
  writeFileSync(`${target}.${process.pid}`, text);
  renameSync(`${target}.${process.pid}`, target);
}

/** Resolves with the output and the exit of a started command. */
export function cliResult(child: Cli): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** Runs the command to its end. */
export function runCli(args: readonly string[], { input = '', ...options }: CliOptions = {}): Promise<CliResult> {
  const child = startCli(args, options);
  // A command that does not read its input may close it first.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return cliResult(child);
}
