/** Signals end the command, whatever it waits for, and leave no temporary file. */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { encodeExample, int64 } from '../../../lib';
import { PeopleFolder } from '../../support/records/people';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { cliResult, startCli } from '../../support/running/run-cli';

const folder = new PeopleFolder();
const big = new Folder();
afterAll(() => {
  folder.remove();
  big.remove();
});

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The exit code of an ended command as shells tell it. */
function shellCode({ code, signal }: { readonly code: number | null; readonly signal: NodeJS.Signals | null }): number {
  return code ?? CODES[signal as keyof typeof CODES];
}

const posix = process.platform === 'win32' ? describe.skip : describe;

posix('a signal', () => {
  it.each([
    ['SIGINT', '-'],
    ['SIGTERM', '-'],
    ['SIGHUP', 'pipe'],
  ] as const)('%s ends a query that waits for records of %s', async (signal, path) => {
    if (path === 'pipe') execFileSync('mkfifo', [folder.at(path)]);
    const child = startCli(['sql', `SELECT count(*) FROM read_tfrecord('${path}')`], { cwd: folder.path });
    const result = cliResult(child);
    await wait(1_500);
    child.kill(signal);
    expect(shellCode(await result)).toBe(CODES[signal]);
  });
});

posix('a signal', () => {
  it('ends a search with a slow expression', async () => {
    folder.put('slow.tfrecord', tfrecord([encodeExample({ b: 'a'.repeat(60) })]));
    const child = startCli(['grep', 'b~(.*a){25}$b', 'slow.tfrecord'], { cwd: folder.path });
    const result = cliResult(child);
    await wait(1_500);
    child.kill('SIGINT');
    expect(shellCode(await result)).toBe(130);
  });
});

posix('a signal', () => {
  it('ends a conversion whose condition is one slow call, and leaves no temporary file', async () => {
    const place = folder.place();
    writeFileSync(place.at('in.tfrecord'), tfrecord([encodeExample({ n: int64(2_000_000) })]));
    // DuckDB would need hours for it, and hears of nothing meanwhile.
    const where = "levenshtein(repeat('a', n::INT), repeat('b', n::INT)) > 0";
    const child = startCli(['convert', 'in.tfrecord', 'out.tfrecord', '--where', where], { cwd: place.path });
    const result = cliResult(child);
    await wait(2_500);
    child.kill('SIGINT');
    expect(shellCode(await result)).toBe(130);
    expect(place.names()).toEqual(['in.tfrecord']);
  });
});

posix('signals, one after the other,', () => {
  it('leave no temporary of a conversion', async () => {
    const file = big.write(
      'big.tfrecord',
      Array.from({ length: 30_000 }, (_, i) => encodeExample({ label: int64(i), name: `the name of number ${i}` })),
    );
    for (let time = 0; time < 3; time++) {
      const child = startCli(['convert', file, 'x.parquet', '--shards', '4', '--force'], { cwd: big.path });
      const result = cliResult(child);
      while (temporaries().length === 0 && child.exitCode === null) await wait(5);
      for (let i = 0; i < 3; i++) {
        child.kill('SIGINT');
        await wait(time === 0 ? 0 : 20);
      }
      expect(shellCode(await result)).toBe(130);
      expect(temporaries()).toEqual([]);
    }
  });
});

function temporaries(): string[] {
  return readdirSync(big.path).filter((name) => name.endsWith('.tmp'));
}
