/** The counts that the tests of the package print: what could not run is neither passed nor failed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../../support/running/compiled-sources';

const checks = pathToFileURL(join(ROOT, 'test/runtimes/checks.mjs')).href;

function outcome(body: string): { status: number | null; lines: string[] } {
  const code = `import { Checks, Skipped } from '${checks}';\nconst all = new Checks();\nconst { check, skip } = all;\n${body}\nall.end('test:package');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('a check that is skipped is counted as skipped, with its reason', () => {
  const { status, lines } = outcome(`
    check('reads', () => undefined);
    check('yarn: beside DuckDB', () => { throw new Skipped('the registry does not have a package'); });
    skip('pages', 'there is no chromium');`);
  expect(status).toBe(0);
  expect(lines).toEqual([
    'ok: reads',
    'skipped: yarn: beside DuckDB: the registry does not have a package',
    'skipped: pages: there is no chromium',
    // .ci/run prints these lines.
    'test:package: skipped: yarn: beside DuckDB: the registry does not have a package',
    'test:package: skipped: pages: there is no chromium',
    'test:package: 1 passed, 0 failed, 2 skipped',
  ]);
});

test('a check that throws any other error fails, and the exit code says so', () => {
  const { status, lines } = outcome(`
    check('reads', () => { throw new Error('two\\nlines'); });
    check('writes', () => undefined);`);
  expect(status).toBe(1);
  expect(lines).toEqual([
    'FAILED: reads',
    '    two',
    '    lines',
    'ok: writes',
    'test:package: 1 passed, 1 failed, 0 skipped',
  ]);
});
