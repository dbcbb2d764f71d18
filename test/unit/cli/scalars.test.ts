/** `tfrecord scalars`: a table, CSV, JSON Lines, Parquet, tags, damage and exit codes. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';

import { run } from '../../../lib/cli/run';
import { chosen } from '../../../lib/sql/native-function';
import { fileVersion, scalar, scalarTensor, strings } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { runHere, Screen } from '../../support/running/run-here';
import { PassThrough } from 'node:stream';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
beforeAll(() => {
  mkdirSync(folder.at('runs/train'), { recursive: true });
  mkdirSync(folder.at('runs/a,"b'));
  folder.write('runs/train/events.out.tfevents.1', [
    fileVersion(),
    scalar('loss', 1, 0.5),
    scalarTensor('acc', 1, NaN),
    strings('text', 'note', 1, [], ['x']),
    scalar('loss', 2, 3),
  ]);
  folder.write('runs/a,"b/x.tfevents', [scalar('loss', -1, Math.fround(0.1))]);
});

const CSV =
  'run,tag,step,wall_time,value\n' +
  '"a,""b",loss,-1,1699999999.25,0.10000000149011612\n' +
  'train,loss,1,1700000001.25,0.5\n' +
  'train,acc,1,1700000001.25,NaN\n' +
  'train,loss,2,1700000002.25,3.0\n';
const JSON_LINES =
  '{"run":"a,\\"b","tag":"loss","step":-1,"wall_time":1699999999.25,"value":0.10000000149011612}\n' +
  '{"run":"train","tag":"loss","step":1,"wall_time":1700000001.25,"value":0.5}\n' +
  '{"run":"train","tag":"acc","step":1,"wall_time":1700000001.25,"value":"NaN"}\n' +
  '{"run":"train","tag":"loss","step":2,"wall_time":1700000002.25,"value":3.0}\n';

const here = (...args: string[]): ReturnType<typeof runHere> => runHere(['scalars', ...args], { cwd: folder.path });

test('a table, CSV and JSON Lines', async () => {
  expect(await here('runs')).toEqual({
    code: 0,
    stdout:
      'run    tag   step      wall_time                value\n' +
      'a,"b   loss    -1  1699999999.25  0.10000000149011612\n' +
      'train  loss     1  1700000001.25                  0.5\n' +
      'train  acc      1  1700000001.25                  NaN\n' +
      'train  loss     2  1700000002.25                  3.0\n',
    stderr: '',
  });
  expect(await here('--csv', 'runs')).toEqual({ code: 0, stdout: CSV, stderr: '' });
  expect(await here('--json', 'runs')).toEqual({ code: 0, stdout: JSON_LINES, stderr: '' });
});

test('files: CSV, JSON Lines and Parquet', async () => {
  expect(await here('runs', '-o', 'out.csv')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('wrote 4 values to out.csv') as string,
  });
  expect(readFileSync(folder.at('out.csv'), 'utf8')).toBe(CSV);
  expect(await here('runs', '-o', 'out.ndjson')).toMatchObject({ code: 0 });
  expect(readFileSync(folder.at('out.ndjson'), 'utf8')).toBe(JSON_LINES);
  expect(await here('runs', '-o', 'out.parquet')).toMatchObject({ code: 0 });
  const sql = await runHere(['sql', '--json', "SELECT * FROM 'out.parquet'"], { cwd: folder.path });
  expect(sql).toEqual({ code: 0, stdout: JSON_LINES, stderr: '' });
  const types = await runHere(['sql', '--csv', "SELECT column_name, column_type FROM (DESCRIBE FROM 'out.parquet')"], {
    cwd: folder.path,
  });
  expect(types.stdout).toBe(
    'column_name,column_type\nrun,VARCHAR\ntag,VARCHAR\nstep,BIGINT\nwall_time,DOUBLE\nvalue,DOUBLE\n',
  );
  expect(await here('runs', '-o', 'out.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--force') as string,
  });
  expect(await here('runs', '-o', 'out.csv', '--force')).toMatchObject({ code: 0 });
  expect(folder.temporary()).toEqual([]);
});

test('without native code, JavaScript passes the values to DuckDB', async () => {
  chosen.native = false;
  try {
    expect(await here('runs', '-o', 'script.parquet')).toMatchObject({ code: 0 });
  } finally {
    chosen.native = true;
  }
  const sql = await runHere(['sql', '--json', "SELECT * FROM 'script.parquet'"], { cwd: folder.path });
  expect(sql.stdout).toBe(JSON_LINES);
});

test('tags', async () => {
  expect((await here('--csv', '--tag', 'a*', 'runs')).stdout.split('\n')).toHaveLength(3);
  expect((await here('--csv', '--tag', 'acc', '--tag', 'l?ss', 'runs')).stdout).toBe(CSV);
  expect(await here('--csv', '--tag', 'none', 'runs')).toEqual({
    code: 0,
    stdout: 'run,tag,step,wall_time,value\n',
    stderr: expect.stringContaining('no scalar was found') as string,
  });
});

test('a table has the first 1,000 rows', async () => {
  const file = folder.write(
    'many',
    Array.from({ length: 1001 }, (_, i) => scalar('a', i, i)),
  );
  const { stdout, stderr } = await here(file);
  expect(stdout.split('\n')).toHaveLength(1002);
  expect(stderr).toContain('only the first 1,000 values');
});

test('damage: the values before it, and exit code 1; no file', async () => {
  folder.put('cut', tfrecord([scalar('a', 1, 1), scalar('a', 2, 2)]).subarray(0, -1));
  const { code, stdout, stderr } = await here('--csv', 'cut');
  expect(stdout).toBe('run,tag,step,wall_time,value\n.,a,1,1700000001.25,1.0\n');
  expect([code, stderr]).toEqual([1, expect.stringContaining('TFR_TRUNCATED')]);
  expect(await here('cut', '-o', 'cut.csv')).toMatchObject({ code: 1 });
  expect(folder.names()).not.toContain('cut.csv');
  expect(folder.temporary()).toEqual([]);
  expect(await here('--csv', '--on-error', 'stop', 'cut')).toMatchObject({ code: 0, stdout });
});

test('wrong arguments and missing files', async () => {
  expect(await here('none')).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') as string });
  expect(await here('runs', '-o', 'out.txt')).toMatchObject({ code: 2 });
  expect(await here('runs', '-o', 'new.csv', '--json')).toMatchObject({ code: 2 });
  expect(await here('runs', '-o', 'new.csv', '--follow')).toMatchObject({ code: 2 });
  expect(await here('runs', '--follow', '--on-error', 'salvage')).toMatchObject({ code: 2 });
  expect(await here('--json', '--csv', 'runs')).toMatchObject({ code: 2 });
  expect(await here()).toMatchObject({ code: 2 });
  folder.put('empty.tfevents', '');
  expect(await here('empty.tfevents')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('no scalar') as string,
  });
});

test('--follow prints values as they come, until it is interrupted', async () => {
  const file = folder.write('growing', [scalar('a', 1, 1)]);
  const stdout = new Screen();
  const { code, interrupt } = run(['scalars', '--follow', '--json', file], {
    ...{ stdin: new PassThrough(), stdout, stderr: new Screen(), env: {} },
  });
  const until = async (text: string): Promise<void> => {
    while (!stdout.text.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until('"step":1');
  appendFileSync(file, tfrecord([scalar('a', 2, 2)]));
  await until('"step":2');
  await interrupt();
  expect(await code).toBe(130);
});
