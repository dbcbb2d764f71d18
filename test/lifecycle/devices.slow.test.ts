/** Devices and endless sources that are read, closed, aborted and left, in processes of their own. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { childEnvironment } from '../support/running/compiled-sources';
import { Folder, numberedRecords } from '../support/records/record-files';
import { CASE_TIMEOUT, caseScript, endedWell, runCase } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write('a.tfrecord', numberedRecords(5_000, 100));
afterAll(() => folder.remove());

describe.each([
  ['/dev/zero', 'TFR_NOT_TFRECORD'],
  ['/dev/urandom', 'TFR_CORRUPT_LENGTH'],
  ['/dev/null', 0],
])('%s', (device, outcome) => {
  const [there, lacking] = existsSync(device) ? [test, ''] : [test.skip, ' (skipped: it is not there)'];

  there(`is read${lacking}`, async () => {
    const args = [device, file, 'read'];
    expect(await runCase('lifecycle/cases/devices/device', { args })).toEqual(endedWell(outcome, true));
  });
  there(`is left${lacking}`, async () => {
    const args = [device, file, 'exit'];
    expect(await runCase('lifecycle/cases/devices/device', { args })).toMatchObject({ code: 5, timedOut: false });
  });
});

/** Runs the case in a terminal of its own, made by util-linux's tool. `typed` is typed and ends the input; else it is silent. */
function onTerminal(way: string, typed?: string): Promise<{ code: number | null; said: unknown[] }> {
  const script = caseScript('lifecycle/cases/devices/device');
  const command = [process.execPath, script, '/dev/tty', file, way].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: childEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: CASE_TIMEOUT / 2,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined);
  if (typed !== undefined) child.stdin.end(typed);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      child.stdin.destroy();
      const lines = out.split(/[\r\n]+/).filter((line) => /^[[{"\d]|^true|^false/.test(line));
      resolve({ code, said: lines.map((line): unknown => JSON.parse(line)) });
    });
  });
}

const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');
(hasTerminals ? describe : describe.skip)('a terminal', () => {
  test.each([
    ['closed', 0, [{ done: true }, true]],
    ['aborted', 0, [Array<string>(6).fill('TimeoutError'), [true, 5_000]]],
    ['exit', 5, []],
  ])('%s while nobody types', async (way, code, said) => {
    expect(await onTerminal(way)).toEqual({ code, said: [...said, { unhandled: 0 }] });
  });

  test('is read when somebody does', async () => {
    const { code, said } = await onTerminal('read', 'This is no record, but text that somebody types\n');
    expect({ code, said }).toEqual({ code: 0, said: ['TFR_NOT_TFRECORD', true, { unhandled: 0 }] });
  });
});

describe('an abort ends the skipping of', () => {
  test.each([
    'damaged records',
    'damaged records, one a chunk',
    'empty chunks',
    'a record too large',
    'files of zeros',
    'missing files',
  ])('%s', async (source) => {
    const args = [source];
    expect(await runCase('lifecycle/cases/devices/endless', { args })).toEqual(
      endedWell('TimeoutError', 'TimeoutError'),
    );
  });

  test('faults without promises, from within onError', async () => {
    const args = ['sync'];
    expect(await runCase('lifecycle/cases/devices/endless', { args })).toEqual(
      endedWell(['RangeError', 10], ['RangeError', 10]),
    );
  });
});
