/** Reads standard input in a process of its own, with promises and without. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import { childEnvironment, compiledSources } from '../../../support/running/compiled-sources';
import { compress, tfrecord } from '../../../support/records/tfrecord';

const PAYLOADS = Array.from({ length: 3000 }, (_, index) => `record ${index} ${'.'.repeat(index % 200)}`);
const SCRIPTS = {
  readRecords: `(async () => { let text = ''; for await (const r of t.readRecords('-')) text += r.length + ','; console.log(text); })()`,
  readRecordsSync: `let text = ''; for (const r of t.readRecordsSync('-')) text += r.length + ','; console.log(text);`,
  // Ends although nobody closes the pipe.
  break: `(async () => { for await (const r of t.readRecords('-')) { console.log(r.length); break; } })()`,
};

function start(script: string, stdin: number | 'pipe' = 'pipe') {
  const lib = join(compiledSources(), 'lib', 'index.js');
  const child = spawn(process.execPath, ['-e', `const t = require(${JSON.stringify(lib)}); ${script}`], {
    env: childEnvironment(),
    stdio: [stdin, 'pipe', 'inherit'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  child.stdin?.on('error', () => {}); // a reader that closed early
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const ended = new Promise<{ code: number | null; out: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out: out.trim() }));
  });
  return { child, ended };
}

const LENGTHS = PAYLOADS.map((payload) => `${payload.length},`).join('');

test.each(['readRecords', 'readRecordsSync'] as const)('%s reads what comes in pieces', async (name) => {
  const { child, ended } = start(SCRIPTS[name]);
  const bytes = compress(tfrecord(PAYLOADS), 'gzip');
  for (let at = 0; at < bytes.length; at += 4000) {
    child.stdin.write(bytes.subarray(at, at + 4000));
    await setTimeout(2);
  }
  child.stdin.end();
  expect(await ended).toEqual({ code: 0, out: LENGTHS });
});

test('break ends the process while the pipe stays open', async () => {
  const { child, ended } = start(SCRIPTS.break);
  child.stdin.write(tfrecord(PAYLOADS.slice(0, 10)));
  expect(await ended).toEqual({ code: 0, out: String(PAYLOADS[0]?.length) });
});

const REFUSED = {
  readRecords: `(async () => { for await (const r of t.readRecords('-')) r; })().catch(tell)`,
  readRecordsSync: `try { for (const r of t.readRecordsSync('-')) r; } catch (error) { tell(error); }`,
};
const TELL = `const tell = ({ name, code, syscall, file }) => console.log([name, code, syscall, file].join());`;

describe.each(['readRecords', 'readRecordsSync'] as const)('%s names - when standard input is', (name) => {
  test.each([
    ['a folder', tmpdir(), 'r', 'EISDIR'],
    ['open for writing only', '/dev/null', 'w', 'EBADF'],
  ])('%s', async (_, path, flags, code) => {
    const stdin = openSync(path, flags);
    const { ended } = start(`${TELL} ${REFUSED[name]}`, stdin);
    closeSync(stdin);
    expect(await ended).toEqual({ code: 0, out: `TFRecordError,${code},read,-` });
  });
});

const SECOND = {
  'readRecords after readRecords': `await t.countRecords('-'); await t.countRecords('-');`,
  'readRecords beside readRecords': `await Promise.all([t.countRecords('-'), t.countRecords('-')]);`,
  'readRecords after break': `for await (const r of t.readRecords('-')) break; await t.countRecords('-');`,
  'readRecordsSync after readRecordsSync': `[...t.readRecordsSync('-')]; [...t.readRecordsSync('-')];`,
  'readRecords after readRecordsSync': `for (const r of t.readRecordsSync('-')) break; await t.countRecords('-');`,
  'readRecordsSync after readRecords': `await t.countRecords('-'); [...t.readRecordsSync('-')];`,
  'the stream after its name': `await t.countRecords('-'); await t.countRecords(process.stdin);`,
  'its name after the stream': `await t.countRecords(process.stdin); await t.countRecords('-');`,
};

test.each(Object.entries(SECOND))('a second reading is refused: %s', async (_name, script) => {
  const { child, ended } = start(`${TELL} (async () => { ${script} console.log('nothing'); })().catch(tell)`);
  child.stdin.end(tfrecord(PAYLOADS.slice(0, 10)));
  expect(await ended).toEqual({ code: 0, out: 'TypeError,ERR_INVALID_ARG_VALUE,,' });
});
