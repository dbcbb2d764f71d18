/**
 * Damaged files through `read_tfrecord` in native code, in JavaScript and in DuckDB's loadable extension: the same rows, or
 * the error that `readExamples` and the command report. TFRECORD_FULL=1 tries 20,000 files.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { isDeepStrictEqual } from 'node:util';

import { fixedLen, readExamples, specToJSON, varLen, type OnError, type TFRecordError } from '../../lib';
import { registerTFRecord } from '../../lib/adapters/duckdb';
import { chosen } from '../../lib/sql/native-function';
import { randoms } from '../support/randoms';
import { BYTE_DAMAGES, EXAMPLE_DAMAGES, FILE_DAMAGES } from '../support/records/damages';
import { Folder } from '../support/records/record-files';
import { CODECS, compress, offsets, tfrecord, type Codec } from '../support/records/tfrecord';
import { runHere } from '../support/running/run-here';
import { BUILD_TIMEOUT, builtExtension } from '../support/sql/extension';
import { callOf, outcomeOf, quoted, type Outcome } from '../support/sql/queries';
import { mixedRecords } from '../support/sql/records';

const FILES = process.env['TFRECORD_FULL'] === '1' ? 20_000 : 300;

const random = randoms(3113);
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

const SPEC = {
  i: varLen('int64'),
  box: fixedLen([2, 2], 'float32', { default: [9, 8, 7, 6] }),
  t: fixedLen([], 'text', { default: 'none' }),
  f: varLen('float32'),
  b: varLen('bytes'),
  lf: varLen('float32'),
  lt: varLen('text'),
};

/** Policies, by the names of the functions that have them. The extension has the first three. */
const POLICIES: Readonly<Record<string, OnError>> = {
  throw: 'throw',
  skip: 'skip',
  stop: 'stop',
  skip_all: { action: 'skip', maxRate: 1 },
  skip_two: { action: 'skip', max: 2 },
  salvage: 'salvage',
  asked: ({ record }) => ((record ?? 0) % 3 === 2 ? 'stop' : 'skip'),
};
/** The flags of the command for a policy. */
const FLAGS: Readonly<Record<string, readonly string[] | undefined>> = {
  throw: [],
  stop: ['--on-error', 'stop'],
  skip_all: ['--on-error', 'skip', '--allow-loss'],
};
const NAMES = Object.keys(POLICIES);

const folder = new Folder();
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true' });
  connection = await instance.connect();
  await connection.run(`LOAD ${quoted(builtExtension('tfrecord'))}`);
  for (const [name, onError] of Object.entries(POLICIES)) {
    registerTFRecord(connection, { name: `native_${name}`, onError });
    chosen.native = false;
    registerTFRecord(connection, { name: `script_${name}`, onError });
    chosen.native = true;
  }
}, BUILD_TIMEOUT);
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  folder.remove();
});

const WHOLE = mixedRecords(2000, random);

/** A file with damage of its own. */
interface DamagedFile {
  readonly bytes: Uint8Array;
  readonly codec: Codec;
  readonly damages: readonly string[];
  /** True if no record was damaged before it got its checksum. */
  readonly records: boolean;
}

function damagedFile(): DamagedFile {
  const damages: string[] = [];
  const choose = <T>(verbs: Readonly<Record<string, T>>): T => {
    const verb = pick(Object.keys(verbs));
    damages.push(verb);
    return verbs[verb]!;
  };
  const records = Array.from({ length: 1 + below(below(3) === 0 ? 300 : 12) }, () => pick(WHOLE));
  const codec = pick(CODECS);
  const level = below(4);
  if (level === 0 || level === 3) {
    for (let times = 1 + below(3); times > 0; times--) {
      const at = below(records.length);
      records[at] = below(2) === 0 ? choose(EXAMPLE_DAMAGES)(below) : choose(BYTE_DAMAGES)(records[at]!, below);
    }
  }
  let content: Uint8Array = tfrecord(records);
  if (level === 1 || level === 3) {
    const at = offsets(records);
    if (below(2) === 0) content = choose(FILE_DAMAGES)(content, at, below);
    if (damages.length === 0 || below(3) === 0) content = choose(BYTE_DAMAGES)(content, below);
  }
  // Two members or streams, sometimes.
  const half = below(3) === 0 && codec === 'gzip' ? below(content.length + 1) : 0;
  let bytes: Uint8Array =
    half === 0
      ? compress(content, codec)
      : Buffer.concat([compress(content.subarray(0, half), codec), compress(content.subarray(half), codec)]);
  if (level === 2) for (let times = 1 + below(2); times > 0; times--) bytes = choose(BYTE_DAMAGES)(bytes, below);
  return { bytes, codec, damages, records: level === 1 || level === 2 };
}

/** The facts in the error of a query, without its words: DuckDB shows a part of some texts only. */
function factsOf(error: string | undefined): Record<string, string | undefined> | undefined {
  if (error === undefined) return undefined;
  const [, code] = /error: (\w+): /i.exec(error) ?? [];
  const [, record] = /record (\d+)/i.exec(error) ?? [];
  const [, byte] = /(?:at |\()(?:uncompressed )?byte (\d+)\b(?! of)/.exec(error) ?? [];
  const [, compressed] = /compressed byte (\d+)/.exec(error.replaceAll('uncompressed byte', '')) ?? [];
  const [, feature] = /Feature ("(?:[^"\\]|\\.)*")/.exec(error) ?? [];
  return { code, record, byte, compressed, feature };
}

/** Number of the rows of a reader, and its error. */
async function read(path: string, onError: OnError): Promise<{ rows: number; error?: TFRecordError }> {
  let rows = 0;
  try {
    for await (const row of readExamples(path, SPEC, { onError })) rows += row === null ? 0 : 1;
    return { rows };
  } catch (error) {
    return { rows, error: error as TFRecordError };
  }
}

/** The last error that a command printed; undefined if it succeeded. */
async function commandError(args: readonly string[]): Promise<{ error: string | undefined; stdout: string }> {
  const { code, stdout, stderr } = await runHere(args);
  const [, error] = /.*tfrecord: (error: .*)\n$/s.exec(stderr) ?? [];
  expect({ code, stderr }).toEqual({ code: error === undefined ? 0 : 1, stderr });
  return { error, stdout };
}

const spec = folder.put('spec.json', JSON.stringify(specToJSON(SPEC)));
/** The codes of the errors so far. */
const codes = new Set<string>();

async function check(path: string, name: string, sampled: boolean, records: boolean): Promise<void> {
  const onError = POLICIES[name]!;
  const call = (prefix: string, named = ''): string =>
    callOf(path, sampled ? undefined : SPEC, named).replace('read_tfrecord', prefix);
  const [native, script] = [`native_${name}`, `script_${name}`];
  const sql = `FROM ${call(native, 'file_row_number := true')}`;
  const found = await outcomeOf(connection, sql);
  const same = (other: Outcome): void => {
    // Jest compares many rows slowly.
    if (!isDeepStrictEqual(other, found)) expect(other).toEqual(found);
  };
  same(await outcomeOf(connection, `FROM ${call(script, 'file_row_number := true')}`));
  const total = await outcomeOf(connection, `SELECT count(*) FROM ${call(native)}`);
  expect(await outcomeOf(connection, `SELECT count(*) FROM ${call(script)}`)).toEqual(total);
  if (found.error !== undefined) codes.add(factsOf(found.error)!['code']!);
  if (NAMES.indexOf(name) < 3) {
    const loaded = await outcomeOf(
      connection,
      `FROM ${call('read_tfrecord', `file_row_number := true, on_error := '${name}'`)}`,
    );
    if (found.error === undefined) same(loaded);
    else {
      const [facts, expected] = [factsOf(loaded.error), factsOf(found.error)];
      const texts = [loaded.error, found.error];
      if (expected!['byte'] === undefined) facts!['byte'] = undefined;
      expect({ texts, ...facts }).toEqual({ texts, ...expected });
    }
  }
  if (sampled) return;
  const { rows, error } = await read(path, onError);
  if (error === undefined) expect(found.rows).toHaveLength(rows);
  else {
    expect(found.error).toContain(path);
    const text = `error: ${error.code}: ${error.message}`;
    expect({ text, ...factsOf(found.error) }).toEqual({ text, ...factsOf(text) });
  }
  const flags = FLAGS[name];
  if (flags === undefined) return;
  const strict = `FROM ${callOf(path, SPEC).replace('read_tfrecord', 'native_throw')}`;
  const printed = await commandError(['cat', path, '--spec', spec, ...flags]);
  // The command refuses a file of which nothing at all can be read.
  const refused = found.error === undefined && printed.error !== undefined;
  const { error: text } = refused ? await outcomeOf(connection, strict) : found;
  expect({ printed, facts: factsOf(printed.error) }).toEqual({ printed, facts: factsOf(text) });
  if (!records) return;
  const counted = await commandError(['count', path, ...flags]);
  expect({ counted, facts: factsOf(counted.error) }).toEqual({ counted, facts: factsOf(refused ? text : total.error) });
  if (counted.error === undefined) expect(total.rows).toEqual([[BigInt(counted.stdout)]]);
}

test(`${FILES} damaged files give the same rows, or the same error`, async () => {
  const before = process.memoryUsage().rss;
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    for (let i = 0; i < FILES; i++) {
      const { bytes, codec, damages, records } = damagedFile();
      const name = NAMES[i % NAMES.length]!;
      const path = folder.put(`damaged-${i % 50}`, bytes);
      try {
        await check(path, name, i % 4 === 3, records);
      } catch (error) {
        const { message } = error as Error;
        (error as Error).message = `file ${i}, ${codec}, ${name}, ${damages.join(', ')}\n${message}`;
        throw error;
      }
    }
  } finally {
    warned.mockRestore();
  }
  expect(codes.size).toBeGreaterThan(4);
  // No file of a few kilobytes takes memory for a length that it claims.
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
}, 7_200_000);
