// Runs a trial in a process of its own, and parses its line of JSON.

import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './setup.mjs';

const run = promisify(execFile);
const TENSORFLOW = {
  tf: 'trial.py',
  'tf-parse': 'parse.py',
  'tf-encode': 'encode.py',
  'tf-dataset': 'dataset.py',
  'tf-convert': 'convert.py',
};
const bench = (name) => path.join(ROOT, 'bench', name);

/** Returns [program, arguments] of a contender; undefined if something that it needs is missing. */
function command({ kind, trial }, group, { python, folder, modules, floorFolder, seconds }) {
  const file = group.file && path.join(folder, group.file);
  const target = group.target && path.join(folder, group.target);
  const script = (name, more) => [process.execPath, [bench(name), JSON.stringify({ file, target, seconds, ...more })]];
  switch (kind) {
    case 'ours':
      return script('ours.mjs', { ...trial, ...(trial.from && { file: path.join(folder, trial.from) }) });
    case 'by-number':
      return script('by-number.mjs', trial);
    case 'parse':
      return script('parse.mjs', trial);
    case 'encode':
      return script('encode.mjs', trial);
    case 'dataset':
      return script('dataset.mjs', trial);
    case 'convert':
      return script('convert.mjs', { ...trial, target: trial.target && path.join(folder, trial.target) });
    case 'command':
      return script('command.mjs', { ...trial, target: trial.target && path.join(folder, trial.target) });
    case 'latency':
      return script('latency.mjs', { ...trial, seconds: Math.max(seconds, 2) });
    case 'latency-writing':
      return script('latency-writing.mjs', trial);
    case 'stream':
      return modules && script('stream.mjs', { ...trial, modules });
    case 'tf':
    case 'tf-parse':
    case 'tf-encode':
    case 'tf-dataset':
    case 'tf-convert': {
      const type = file.endsWith('.gz') ? 'GZIP' : '';
      const more = target || kind === 'tf-convert' ? [target ?? '', ...trial.rest] : kind === 'tf' ? [] : trial.rest;
      const name = path.join(bench('tf'), TENSORFLOW[kind]);
      return python && [python, [name, trial.work, file, type, String(seconds), ...more]];
    }
    case 'floor': {
      const program = floorFolder && path.join(floorFolder, trial.program);
      return program && [program, [file, ...(target ? [target] : []), String(seconds), ...trial.rest]];
    }
    default:
      throw new Error(`unknown kind ${kind}`);
  }
}

/** Returns the report of one trial; undefined if it cannot run here. */
export async function trial(contender, group, setting) {
  const found = command(contender, group, setting);
  if (found === undefined) return undefined;
  const [program, args] = found;
  const { stdout } = await run(program, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** Returns the peak memory of `node -e 0` in KiB: the smallest of five. */
export function emptyNodeKiB() {
  const code = `console.log(/VmHWM:\\s+(\\d+)/.exec(require('fs').readFileSync('/proc/self/status','latin1'))[1])`;
  const once = () => Number(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }));
  return Math.min(...Array.from({ length: 5 }, once));
}
