/** Runs snippets of the documents with the compiled package, all in one process: starting one takes longer than most snippets. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import type { Folder } from '../records/record-files';
import { checkBuilt } from './run-example';

/** The end of a snippet. */
export interface SnippetResult {
  readonly stdout: string;
  readonly stderr: string;
  /** The error that it threw. */
  readonly failure?: { readonly message: string; readonly stack: string };
}

/** Keeps what each module prints, and the file that it leaves behind under the name `kept`. */
const RUNNER = `
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';

const [count, kept] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text, ...more) => {
      printed[name] += text;
      const done = more.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }
  if (kept !== undefined) rmSync(kept, { force: true });
  let failure;
  try {
    await import('./snippet-' + i + '.mjs');
  } catch ({ message, stack }) {
    failure = { message, stack };
  }
  if (kept !== undefined && existsSync(kept)) copyFileSync(kept, i + '-' + kept);
  writeFileSync('result-' + i + '.json', JSON.stringify({ ...printed, failure }));
}
`;

/**
 * Imports the modules `codes` one behind the other, in a process with the working folder `folder`. The process ends by
 * itself, so they may leave nothing open.
 *
 * @param first - Module that the process imports before them.
 * @param kept - Name of a file that is removed before each snippet, and copied to `<index>-<kept>` behind it.
 */
export function runSnippets(folder: Folder, codes: readonly string[], first?: string, kept?: string): SnippetResult[] {
  checkBuilt();
  codes.forEach((code, i) => writeFileSync(folder.at(`snippet-${i}.mjs`), code));
  writeFileSync(folder.at('run-snippets.mjs'), RUNNER);
  const flags = first === undefined ? [] : ['--import', first];
  const more = kept === undefined ? [] : [kept];
  execFileSync(process.execPath, [...flags, 'run-snippets.mjs', `${codes.length}`, ...more], {
    cwd: folder.path,
    stdio: 'pipe',
  });
  return codes.map((_, i) => JSON.parse(readFileSync(folder.at(`result-${i}.json`), 'utf8')) as SnippetResult);
}
