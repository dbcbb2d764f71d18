/**
 * Records with millions of values, features, steps or parts: the command prints them, or reports an error, in a small
 * heap.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cliResult, startCli, type CliResult } from '../../support/running/run-cli';
import { compress, tfrecord } from '../../support/records/tfrecord';

const MANY = 2_000_000;
const NAMES = 300_000;
/** A heap that is too small for strings of all values. */
const HEAP = ['--max-old-space-size=96'];

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}
function field(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...varint(content.length)]), content]);
}
const name = (text: string): Buffer => field(0x0a, Buffer.from(text));
const entry = (key: string, value: Uint8Array): Buffer => field(0x0a, name(key), field(0x12, value));
const example = (...entries: readonly Uint8Array[]): Buffer => field(0x0a, ...entries);
const strings = field(0x0a, Buffer.alloc(2 * MANY, Buffer.from([0x0a, 0])));
const wallTime = Buffer.from('0900000000c0d8d741', 'hex');

const RECORDS = {
  strings: example(entry('a', strings)),
  integers: example(entry('a', field(0x1a, field(0x0a, Buffer.alloc(MANY, 7))))),
  lists: example(entry('a', Buffer.alloc(2 * MANY, Buffer.from([0x1a, 0])))),
  names: example(
    Buffer.concat(Array.from({ length: NAMES }, (_, i) => entry(String(NAMES - i).padStart(7, '0'), Buffer.alloc(0)))),
  ),
  sameNames: example(Buffer.alloc(9 * MANY, entry('a', field(0x1a)))),
  steps: Buffer.concat([
    example(entry('c', field(0x1a, field(0x0a, Buffer.from([1]))))),
    field(0x12, entry('s', Buffer.alloc(2 * MANY, Buffer.from([0x0a, 0])))),
  ]),
  summary: Buffer.concat([wallTime, field(0x2a, Buffer.alloc(2 * MANY, Buffer.from([0x0a, 0])))]),
  tensor: Buffer.concat([
    wallTime,
    field(0x2a, field(0x0a, field(0x42, Buffer.from([0x08, 7]), Buffer.alloc(2 * MANY, Buffer.from([0x42, 0]))))),
  ]),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'huge-records-'));
  for (const [file, record] of Object.entries(RECORDS)) {
    writeFileSync(join(folder, file), compress(tfrecord([record]), 'gzip'));
  }
  const varLen = (key: string): object => ({ [key]: { type: 'varLen', dtype: 'bytes' } });
  writeFileSync(join(folder, 'spec.json'), JSON.stringify(varLen('a')));
  writeFileSync(join(folder, 'steps.json'), JSON.stringify({ context: {}, sequence: varLen('s') }));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]): Promise<CliResult> {
  return cliResult(startCli(args, { cwd: folder, nodeArguments: HEAP }));
}

/** Runs the command with output to a file, so that this process need not hold the output. */
async function runToFile(...args: readonly string[]): Promise<{ result: CliResult; output: Buffer }> {
  const output = join(folder, 'output');
  const result = await cliResult(startCli(args, { cwd: folder, nodeArguments: HEAP, output }));
  return { result, output: readFileSync(output) };
}

const more = (shown: number, what: string): string => `[${Array(shown).fill(what).join()},{"more":${MANY - shown}}]`;

test.each([
  ['strings', `{"features":{"a":${more(32, '""')}}}`],
  ['integers', `{"features":{"a":${more(32, '7')}}}`],
  ['lists', '{"features":{"a":[]}}'],
  ['sameNames', '{"features":{"a":[]}}'],
  ['steps', `{"context":{"c":[1]},"featureLists":{"s":${more(16, 'null')}}}`],
])('head: %s', async (file, line) => {
  expect(await run('head', file)).toMatchObject({ code: 0, stdout: `${line}\n` });
});

test('head: names', async () => {
  const { code, stdout } = await run('head', 'names');
  expect(code).toBe(0);
  const { features, moreFeatures } = JSON.parse(stdout) as { features: object; moreFeatures: number };
  expect(moreFeatures).toBe(NAMES - 4096);
  expect(Object.keys(features).slice(0, 2)).toEqual(['0000001', '0000002']);
  expect(Object.keys(features)).toHaveLength(4096);
});

test.each(['summary', 'tensor'] as const)('head: an event of many parts by its size: %s', async (file) => {
  const { code, stdout } = await run('head', file);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ bytes: RECORDS[file].length });
});

test.each([
  ['strings', 2, '""'],
  ['integers', 1, '7'],
])('cat prints all: %s', async (file, size, value) => {
  const { result, output } = await runToFile('cat', file);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(output.length).toBe('{"features":{"a":[]}}\n'.length + MANY * (size + 1) - 1);
  expect(output.subarray(0, 40).toString()).toContain(`{"features":{"a":[${value},${value}`);
});

test('rows', async () => {
  expect(await run('head', '--spec', 'spec.json', 'strings')).toMatchObject({
    code: 0,
    stdout: `{"a":${more(32, '""')}}\n`,
  });
  const { result, output } = await runToFile('cat', '--spec', 'spec.json', 'strings');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(output.length).toBe('{"a":[]}\n'.length + MANY * 3 - 1);
  expect(await run('head', '--spec', 'steps.json', 'steps')).toMatchObject({ code: 0 });
});
