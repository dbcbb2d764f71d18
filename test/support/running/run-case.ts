/** Runs a case (a script of `test/<folder>/cases`) in a Node process of its own, under a time limit. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { childEnvironment, compiledSources } from './compiled-sources';

/** The addon is built with a sanitizer, which makes everything several times slower. */
const SANITIZED = process.env['TFRECORD_SANITIZER'] !== undefined;
/** Factor for time limits. */
const PATIENCE = SANITIZED ? 8 : 1;
const DEFAULT_LIMIT_MS = 60_000;

/** Returns how often to repeat what goes on for `times` without a sanitizer. */
export const repeats = (times: number): number => (SANITIZED ? times / 5 : times);

export interface CaseOptions {
  /** `process.argv` from index 2 on. */
  readonly args?: readonly string[];
  /** Flags of Node: `--expose-gc`. */
  readonly flags?: readonly string[];
  /** Variables to add to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Shell command that runs in the process before the case: `ulimit -n 256`. */
  readonly shell?: string;
  /** The case is killed after this many milliseconds; the result then has `timedOut`. */
  readonly limitMs?: number;
  /** Signal to send when the case has printed its first line. */
  readonly signal?: NodeJS.Signals;
}

/** The end of the case, and the JSON values that it printed, one per line. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: readonly unknown[];
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Time limit of a Jest test around one case. It is longer than the case's own limit, which reports more. */
export const CASE_TIMEOUT = (DEFAULT_LIMIT_MS + 20_000) * PATIENCE;

/** @param name - Path of the script in `test`, without its suffix: `lifecycle/cases/exit/reader-left`. */
export function runCase(name: string, options: CaseOptions = {}): Promise<Ended> {
  const words = [process.execPath, ...(options.flags ?? []), caseScript(name), ...(options.args ?? [])];
  const [program, ...args] =
    options.shell === undefined ? words : ['sh', '-c', `${options.shell}; exec "$@"`, 'sh', ...words];
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, {
      env: childEnvironment(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    const limit = setTimeout(
      () => {
        timedOut = true;
        child.kill('SIGKILL');
      },
      (options.limitMs ?? DEFAULT_LIMIT_MS) * PATIENCE,
    );
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const first = !stdout.includes('\n');
      stdout += text;
      if (options.signal !== undefined && first && stdout.includes('\n')) child.kill(options.signal);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const lines = stdout.split('\n').filter((line) => line !== '');
      resolve({ code, signal, said: lines.map((line): unknown => JSON.parse(line)), stderr, timedOut });
    });
  });
}

/** Returns the compiled script of the case `name`. */
export function caseScript(name: string): string {
  return join(compiledSources(), 'test', `${name}.js`);
}

/** Returns the result of a case that ended well: it printed `said`, and had no unhandled rejections. */
export function endedWell(...said: readonly unknown[]): Ended {
  return ended(0, ...said);
}

/** Returns the same result with the exit code `code`. */
export function ended(code: number, ...said: readonly unknown[]): Ended {
  return { code, signal: null, said: [...said, { unhandled: 0 }], stderr: '', timedOut: false };
}
