/** JSON Lines both ways: the same values come back, and what has no exact form is refused by name. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  Event,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  recordType,
  sparse,
  varLen,
  type FeatureLike,
} from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

/** The lines that `records` become. */
async function linesOf(records: readonly Uint8Array[], options: ConvertOptions = { to: 'jsonl' }): Promise<string> {
  const at = folder.place().at;
  await convert(tfrecord(records), at('out'), options);
  return readFileSync(at('out'), 'utf8');
}

/** The records that come back from the lines of `records`. */
async function wayBack(records: readonly Uint8Array[], format: 'jsonl' | 'protojson'): Promise<Buffer[]> {
  const at = folder.place().at;
  await convert(tfrecord(records), at('lines'), { to: format });
  await convert(at('lines'), at('back'), { from: format });
  return wholeRecords(readFileSync(at('back')));
}

/** Values with the bits of floats, so that -0 differs from 0; every NaN is one. */
function values(record: Uint8Array): unknown {
  const of = (feature: unknown): unknown => {
    if (feature === undefined) return null;
    const { kind, values: list } = feature as { kind: string; values: Iterable<unknown> };
    const items = [...list].map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : Object.is(value, -0) ? '-0' : String(value),
    );
    return { kind, items };
  };
  const map = (members: Record<string, unknown>, each: (value: unknown) => unknown): unknown =>
    Object.entries(members)
      .map(([name, value]) => [name, each(value)])
      .sort();
  if (recordType(record) === 'Example') return map(decodeExample(record), of);
  const { context, featureLists } = decodeSequenceExample(record);
  return [map(context, of), map(featureLists, (steps) => (steps as unknown[]).map(of))];
}

const odd = encodeExample({
  id: int64([2n ** 63n - 1n, -(2n ** 63n), 0n, -1n, 123456789012n]),
  score: float([NaN, Infinity, -Infinity, -0, 0, 1, 0.1, 3.4028234663852886e38, 1e-45]),
  name: bytes(['', 'é "\\\n', Uint8Array.of(0xff, 0), 'NaN', 'plain']),
  none: int64([]),
  unset: [],
});

test('a row has exact values', async () => {
  expect(await linesOf([odd])).toBe(
    '{"id":[9223372036854775807,-9223372036854775808,0,-1,123456789012],' +
      '"name":["","é \\"\\\\\\n",{"base64":"/wA="},{"base64":"TmFO"},"plain"],' +
      '"none":[],' +
      '"score":["NaN","Infinity","-Infinity",-0.0,0.0,1.0,0.1,3.4028234663852886e+38,1e-45],' +
      '"unset":null}\n',
  );
});

test.each([
  [3.4028234663852886e38, '3.4028234663852886e+38'],
  [-3.4028234663852886e38, '-3.4028234663852886e+38'],
  [3.4028232635611926e38, '3.4028233e+38'],
  [2 ** -149, '1e-45'],
  [-(2 ** -126), '-1.1754944e-38'],
])('canonical JSON has digits of %f that are no larger than float32', async (value, digits) => {
  const lines = await linesOf([encodeExample({ a: float([value]) })], { to: 'protojson' });
  expect(lines).toBe(`{"features":{"feature":{"a":{"floatList":{"value":[${digits}]}}}}}\n`);
});

test("protobuf's canonical JSON", async () => {
  const record = encodeExample({ a: int64([1n, -1n]), b: float([-0, 1]), c: bytes(['é']), d: float([]), e: [] });
  expect(await linesOf([record, Buffer.alloc(0)], { to: 'protojson' })).toBe(
    '{"features":{"feature":{"a":{"int64List":{"value":["1","-1"]}},"b":{"floatList":{"value":[-0.0,1.0]}},' +
      '"c":{"bytesList":{"value":["w6k="]}},"d":{"floatList":{}},"e":{}}}}\n{}\n',
  );
});

const sequence = encodeSequenceExample({
  context: { id: int64([7]) },
  featureLists: { words: [bytes(['a', 'b']), bytes([]), []], none: [] },
});

test('SequenceExamples, and those without lists', async () => {
  const bare = encodeSequenceExample({ context: { id: int64([8]) } });
  expect(await linesOf([sequence, bare])).toBe(
    '{"context":{"id":[7]},"featureLists":{"none":[],"words":[["a","b"],[],null]}}\n{"id":[8]}\n',
  );
  expect((await wayBack([sequence, bare], 'jsonl')).map(values)).toEqual([sequence, bare].map(values));
});

test('the extension .protojson says its format, of inputs and outputs', async () => {
  const { at } = folder.place();
  const records = [encodeExample({ a: int64([7]) })];
  await convert(tfrecord(records), at('o.protojson.gz'));
  await convert(at('o.protojson.gz'), at('o.tfrecord'));
  expect(readFileSync(at('o.tfrecord')).equals(tfrecord(records))).toBe(true);
  await convert(at('o.protojson.gz'), at('o.protojson'));
  expect(readFileSync(at('o.protojson'), 'utf8')).toBe(
    '{"features":{"feature":{"a":{"int64List":{"value":["7"]}}}}}\n',
  );
});

test.each(['jsonl', 'protojson'] as const)('%s: unusual forms of records come back', async (format) => {
  const twice = Buffer.concat([encodeExample({ a: int64([1]), b: int64([2]) }), encodeExample({ a: int64([3]) })]);
  const unpacked = Buffer.from('0a0c0a0a0a02696412041a020805', 'hex');
  const floats = Buffer.from('0a0f0a0d0a0266 6c12071205 0d0000c03f'.replace(/ /g, ''), 'hex');
  const records = [twice, unpacked, floats, Buffer.alloc(0)];
  expect((await wayBack(records, format)).map(values)).toEqual(records.map(values));
});

const feature = fc.oneof(
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map((list) => int64(list)),
  fc.array(fc.float(), { maxLength: 3 }).map((list) => float(list)),
  fc
    .array(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 4 }), fc.constantFrom('NaN', '-Infinity')), {
      maxLength: 3,
    })
    .map((list) => bytes(list)),
  fc.constant<FeatureLike>([]),
);
const name = fc
  .oneof(fc.constantFrom('a', 'A', 'b', '', '__proto__', '1'), fc.string({ maxLength: 3 }))
  .filter((text) => text.isWellFormed());

function encoded(features: readonly (readonly [string, FeatureLike])[]): Uint8Array {
  const all = Object.create(null) as Record<string, FeatureLike>;
  for (const [key, value] of features) all[key] = value;
  return encodeExample(all);
}

test('random Examples come back from canonical JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.tuple(name, feature), { maxLength: 4 }), { maxLength: 5 }), async (rows) => {
      const records = rows.map(encoded);
      expect((await wayBack(records, 'protojson')).map(values)).toEqual(records.map(values));
    }),
    { numRuns: 40 },
  );
});

/** Data sets whose features have one kind, and at least one value. */
const kinds = { i: int64([1n]), f: float([-0]), b: bytes(['x']), __proto__w: float([NaN]) };
const member = <T>(list: fc.Arbitrary<T>, of: (values: T[]) => FeatureLike): fc.Arbitrary<FeatureLike | undefined> =>
  fc.option(fc.array(list, { maxLength: 3 }).map(of), { nil: undefined });
const row = fc.record({
  i: member(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (list) => int64(list)),
  f: member(fc.float(), (list) => float(list)),
  b: member(
    fc.oneof(fc.string(), fc.uint8Array({ maxLength: 4 }), fc.constantFrom('Infinity', '-0', '3', 'true')),
    (list) => bytes(list),
  ),
});

test('random data sets come back from plain rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (rows) => {
      const records = [...rows.map((features) => encoded(Object.entries(features) as never)), encodeExample(kinds)];
      expect((await wayBack(records, 'jsonl')).map(values)).toEqual(records.map(values));
    }),
    { numRuns: 40 },
  );
  expect(await wayBack([], 'jsonl')).toEqual([]);
});

test('lines of others: single values, blank lines, gzip; a name that is always empty has no kind', async () => {
  const at = folder.place().at;
  writeFileSync(at('in.jsonl'), '\ufeff{"a": 1, "b": "x", "e": []}\r\n\n  \n{"a": [2, 3], "c": 1e2, "n": null}');
  await convert(at('in.jsonl'), at('out.tfrecord.gz'), { shards: 1 });
  const records = wholeRecords(gunzipSync(readFileSync(at('out-00000-of-00001.tfrecord.gz'))));
  expect(records.map(values)).toEqual(
    [
      encodeExample({ a: int64([1]), b: bytes(['x']), e: [] }),
      encodeExample({ a: int64([2, 3]), c: float([100]), n: [] }),
    ].map(values),
  );
  await convert(at('out-00000-of-00001.tfrecord.gz').replace('00000-of-00001', '*'), at('back.jsonl.gz'));
  expect(String(gunzipSync(readFileSync(at('back.jsonl.gz'))))).toContain('"a":[2,3]');
});

test('a stream is copied where two passes are needed', async () => {
  const at = folder.place().at;
  const stream = [Buffer.from('{"a":[]}\n{"a":[1]}\n')];
  const { records } = await convert(stream, at('out'), { from: 'jsonl', shards: 2 });
  expect(records).toBe(2);
  expect(readdirSync(at('')).filter((entry) => entry.endsWith('.tmp'))).toEqual([]);
});

test('a spec gives the kinds, both ways', async () => {
  const spec = {
    id: fixedLen([], 'int64'),
    box: fixedLen([2, 1], 'float32'),
    tags: varLen('bytes'),
    s: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'int64', size: 9 }),
  };
  const record = encodeExample({
    id: int64([1]),
    box: float([1, NaN]),
    tags: bytes(['a']),
    at: int64([3]),
    v: int64([7]),
  });
  const lines = await linesOf([record], { to: 'jsonl', spec });
  expect(lines).toBe(
    '{"id":1,"box":[[1.0],["NaN"]],"tags":["a"],"s":{"indices":[[3]],"values":[7],"denseShape":[9]}}\n',
  );
  const at = folder.place().at;
  writeFileSync(at('in.jsonl'), lines);
  await convert(at('in.jsonl'), at('out'), { spec });
  expect(wholeRecords(readFileSync(at('out'))).map(values)).toEqual([values(record)]);
});

describe('a spec of SequenceExamples', () => {
  const spec = {
    context: { id: fixedLen([], 'int64'), tags: varLen('text') },
    sequence: {
      words: varLen('bytes'),
      boxes: fixedLenSequence([2], 'float32'),
      at: fixedLenSequence([], 'int64', { allowMissing: true }),
      rows: ragged({ valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'n' }], dtype: 'int64' }),
    },
  };
  const record = encodeSequenceExample({
    context: { id: int64([7]), tags: bytes(['a']) },
    featureLists: {
      words: [bytes(['a', 'NaN']), bytes([]), bytes([Uint8Array.of(0xff)])],
      boxes: [float([1, NaN]), float([-0, 2.5])],
      at: [int64([2n ** 63n - 1n])],
      v: [int64([1, 2, 3]), int64([])],
      n: [int64([1, 2]), int64([0])],
    },
  });
  const line =
    '{"context":{"id":7,"tags":["a"]},"sequence":{"words":{"indices":[[0,0],[0,1],[2,0]],' +
    '"values":["a","NaN",{"base64":"/w=="}],"denseShape":[3,2]},"boxes":[[1.0,"NaN"],[-0.0,2.5]],"at":[9223372036854775807],"rows":[[[1],[2,3]],[[]]]}}\n';

  test('both ways', async () => {
    expect(await linesOf([record], { to: 'jsonl', spec })).toBe(line);
    const at = folder.place().at;
    const lists = line.replace(/"words":\{.*?\]\},/, '"words":[["a","NaN"],[],[{"base64":"/w=="}]],');
    expect(lists).not.toBe(line);
    writeFileSync(at('in.jsonl'), `${line}${lists}{"context":{"id":1},"sequence":{"boxes":[],"at":null,"words":[]}}\n`);
    await convert(at('in.jsonl'), at('out'), { spec });
    const bare = encodeSequenceExample({ context: { id: int64([1]) }, featureLists: { boxes: [], words: [] } });
    expect(wholeRecords(readFileSync(at('out'))).map(values)).toEqual([record, record, bare].map(values));
  });

  test.each([
    ['{"context":{"id":1},"sequence":{}}', /boxes/],
    ['{"sequence":{"boxes":[]}}', /id/],
    ['{"context":{"id":1},"sequence":{"boxes":[[1.0]]}}', /boxes.*2 values/],
    ['{"context":{"id":1},"sequence":{"boxes":[[1.0,2.0,3.0,4.0]]}}', /boxes.*2 values in each step/],
    ['{"context":{"id":1},"sequence":{"boxes":1.0}}', /feature list "boxes" is not a list of steps/],
    ['{"context":{"id":1},"sequence":{"boxes":[],"x":[[1]]}}', /feature list "x" is not in the spec/],
    ['{"context":{"id":1,"x":1},"sequence":{"boxes":[]}}', /feature "x" is not in the spec/],
    ['{"context":{"id":1},"sequence":{"boxes":[],"words":[["a"],[1]]}}', /words/],
    ...['[[1,0]]', '[[0,1]]', '[[0]]', '[0]', '[]', '[[-1,0]]'].map((indices): [string, RegExp] => [
      `{"context":{"id":1},"sequence":{"boxes":[],"words":{"indices":${indices},"values":["a"],"denseShape":[1,1]}}}`,
      /feature list "words" is not/,
    ]),
    ['{"context":{"id":1},"sequence":{"boxes":[]},"featureLists":{}}', /member "featureLists"/],
    ['{"context":{"id":1},"featureLists":{}}', /boxes/],
    ['{"context":[],"sequence":{}}', /not an object/],
  ])('refused: %s', async (text, message) => {
    const at = folder.place().at;
    writeFileSync(at('in.jsonl'), text);
    await expect(convert(at('in.jsonl'), at('out'), { spec })).rejects.toMatchObject({
      code: expect.stringMatching(/^TFR_(?:FEATURE|DECODE)$/) as string,
      file: at('in.jsonl'),
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('refused by name', () => {
  test.each([
    ['{"a":1}\n{"a":[16777217,1.5]}', { code: 'TFR_FEATURE', feature: 'a', record: 1 }],
    ['{"a":1}\n{"a":"x"}', { code: 'TFR_FEATURE', feature: 'a', record: 1 }],
    ['{"a":9223372036854775808}', { code: 'TFR_FEATURE', feature: 'a' }],
    ['{"a":1e39}', { code: 'TFR_FEATURE', feature: 'a' }],
    ['{"a":[[1]]}', { code: 'TFR_FEATURE', feature: 'a' }],
    ['{"a":{"base64":"*"}}', { code: 'TFR_FEATURE', feature: 'a' }],
    ['{"a":1,"a":2}', { code: 'TFR_DECODE', record: 0 }],
    ['{"a":"\\ud800"}', { code: 'TFR_FEATURE', feature: 'a' }],
    ['[1]', { code: 'TFR_DECODE', message: expect.stringContaining("jq -c '.[]'") as unknown }],
    [' [', { code: 'TFR_DECODE', message: expect.stringContaining("jq -c '.[]'") as unknown }],
    ['{"a":1', { code: 'TFR_DECODE', record: 0 }],
    ['['.repeat(100_000), { code: 'TFR_DECODE' }],
  ])('%.40s', async (lines, expected) => {
    const at = folder.place().at;
    writeFileSync(at('in.jsonl'), lines);
    await expect(convert(at('in.jsonl'), at('out'))).rejects.toMatchObject({ ...expected, file: at('in.jsonl') });
    expect(readdirSync(at(''))).toEqual(['in.jsonl']);
  });

  test('an array refused with a spec, too', async () => {
    await expect(recordsOf('[{"a":1}]', { spec: { a: fixedLen([], 'int64') } })).rejects.toMatchObject({
      code: 'TFR_DECODE',
      message: expect.stringContaining("jq -c '.[]'") as unknown,
    });
  });

  test.each(['jsonl', 'protojson'] as const)('a malformed record, which is none of another type, to %s', async (to) => {
    const found = 'a length of 255 reaches past the 0 bytes that are left at byte 1';
    await expect(linesOf([Uint8Array.of(0x0a, 0xff, 1)], { to })).rejects.toMatchObject({
      ...{ code: 'TFR_EXAMPLE', record: 0, offset: 0, found },
      message: expect.stringMatching(`^Record 0 of .* \\(byte 0\\) is not an Example.*malformed: ${found}`) as string,
    });
    // Field 3 is of neither.
    await expect(linesOf([Uint8Array.of(0x18, 1)], { to })).rejects.toMatchObject({
      found: 'a message of another type',
    });
  });

  test('Events have canonical JSON only; other records have none', async () => {
    const event = Event.encode({ wallTime: 1.5, step: 3n, summary: { value: [{ tag: 'loss', simpleValue: -0 }] } });
    await expect(linesOf([event])).rejects.toMatchObject({ code: 'TFR_EXAMPLE', record: 0, found: 'an Event' });
    expect(await linesOf([event], { to: 'protojson' })).toContain('"simpleValue":-0.0');
    expect(await wayBack([event], 'protojson')).toEqual([Buffer.from(event)]);
    for (const to of ['jsonl', 'protojson'] as const) {
      await expect(linesOf([Buffer.from('text')], { to })).rejects.toMatchObject({ code: 'TFR_EXAMPLE', record: 0 });
    }
    const at = folder.place().at;
    const report = await convert(tfrecord([odd, event]), at('out.jsonl'), {
      onError: { action: 'skip', maxRate: 1 },
    });
    expect(report).toMatchObject({ records: 1, skipped: 1 });
  });
});

test('stop keeps the rows before the fault, and skip counts faults in their shards', async () => {
  const at = folder.place().at;
  writeFileSync(at('in.jsonl'), '{"a":1}\n{"a":2}\nx\n{"a":3}\n{"a":4}\ny\n{"a":5}\nz\n');
  expect(await convert(at('in.jsonl'), at('stopped'), { onError: 'stop' })).toMatchObject({ records: 2, skipped: 0 });
  const job = { shards: 4, onError: 'skip', resume: true } as const;
  const { files } = await convert(at('in.jsonl'), at('out'), job);
  const manifest = (): { outputs: unknown[] } =>
    JSON.parse(readFileSync(at('out.manifest.json'), 'utf8')) as { outputs: unknown[] };
  const { outputs } = manifest();
  expect(outputs).toMatchObject([
    { records: 2, skipped: 0 },
    { records: 1, skipped: 1 },
    { records: 1, skipped: 1 },
    { records: 1, skipped: 1 },
  ]);
  for (const file of files.slice(2)) rmSync(file);
  expect(await convert(at('in.jsonl'), at('out'), job)).toMatchObject({ kept: 2, records: 5, skipped: 3 });
  expect(manifest().outputs).toEqual(outputs);
});

/** The records that lines become. */
async function recordsOf(
  lines: string,
  options: ConvertOptions = {},
): Promise<{ records: unknown[]; notes: readonly string[] }> {
  const at = folder.place().at;
  writeFileSync(at('in.jsonl'), lines);
  const { notes } = await convert(at('in.jsonl'), at('out'), options);
  return { records: wholeRecords(readFileSync(at('out'))).map(values), notes };
}

describe('numbers as JavaScript writes them', () => {
  const floats = (...list: number[]): unknown => values(encodeExample({ x: float(list) }));
  const ints = (...list: bigint[]): unknown => values(encodeExample({ x: int64(list) }));

  test.each<[string, unknown[]]>([
    ['{"x":1}\n{"x":0.5}', [floats(1), floats(0.5)]],
    ['{"x":0.5}\n{"x":1}', [floats(0.5), floats(1)]],
    ['{"x":[1,2.5,-3]}', [floats(1, 2.5, -3)]],
    ['{"x":[1,"NaN","-Infinity","-0"]}', [floats(1, NaN, -Infinity, -0)]],
    ['{"x":[-0,1]}', [floats(-0, 1)]],
    // JavaScript writes digits up to 10^21, and those of the shortest decimal of a float32.
    [
      '{"x":[0.5,16777216,123456790000,100000000000000000000,-100000000000000000000]}',
      [floats(0.5, 2 ** 24, 123456790000, 1e20, -1e20)],
    ],
    ['{"x":true}\n{"x":[false,7]}', [ints(1n), ints(0n, 7n)]],
  ])('%s', async (lines, expected) => {
    expect(await recordsOf(lines)).toEqual({ records: expected, notes: [] });
  });

  test.each([
    ['{"x":0.5}\n{"x":16777217}', 1, '16777217'],
    ['{"x":[1,9007199254740993]}\n{"x":1e2}', 0, '9007199254740993'],
    ['{"x":0.5}\n{"x":9223372036854775807}', 1, '9223372036854775807'],
    [`{"x":0.5}\n{"x":1${'0'.repeat(39)}}`, 1, `1${'0'.repeat(39)}`],
    ['{"x":"NaN"}\n{"x":16777217}', 1, '16777217'],
  ])('an integer beside floats that float32 cannot hold: %s', async (lines, record, found) => {
    const at = folder.place().at;
    writeFileSync(at('in.jsonl'), lines);
    await expect(convert(at('in.jsonl'), at('out'))).rejects.toMatchObject({
      ...{ code: 'TFR_FEATURE', feature: 'x', file: at('in.jsonl'), record, found },
      message: expect.stringMatching(new RegExp(`^Line ${record + 1} of .*${found}.*\\(spec\\)`)) as string,
    });
    // The row is at fault, not the file.
    expect(await convert(at('in.jsonl'), at('kept'), { onError: { action: 'skip', maxRate: 1 } })).toMatchObject({
      skipped: 1,
    });
  });
});

describe('digits in strings', () => {
  test('stay text without a spec, and a note names the feature', async () => {
    const { records, notes } = await recordsOf(
      '{"id":"3","zip":"08001","n":["1","x"],"word":"-0"}\n{"id":["-4","9223372036854775807"]}',
    );
    expect(records[1]).toEqual(values(encodeExample({ id: bytes(['-4', '9223372036854775807']) })));
    expect(notes).toEqual([
      'Feature "id" has integers in strings, which stay text: (spec) with dtype int64 makes them integers',
    ]);
  });

  test('of feature lists', async () => {
    const { notes } = await recordsOf('{"context":{},"featureLists":{"ids":[["1"],["2"]]}}');
    expect(notes).toEqual([expect.stringContaining('Feature "ids"')]);
  });

  test('are integers with a spec; floats may be words, integers booleans', async () => {
    const spec = { id: fixedLen([], 'int64'), more: varLen('int64'), x: varLen('float32'), b: varLen('bytes') };
    const line =
      '{"id":"-9223372036854775808","more":["1",2,true,false,3.0,"007"],"x":["-0",1,"NaN",100000000000000000000,16777217],"b":["3"]}';
    expect((await recordsOf(line, { spec })).records).toEqual([
      values(
        encodeExample({
          id: int64([-(2n ** 63n)]),
          more: int64([1, 2, 1, 0, 3, 7]),
          x: float([-0, 1, NaN, 1e20, 16777216]),
          b: bytes(['3']),
        }),
      ),
    ]);
  });

  test.each([
    ['{"id":"9223372036854775808"}', /"id".*beyond int64/],
    ['{"id":9223372036854775808}', /"id".*beyond int64/],
    ['{"id":"1.5"}', /"id".*"1.5".*an integer/],
    ['{"id":""}', /"id".*an integer/],
    ['{"id":{"a":1}}', /"id" has an object; expected an integer/],
    [`{"id":"${'x'.repeat(1e5)}"}`, /"id" has "x{39}…; expected an integer/],
    ['{"id":" 1"}', /"id".*an integer/],
    ['{"id":1.5}', /id.*1\.5/],
    ['{"id":1,"x":"0.5"}', /x/],
    ['{"id":1,"x":true}', /x/],
    ['{"id":1,"b":3}', /b/],
    [`{"id":1${'0'.repeat(50)}}`, /"id".*beyond int64/],
    ['{"id":1,"s":{"indices":[[9223372036854775808]],"values":["1"],"denseShape":[9]}}', /"s"/],
  ])('refused with a spec: %s', async (line, message) => {
    const spec = {
      id: fixedLen([], 'int64'),
      x: varLen('float32'),
      b: varLen('bytes'),
      s: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'int64', size: 9 }),
    };
    await expect(recordsOf(line, { spec })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      record: 0,
      message: expect.stringMatching(message) as string,
    });
  });

  test('beside numbers they are refused without a spec', async () => {
    await expect(recordsOf('{"a":"3"}\n{"a":4}')).rejects.toMatchObject({
      ...{ code: 'TFR_FEATURE', feature: 'a', record: 1, found: 'int64 (digits alone)' },
      message: expect.stringContaining('(spec)') as string,
    });
  });
});

test('features that are left out may have any form', async () => {
  const lines = '{"id":1,"x":{"deep":[{}]}}\n{"id":2,"x":[[1]]}\n{"id":3,"x":"text"}\n{"id":4,"x":5}';
  const expected = [1, 2, 3, 4].map((id) => values(encodeExample({ id: int64(id) })));
  expect((await recordsOf(lines, { features: ['id'] })).records).toEqual(expected);
  expect((await recordsOf(lines, { exclude: ['x'] })).records).toEqual(expected);
});

test('with a spec, features without values, and those that are left out, need not be in it', async () => {
  const spec = { id: fixedLen([], 'int64') };
  const line = '{"id":1,"gone":null,"none":[],"x":[[{}]]}';
  const expected = { records: [values(encodeExample({ id: int64(1) }))], notes: [] };
  expect(await recordsOf(line, { spec, exclude: ['x'] })).toEqual(expected);
  await expect(recordsOf(line, { spec })).rejects.toMatchObject({
    ...{ code: 'TFR_FEATURE', feature: 'x' },
    message: expect.stringContaining('feature "x" is not in the spec; (exclude) leaves it out') as string,
  });
});
