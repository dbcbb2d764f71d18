/** Advice of the command: each flag that a message names is one of the command that printed it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample, encodeRecords, int64 } from '../../../lib';
import { buildProgram } from '../../../lib/cli/program';
import { numberedRecords, Folder } from '../../support/records/record-files';
import { flipBit, tfrecord } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = Array.from({ length: 5 }, (_, i) => encodeExample({ id: int64(i) }));
const WHOLE = Buffer.from(encodeRecords(RECORDS));
const FRAME = WHOLE.length / 5;

/** Returns the file with its checksums set to `sum`. */
function summed(sum: number): Buffer {
  const bytes = Buffer.from(WHOLE);
  for (let at = 0; at < bytes.length; at += FRAME) {
    bytes.fill(sum, at + 8, at + 12);
    bytes.fill(sum, at + FRAME - 4, at + FRAME);
  }
  return bytes;
}

const DAMAGED: Readonly<Record<string, Uint8Array>> = {
  'length.tfrecord': flipBit(WHOLE, 2 * FRAME + 1),
  'data.tfrecord': flipBit(WHOLE, 2 * FRAME + 15),
  'cut.tfrecord': WHOLE.subarray(0, -3),
  'sums.tfrecord': summed(0),
  'wrong-sums.tfrecord': summed(7),
  'text.tfrecord': Buffer.from('{"a": 1}\n{"a": 2}\n'.repeat(50)),
  'trailing.tfrecord.gz': Buffer.concat([encodeRecords(RECORDS, { compression: 'gzip' }), Buffer.alloc(9, 1)]),
  'other.tfrecord': tfrecord(numberedRecords(5, 40)),
};
const FILES = Object.entries(DAMAGED).map(([name, bytes]) => folder.put(name, bytes));
const SPEC = folder.put('spec.json', Buffer.from('{"id": {"type": "fixedLen", "shape": [], "dtype": "float32"}}'));
const OUT = join(folder.path, 'out');

/** The arguments of each command for a file. */
const COMMANDS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  head: (file) => [file, '--spec', SPEC],
  tail: (file) => [file],
  cat: (file) => [file, '--spec', SPEC],
  sample: (file) => ['-n', '2', file],
  grep: (file) => ['id=1', file],
  count: (file) => [file],
  info: (file) => [file],
  scalars: (file) => [file],
  schema: (file) => [file],
  validate: (file) => ['--schema', SPEC, file],
  verify: (file) => [file],
  diff: (file) => [file, FILES[0]!],
  convert: (file) => [file, `${OUT}.jsonl`],
  merge: () => [`${OUT}.tfrecord`],
  get: (file) => [file, '0', '1', '--spec', SPEC],
  index: (file) => [file, '-o', `${OUT}.tfindex`],
  repair: (file) => [file, `${OUT}.repaired`, '--force'],
  extract: (file) => [file, '--feature', 'id', '-o', OUT],
};
/** Those that need DuckDB or a browser, and those that read no records. */
const OTHERS = ['sql', 'stats', 'compare', 'view', 'help', 'completion'];

const ignored = { write: () => undefined, writeError: () => undefined };
const program = buildProgram(() => {
  throw new Error('nothing runs');
}, ignored);

/** The flags in `text`, each with the command that its line names before it, else `command`. */
function flagsIn(text: string, command: string): (readonly [command: string, flag: string])[] {
  return text.split('\n').flatMap((line) => {
    let name = command;
    return [...line.matchAll(/tfrecord (\w+)|--[a-z][a-z-]*/g)].flatMap(([flag, other]) => {
      name = other ?? name;
      return other === undefined ? [[name, flag] as const] : [];
    });
  });
}

function hasFlag(name: string, flag: string): boolean {
  const command = program.commands.find((one) => one.name() === name);
  return command?.options.some(({ long }) => long === flag) === true;
}

test('every command is here', () => {
  const names = program.commands.map((command) => command.name());
  expect([...Object.keys(COMMANDS), ...OTHERS].sort()).toEqual(names.sort());
});

describe.each(Object.keys(COMMANDS))('%s', (command) => {
  const hasJson = hasFlag(command, '--json');
  const settings = [[], ['--compression', 'none'], ['--max-record-bytes', '3'], ['--on-error', 'stop']];
  const given = settings.filter(([flag]) => flag === undefined || hasFlag(command, flag));

  test('messages name flags of the command', async () => {
    mkdirSync(OUT, { recursive: true });
    let advised = 0;
    for (const file of FILES) {
      for (const setting of given) {
        for (const json of hasJson ? [[], ['--json']] : [[]]) {
          const { stdout, stderr } = await runHere([command, ...COMMANDS[command]!(file), ...setting, ...json]);
          const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => !line.startsWith('{"features"'));
          for (const [name, flag] of flagsIn(lines.join('\n'), command)) {
            advised++;
            expect({ name, flag, has: hasFlag(name, flag), lines }).toMatchObject({ has: true });
          }
        }
      }
    }
    if (given.length > 1) expect(advised).toBeGreaterThan(0);
  });
});

/** An object of a report with the members of advice. */
interface Reported {
  readonly message: string;
  readonly reason?: string;
  readonly hint?: { readonly option: string; readonly value?: unknown };
}

function reportedIn(stdout: string): Reported[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const {
        faults = [],
        fault,
        error,
      } = JSON.parse(line) as {
        faults?: Reported[];
        fault?: Reported | null;
        error?: Reported | null;
      };
      return [...faults, fault, error].filter((one): one is Reported => one !== undefined && one !== null);
    });
}

describe.each(['verify', 'info'])('%s --json', (command) => {
  test('reason and hint are in the words of the command', async () => {
    const { stdout } = await runHere([command, '--json', ...FILES]);
    const reported = reportedIn(stdout);
    expect(reported.length).toBeGreaterThanOrEqual(FILES.length - 2);
    for (const { reason, hint } of reported) {
      expect(reason ?? '').not.toMatch(/\w+: "/);
      if (hint !== undefined) expect([hint, hasFlag(command, hint.option)]).toEqual([hint, true]);
    }
  });

  test('the reason names a flag, not an option', async () => {
    const { stdout } = await runHere([command, '--json', '--compression', 'gzip', FILES[0]!]);
    const [fault] = reportedIn(stdout);
    expect(fault!.reason).toContain('(--compression gzip)');
    expect(fault!.hint).toEqual({ option: '--compression', value: 'auto' });
  });

  test('wrong checksums', async () => {
    const { stdout } = await runHere([command, '--json', folder.put('sums.tfrecord', DAMAGED['sums.tfrecord']!)]);
    const [{ message, hint }] = reportedIn(stdout) as [Reported];
    if (command === 'info') expect(hint).toEqual({ option: '--verify', value: 'none' });
    else expect(hint).toBeUndefined();
    expect(message.includes('--verify')).toBe(command === 'info');
  });
});
