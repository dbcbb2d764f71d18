/** The memory of a process of its own, compared with that of bare Node. Linux only. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cliResult, startCli, type CliResult } from './run-cli';

/** JavaScript that returns the most memory that its process has used so far, in MiB. */
const PEAK = `Number(/VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'latin1'))[1]) / 1024`;

/** Returns the peak memory of Node without a script, in MiB. */
export function barePeak(): number {
  return Number(execFileSync(process.execPath, ['-p', PEAK], { encoding: 'utf8' }));
}

/**
 * Runs the command in the folder `cwd`. `built`: that of dist. `above`: its peak memory over that of bare Node, in MiB; the
 * modules of sources take 20 MiB more of it than those of dist.
 */
export async function measuredCli(
  args: readonly string[],
  { cwd, input, built = false }: { readonly cwd: string; readonly input?: Uint8Array; readonly built?: boolean },
): Promise<CliResult & { readonly above: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'tfrecord-peak-'));
  try {
    const [peak, preload] = [join(folder, 'peak'), join(folder, 'peak.cjs')];
    const write = `require('node:fs').writeFileSync(${JSON.stringify(peak)}, String(${PEAK}))`;
    writeFileSync(preload, `process.on('exit', () => ${write});`);
    const child = startCli(args, { cwd, nodeArguments: ['-r', preload], built });
    child.stdin.on('error', () => undefined).end(input);
    const result = await cliResult(child);
    return { ...result, above: Number(readFileSync(peak, 'utf8')) - barePeak() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
