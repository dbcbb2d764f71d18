/** SQL over logs: values are those of `readEvents`, in its order, and errors say where. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { encodeExample, readEvents, type EventValue } from '../../../lib';
import { registerEvents, type RegisterEventsOptions } from '../../../lib/adapters/duckdb';
import { held } from '../../../lib/events/run-reading';
import {
  doubles,
  fileVersion,
  HELD,
  restoreHeld,
  scalar,
  scalarTensor,
  sessionStart,
  strings,
} from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
let instance: DuckDBInstance;
let connection: DuckDBConnection;

async function connect(options?: RegisterEventsOptions): Promise<void> {
  instance = await DuckDBInstance.create();
  connection = await instance.connect();
  registerEvents(connection, options);
}

function close(): void {
  connection.closeSync();
  instance.closeSync();
}

beforeEach(() => connect());
afterEach(close);
afterAll(() => {
  folder.remove();
});
restoreHeld();

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function rows(sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJS();
}

const message = (sql: string): Promise<string> =>
  rows(sql).then(
    () => 'no error',
    (error: unknown) => (error as Error).message.split('\n')[0]!,
  );

const COLUMNS = 'run, tag, step, wall_time, kind, value, texts, data, bucket_left, bucket_right, bucket_count';

/** The row of `value`. */
function rowOf(value: EventValue): unknown[] {
  const { run, tag, step, wallTime, kind } = value;
  return [
    ...[run, tag, step, wallTime, kind],
    kind === 'scalar' ? value.value : null,
    kind === 'text' ? value.texts : null,
    kind === 'image'
      ? value.images.map((one) => [...one])
      : kind === 'audio'
        ? value.clips.map((one) => [...one])
        : null,
    ...(kind === 'histogram' ? [value.left, value.right, value.count].map((one) => [...one]) : [null, null, null]),
  ];
}

const plain = (row: unknown[]): unknown[] =>
  row.map((cell) => (Array.isArray(cell) ? cell.map((item) => (item instanceof Uint8Array ? [...item] : item)) : cell));

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

/** A log folder of two runs with values of all kinds, and a restart. */
function logs(): string {
  const { path, at } = folder.place();
  const files: Record<string, Uint8Array[]> = {
    'train/1.tfevents': [
      fileVersion(),
      sessionStart(0),
      ...Array.from({ length: 5000 }, (_, step) => scalar('loss', step, 1 / (step + 1))),
      strings('text', 'a long name of a text', 1, [2], ['Grüße', '']),
      strings('text', 'a long name of a text', 2, [0], []),
    ],
    'train/2.tfevents': [fileVersion(), sessionStart(4990), scalar('loss', 4990, NaN)],
    'eval/1.tfevents': [
      scalarTensor('loss', -2, 2.5),
      strings('images', 'i', 5, [4], ['3', '2', PNG, 'second']),
      strings('audio', 's', 7, [1], [PNG]),
      doubles('histograms', 'h', 2, [2, 3], [0, 1, 5, 1, 2, 6]),
      doubles('pr_curves', 'p', 8, [2], [1, 2]),
    ],
  };
  for (const [name, records] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), tfrecord(records));
  }
  return path;
}

async function expected(...[source, options]: Parameters<typeof readEvents>): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for await (const value of readEvents(source, options)) found.push(rowOf(value));
  return found;
}

test.each([HELD, -1])('rows are the values of readEvents, if runs hold %d bytes', async (bytes) => {
  held.bytes = bytes;
  const path = logs();
  const of = `read_events(${quoted(path)}`;
  const found = await rows(`SELECT ${COLUMNS} FROM ${of})`);
  expect(found.map(plain)).toEqual(await expected(path));
  expect(found).toHaveLength(4990 + 3 + 5);
  for (const [named, options] of [
    [`tag := 'lo*'`, { tags: 'lo*' }],
    [`tag := ['i', 'h']`, { tags: ['i', 'h'] }],
    [`kinds := 'text'`, { kinds: ['text'] }],
    [`kinds := ['image', 'scalar'], keep_restarted := true`, { kinds: ['image', 'scalar'], keepRestarted: true }],
    [`kinds := NULL, tag := NULL, keep_restarted := NULL`, {}],
  ] as const) {
    const chosen = await rows(`SELECT ${COLUMNS} FROM ${of}, ${named})`);
    expect(chosen.map(plain)).toEqual(await expected(path, options));
  }
});

test('columns have types, and queries use any of them', async () => {
  const path = quoted(logs());
  const { 0: first, length } = await rows(`DESCRIBE FROM read_events(${path})`);
  expect([first?.slice(0, 2), length]).toEqual([['run', 'VARCHAR'], 11]);
  expect((await rows(`DESCRIBE FROM read_events(${path})`)).map(([, type]) => type)).toEqual([
    ...['VARCHAR', 'VARCHAR', 'BIGINT', 'DOUBLE', 'VARCHAR', 'DOUBLE', 'VARCHAR[]', 'BLOB[]'],
    ...['DOUBLE[]', 'DOUBLE[]', 'DOUBLE[]'],
  ]);
  expect(await rows(`SELECT count(*) FROM read_events(${path})`)).toEqual([[4998n]]);
  expect(await rows(`SELECT kind, count(*) FROM read_events(${path}) GROUP BY kind ORDER BY kind`)).toEqual([
    ...[
      ['audio', 1n],
      ['histogram', 1n],
      ['image', 1n],
      ['scalar', 4992n],
      ['tensor', 1n],
      ['text', 2n],
    ],
  ]);
  expect(
    await rows(`SELECT a.step, b.value FROM read_events(${path}, tag := 'loss') a JOIN read_events(${path}) b
      USING (run, tag, step) WHERE a.step BETWEEN 2 AND 3 ORDER BY ALL`),
  ).toEqual([
    [2n, Math.fround(1 / 3)],
    [3n, 0.25],
  ]);
});

test('files, patterns and lists', async () => {
  const path = logs();
  for (const [argument, source] of [
    [quoted(`${path}/*/1.tfevents`), `${path}/*/1.tfevents`],
    [quoted(`${path}/**`), `${path}/**`],
    [
      `[${quoted(`${path}/eval`)}, ${quoted(`${path}/train/2.tfevents`)}]`,
      [`${path}/eval`, `${path}/train/2.tfevents`],
    ],
  ] as const) {
    const found = await rows(`SELECT ${COLUMNS} FROM read_events(${argument})`);
    expect(found.map(plain)).toEqual(await expected(source as string));
  }
});

test('generated logs', async () => {
  const records = fc.array(
    fc.oneof(
      fc.tuple(fc.string(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.float()).map((given) => scalar(...given)),
      fc.tuple(fc.string(), fc.integer(), fc.array(fc.string())).map(([tag, step, texts]) => {
        return strings('text', `t${tag}`, step, [texts.length], texts);
      }),
      fc.tuple(fc.integer(), fc.array(fc.uint8Array())).map(([step, sounds]) => {
        return strings('audio', 's', step, [sounds.length], sounds);
      }),
      fc.integer({ min: -9, max: 9 }).map((step) => sessionStart(step)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(records, async (list) => {
      const file = folder.write('generated', [fileVersion(), ...list]);
      const found = await rows(`SELECT ${COLUMNS} FROM read_events(${quoted(file)})`);
      expect(found.map(plain)).toEqual(await expected(file));
    }),
    { numRuns: 60 },
  );
});

describe('errors', () => {
  const damaged = (): string => {
    const records = [scalar('a', 1, 1), scalar('a', 2, 2), scalar('a', 3, 3)];
    const file = folder.write('damaged', records);
    const bytes = Buffer.from(tfrecord(records));
    bytes[records[0]!.length + 16 + 14]! ^= 1;
    writeFileSync(file, bytes);
    return file;
  };

  test('have a code and a place', async () => {
    const file = damaged();
    expect(await message(`FROM read_events(${quoted(file)})`)).toMatch(/TFR_CORRUPT_DATA: .*record 1, at byte 39/);
    const foreign = folder.write('examples', [encodeExample({ a: 'b' })]);
    expect(await message(`FROM read_events(${quoted(foreign)})`)).toContain('TFR_EXAMPLE: ');
    expect(await message(`FROM read_events(${quoted(folder.at('none'))})`)).toContain('ENOENT: ');
    expect(await message(`FROM read_events(${quoted(folder.place().path)})`)).toContain('"tfevents"');
  });

  test('are skipped as onError decides', async () => {
    close();
    const asked: string[] = [];
    await connect({
      name: 'logs',
      onError: (error) => {
        asked.push(error.code);
        return 'skip';
      },
    });
    expect(await rows(`SELECT step FROM logs(${quoted(damaged())})`)).toEqual([[1n], [3n]]);
    expect(asked).toEqual(['TFR_CORRUPT_DATA']);
  });

  test.each([
    [`'-'`, 'standard input would block'],
    [`'https://example.com/a.tfevents'`, 'TFR_SQL: read_events reads files only'],
    ['NULL', 'ERR_INVALID_ARG_VALUE: '],
    ['[]', 'ERR_INVALID_ARG_VALUE: '],
    ['1', 'ERR_INVALID_ARG_VALUE: '],
    [`'a', kinds := 'curve'`, 'must be one of "scalar"'],
    [`'a', kinds := 1`, 'ERR_INVALID_ARG_VALUE: '],
    [`'a', tag := [NULL]`, 'ERR_INVALID_ARG_VALUE: '],
    [`'a', compression := 'rar'`, 'ERR_INVALID_ARG_VALUE: '],
    [`'a', tags := 'b'`, 'named parameter'],
  ])('for the arguments %s', async (argument, text) => {
    expect(await message(`FROM read_events(${argument})`)).toContain(text);
  });

  test('for wrong options, at once', () => {
    expect(() => registerEvents({} as never)).toThrow(TypeError);
    expect(() => registerEvents(connection, { name: '1' })).toThrow(TypeError);
    expect(() => registerEvents(connection, { kinds: [] } as object)).toThrow(TypeError);
  });
});

test('a query that ends early, or is interrupted, ends', async () => {
  const file = folder.write(
    'long',
    Array.from({ length: 50_000 }, (_, step) => scalar('a', step, step)),
  );
  expect(await rows(`SELECT step FROM read_events(${quoted(file)}) LIMIT 2`)).toEqual([[0n], [1n]]);
  const query = connection.runAndReadAll(
    `SELECT sum(a.value * b.value) FROM read_events(${quoted(file)}) a, read_events(${quoted(file)}) b`,
  );
  setTimeout(() => connection.interrupt(), 20);
  await expect(query).rejects.toThrow('INTERRUPT');
  const open = process.platform === 'linux' ? readdirSync('/proc/self/fd') : [];
  const targets = open.map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  expect(targets.filter((target) => target === file).length).toBeLessThanOrEqual(2);
});
