/** JSON that the package writes is read back: rows by a spec that `schema` drafts, and rows of `sql --json`. */
import { readFileSync, writeFileSync } from 'node:fs';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  Event,
  exampleToObject,
  float,
  int64,
  readExamples,
  readSequenceExamples,
  sequenceExampleToObject,
} from '../../../lib';
import { convert, draftSchema } from '../../../lib/convert';
import { inferSchema } from '../../../lib/schema';
import { Folder } from '../../support/records/record-files';
import { wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const features = (file: string): object[] =>
  wholeRecords(readFileSync(file)).map((record) => exampleToObject(record, { kinds: true }));

const MAX_FLOAT32 = 3.4028234663852886e38;
const records = [
  encodeExample({
    id: int64([2n ** 63n - 1n]),
    ids: int64([-(2n ** 63n), 0n, 3n]),
    whole: float([1]),
    scores: float([1, -0, 123456790528]),
    name: 'NaN',
    zip: '8001',
    raw: bytes([Uint8Array.of(0xff), 'é']),
  }),
  encodeExample({
    id: int64([3]),
    ids: int64([]),
    whole: float([2]),
    scores: float([NaN, Infinity, -Infinity, 0.1, MAX_FLOAT32, 1e-45, 1e20]),
    name: '-0',
    zip: '3000',
    raw: bytes([]),
  }),
];

/** The records that come back from `text`, by the spec that the command drafts of the records. */
async function backByDraft(source: string, text: string): Promise<string> {
  const { code, stdout } = await runHere(['schema', '--as', 'spec', source]);
  expect(code).toBe(0);
  const [spec, rows, back] = ['spec.json', 'rows.jsonl', 'back'].map((name) => folder.at(name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(spec, stdout);
  writeFileSync(rows, text);
  const converted = await runHere(['convert', rows, back, '--spec', spec, '--force']);
  expect([converted.stderr, converted.code]).toEqual([
    expect.stringMatching(/^tfrecord: note: \d records?, [^\n]*\n$/),
    0,
  ]);
  return back;
}

describe('rows by a drafted spec', () => {
  const source = folder.at('source');
  beforeAll(() => folder.write('source', records));

  test('JSON.stringify of rows', async () => {
    const { spec } = await inferSchema(source);
    const rows: unknown[] = [];
    for await (const row of readExamples(source, spec)) rows.push(row);
    expect(lines(rows)).toContain('"id":"9223372036854775807"');
    expect(features(await backByDraft(source, lines(rows)))).toEqual(features(source));
  });

  test('JSON.stringify of exampleToObject', async () => {
    // NaN, the infinities and -0 have no numbers in JSON: JSON.stringify loses them.
    const tame = [
      encodeExample({
        id: int64([3]),
        x: float([1, 0.1, MAX_FLOAT32, 1e20]),
        raw: bytes([Uint8Array.of(0xff)]),
        none: [],
      }),
    ];
    folder.write('tame', [...tame, ...tame]);
    const rows = tame.map((record) => exampleToObject(record, { int64: 'string' }));
    expect(features(await backByDraft(folder.at('tame'), lines([...rows, ...rows])))).toEqual(
      [...tame, ...tame].map((record) => {
        const { none, ...others } = exampleToObject(record, { kinds: true });
        expect(none).toBeNull();
        return others;
      }),
    );
  });

  test('JSON.stringify of rows of SequenceExamples', async () => {
    const sequences = [1n, 2n ** 62n].map((id) =>
      encodeSequenceExample({
        context: { id: int64([id]), t: '1' },
        featureLists: {
          words: [bytes(['a', 'b']), bytes([])],
          x: [float([1]), float([-0])],
          ids: [int64([id]), int64([3])],
        },
      }),
    );
    folder.write('sequences', sequences);
    const { spec } = await inferSchema(folder.at('sequences'));
    const rows: unknown[] = [];
    for await (const row of readSequenceExamples(folder.at('sequences'), spec as never)) rows.push(row);
    const plain = wholeRecords(readFileSync(await backByDraft(folder.at('sequences'), lines(rows))));
    const wanted = sequences.map((record) => sequenceExampleToObject(record, { kinds: true }));
    expect(plain.map((record) => sequenceExampleToObject(record, { kinds: true }))).toEqual(wanted);
    // The plain rows that convert writes have featureLists, which the spec reads, too.
    await convert(folder.at('sequences'), folder.at('plain.jsonl'));
    const again = await backByDraft(folder.at('sequences'), readFileSync(folder.at('plain.jsonl'), 'utf8'));
    expect(wholeRecords(readFileSync(again)).map((record) => sequenceExampleToObject(record, { kinds: true }))).toEqual(
      wanted,
    );
  });
});

describe('a draft of other formats', () => {
  const text = '{"id":"3","x":1,"tags":["a"],"ok":true}\n{"id":"-4","x":0.5,"tags":[],"ok":false}\n';
  const spec = {
    id: { type: 'fixedLen', dtype: 'int64', shape: [] },
    ok: { type: 'fixedLen', dtype: 'int64', shape: [] },
    tags: { type: 'varLen', dtype: 'text' },
    x: { type: 'fixedLen', dtype: 'float32', shape: [] },
  };

  test('JSON Lines: integers in strings are int64, with a note, and the draft reads the rows', async () => {
    writeFileSync(folder.at('in.jsonl'), text);
    const { stdout, stderr, code } = await runHere(['schema', folder.at('in.jsonl'), '--as', 'spec']);
    expect([code, JSON.parse(stdout)]).toEqual([0, spec]);
    expect(stderr).toBe(
      'tfrecord: note: Feature "id" has integers in strings, which the draft makes int64: write the dtype text in it to keep them text\n',
    );
    writeFileSync(folder.at('draft.json'), stdout);
    await runHere(['convert', folder.at('in.jsonl'), folder.at('drafted'), '--spec', folder.at('draft.json')]);
    expect(features(folder.at('drafted'))).toEqual([
      { id: { int64: ['3'] }, ok: { int64: ['1'] }, tags: { bytes: [{ base64: 'YQ==' }] }, x: { float: [1] } },
      { id: { int64: ['-4'] }, ok: { int64: ['0'] }, tags: { bytes: [] }, x: { float: [0.5] } },
    ]);
  });

  test('integers with and without strings; strings beside other text; strings beside floats', async () => {
    const draft = async (rows: string): Promise<unknown> =>
      (await draftSchema([Buffer.from(rows)], { from: 'jsonl' })).schema.toSpecJSON();
    expect(await draft('{"a":"3"}\n{"a":4}')).toMatchObject({ a: { dtype: 'int64' } });
    expect(await draft('{"a":4}\n{"a":"3"}')).toMatchObject({ a: { dtype: 'int64' } });
    expect(await draft('{"a":"3"}\n{"a":"x"}')).toMatchObject({ a: { dtype: 'text' } });
    await expect(draft('{"a":"3"}\n{"a":0.5}')).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 1 });
  });

  test.each(['csv', 'tsv', 'parquet', 'arrow', 'arrows', 'ndjson', 'jsonl.gz'])(
    '.%s by its extension',
    async (extension) => {
      writeFileSync(folder.at('plain.jsonl'), '{"id":3,"x":1}\n{"id":-4,"x":0.5}\n');
      const file = folder.at(`table.${extension}`);
      await convert(folder.at('plain.jsonl'), file, { force: true });
      const { stdout, stderr, code } = await runHere(['schema', file, '--as', 'spec']);
      expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { id: spec.id, x: spec.x }]);
    },
  );

  test('--from, and options of CSV', async () => {
    writeFileSync(folder.at('odd'), 'id;x;y\n1;NA;a\n2;3;b\n');
    const flags = ['--from', 'csv', '--delimiter', ';', '--na', 'NA', '--exclude', 'y', '--json'];
    const { stdout, code } = await runHere(['schema', folder.at('odd'), ...flags]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        records: 2,
        spec: { id: spec.id, x: { type: 'varLen', dtype: 'int64' } },
        features: [{ name: 'id' }, { name: 'x' }],
      },
    ]);
  });

  test('errors are those of the conversion, and end', async () => {
    writeFileSync(folder.at('bad.jsonl'), '{"a":1}\nx\n');
    const bad = await runHere(['schema', folder.at('bad.jsonl')]);
    expect([bad.code, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toMatch(/^tfrecord: error: TFR_DECODE: Line 2 of .*bad\.jsonl: it is not JSON[^\n]*\n$/);
    writeFileSync(folder.at('part.jsonl'), '{"a":1}\n'.repeat(200) + 'x\n');
    const skipped = await runHere(['schema', folder.at('part.jsonl'), '--on-error', 'skip', '--as', 'spec']);
    expect(skipped.code).toBe(0);
    expect(JSON.parse(skipped.stdout)).toEqual({ a: spec.id });
    const event = Event.toJSON({ wallTime: 1.5, step: 2n, fileVersion: 'brain.Event:2' });
    await expect(draftSchema([Buffer.from(JSON.stringify(event))], { from: 'protojson' })).rejects.toMatchObject({
      code: 'TFR_EXAMPLE',
      record: 0,
    });
    await expect(
      draftSchema(folder.at('part.jsonl'), { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
    await expect(draftSchema(folder.at('part.jsonl'), { shards: 2 } as never)).rejects.toThrow(
      'Unknown option "shards"',
    );
    const dates = await runHere(['schema', folder.at('part.jsonl'), '--dates', 'text']);
    expect([dates.code, dates.stderr]).toEqual([2, expect.stringContaining('--dates')]);
  });
});

test('rows of sql --json come back with the kinds of their columns', async () => {
  const set = [
    encodeExample({
      id: int64([2n ** 63n - 1n]),
      f: float([0]),
      l: float([1, 2]),
      n: int64([1, 2]),
      t: 'a',
      raw: Uint8Array.of(255),
    }),
    encodeExample({
      id: int64([1]),
      f: float([1]),
      l: float([NaN, Infinity]),
      n: int64([3]),
      t: 'é"',
      raw: Uint8Array.of(254),
    }),
    encodeExample({
      id: int64([2]),
      f: float([2]),
      l: float([-0, MAX_FLOAT32, 1e20]),
      n: int64([]),
      t: '3',
      raw: Uint8Array.of(0),
    }),
  ];
  folder.write('set', set);
  const { stdout } = await runHere(['sql', '--json', `FROM read_tfrecord('${folder.at('set')}')`]);
  writeFileSync(folder.at('sql.jsonl'), stdout);
  await convert(folder.at('sql.jsonl'), folder.at('sql'));
  expect(features(folder.at('sql'))).toEqual(features(folder.at('set')));
});
