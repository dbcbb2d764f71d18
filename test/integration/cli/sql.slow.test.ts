/** `tfrecord sql` as a process: pipes, interrupts, memory, and a computer without DuckDB. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { encodeExample, float, int64 } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';

const folder = new Folder();
const file = folder.write(
  'a.tfrecord.gz',
  Array.from({ length: 50_000 }, (_, i) =>
    encodeExample({ label: int64(i % 10), score: float(i), name: `the name of number ${i}` }),
  ),
);
afterAll(() => {
  folder.remove();
});

const cwd = folder.path;
const FROM = `FROM read_tfrecord('${file}')`;

test('a closed pipe is quiet', async () => {
  for (const form of ['--json', '--csv']) {
    const child = startCli(['sql', form, `SELECT name, r ${FROM}, range(1000) t(r)`], { cwd });
    const result = cliResult(child);
    child.stdout!.once('data', () => child.stdout!.destroy());
    expect(await result).toMatchObject({ code: 0, signal: null, stderr: '' });
  }
});

test('without DuckDB one line says what to install', async () => {
  const hidden = folder.put(
    'hidden.cjs',
    `const Module = require('node:module');
     const resolve = Module._resolveFilename;
     Module._resolveFilename = (name, ...rest) => {
       if (!name.startsWith('@duckdb/')) return resolve(name, ...rest);
       throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
     };`,
  );
  const input = folder.write('input.tfrecord', [encodeExample({ a: int64(1) })]);
  const api = '@duckdb/node-api';
  for (const [args, needs] of [
    [['sql', 'SELECT 1'], `tfrecord sql needs ${api}, which is not installed: npm install ${api}@\\S+`],
    [['stats', input], `tfrecord stats needs ${api}, which is not installed: npm install ${api}@\\S+`],
    [
      ['convert', input, folder.at('none.jsonl'), '--where', 'a = 1'],
      `--where needs ${api}, which is not installed: npm install ${api}@\\S+`,
    ],
  ] as const) {
    const { code, stdout, stderr } = await runCli([...args], { nodeArguments: ['--require', hidden] });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^tfrecord: error: ${needs}\n$`));
  }
});

/** The system ends the process; shells say 130. */
const ENDED = { code: null, signal: 'SIGINT' };

test('an interrupt ends a query, and leaves nothing', async () => {
  const before = readdirSync(cwd);
  const streaming = startCli(['sql', '--json', `SELECT name, r ${FROM}, range(1000000) t(r)`], { cwd });
  const streamed = cliResult(streaming);
  streaming.stdout!.once('data', () => streaming.kill('SIGINT'));
  expect(await streamed).toMatchObject({ ...ENDED, stderr: '' });
  // One that gives no row before it was sorted.
  const sorting = startCli(['sql', `SELECT name, r ${FROM}, range(1000) t(r) ORDER BY hash(name || r) LIMIT 900000`], {
    cwd,
  });
  const sorted = cliResult(sorting);
  await wait(2_000);
  sorting.kill('SIGINT');
  expect(await sorted).toEqual({ ...ENDED, stdout: '', stderr: '' });
  expect(readdirSync(cwd)).toEqual(before);
});

test('the memory does not grow with the input', async () => {
  const peak = folder.at('peak');
  const measured = folder.put(
    'measured.cjs',
    `process.on('exit', () => {
       require('node:fs').writeFileSync(${JSON.stringify(peak)}, /VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'latin1'))[1]);
     });`,
  );
  const peakOf = async (times: number): Promise<number> => {
    const files = `read_tfrecord([${Array<string>(times).fill(`'${file}'`).join()}])`;
    const query = `SELECT label, count(*) AS n, max(len(name)) AS most FROM ${files} GROUP BY label ORDER BY label`;
    const { code, stdout } = await runCli(['sql', '--json', query], { nodeArguments: ['--require', measured] });
    expect([code, stdout.split('\n')[3]]).toEqual([0, `{"label":3,"n":${5_000 * times},"most":24}`]);
    return Number(readFileSync(peak, 'utf8'));
  };
  const few = await peakOf(4);
  const many = await peakOf(40);
  expect(many - few).toBeLessThan(48 * 1024);
});
