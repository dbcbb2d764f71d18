import { spawnSync } from 'node:child_process';

/** `describe`, which skips without the program. */
function withProgram(name: string, program: string, ...args: readonly string[]): jest.Describe {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore' });
  if (error === undefined && status === 0) return describe;
  process.stderr.write(`test:interop: skipped, no ${name}\n`);
  return describe.skip;
}

export const PYTHON = '/usr/bin/python3';
export const ofGztool = withProgram('gztool', 'gztool', '-h');
export const ofIndexedGzip = withProgram('indexed_gzip', PYTHON, '-c', 'import indexed_gzip');
export const ofBgzip = withProgram('bgzip', 'bgzip', '--version');

/** Numbers that look random, so that they compress to about a half. */
export function record(seed: number): string {
  const numbers = Array.from({ length: 300 + (seed % 900) }, (_, at) => Math.imul(seed * 7919 + at, 2654435761) >>> 0);
  return numbers.join(' ');
}
