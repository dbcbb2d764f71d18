/** Arrow in jobs: both forms, both ways, and what is refused by name. */
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';

import * as arrow from 'apache-arrow';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  float,
  int64,
  varLen,
  type FeatureLike,
} from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { fromArrow } from '../../../lib/adapters/arrow';
import { recordValues } from '../../support/records/record-values';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const nan = new Float32Array(Uint32Array.of(0xffc0_1234).buffer);
const odd: Record<string, FeatureLike>[] = [
  { '': int64([1]), a: float([-0, Infinity]), A: bytes([Uint8Array.of(0xff), '']), t: 'ä', i: int64([-(2n ** 63n)]) },
  { a: float(nan), A: bytes([]), i: int64([2n ** 63n - 1n]) },
  { a: float([]), i: int64([0]) },
];
const ODD = odd.map((row) => encodeExample(row));
const LISTS = [
  encodeSequenceExample({ context: { id: int64([1]) }, featureLists: { id: [int64([1, 2]), int64([])], w: [] } }),
  encodeSequenceExample({ context: {}, featureLists: { w: [['a'], ['b', 'c']] } }),
  encodeSequenceExample({ context: {}, featureLists: {} }),
];
const values = (records: readonly Uint8Array[]): unknown[] =>
  records.map((record) => recordValues(record, { columns: true, nans: true }));
const read = (path: string): Buffer[] => wholeRecords(readFileSync(path));

describe.each(['x.arrow', 'x.feather', 'x.arrows', 'x.arrows.gz'])('%s', (name) => {
  test.each([
    ['Examples', ODD],
    ['SequenceExamples', LISTS],
    ['records without features', [encodeExample({}), encodeExample({})]],
  ])('%s come back', async (_kind, records) => {
    const { at } = folder.place();
    expect(await convert(tfrecord(records), at(name))).toMatchObject({ records: records.length });
    expect(await convert(at(name), at('back'))).toMatchObject({ records: records.length, skipped: 0 });
    expect(values(read(at('back')))).toEqual(values(records));
  });

  test('has a schema without records', async () => {
    const { at } = folder.place();
    await convert(tfrecord([]), at(name), { spec: { id: fixedLen([], 'int64') } });
    const table = arrow.tableFromIPC(
      name.endsWith('.gz') ? gunzipSync(readFileSync(at(name))) : readFileSync(at(name)),
    );
    expect([table.numRows, table.schema.names]).toEqual([0, ['id']]);
    expect(await convert(at(name), at('back'))).toMatchObject({ records: 0 });
  });
});

test('the metadata has the columns, and the spec if there is one; other programs need no option', async () => {
  const { at } = folder.place();
  const spec = { i: fixedLen([], 'int64'), a: varLen('float32') };
  await convert(tfrecord(ODD), at('x.arrow'), { spec });
  const table = arrow.tableFromIPC(readFileSync(at('x.arrow')));
  expect(String(table.schema)).toBe('Schema<{ 0: i: Int64, 1: a: List<Float32> }>');
  expect([...table.schema.metadata.keys()]).toEqual(['tfrecord.spec', 'tfrecord.columns']);
  expect(JSON.parse(table.schema.metadata.get('tfrecord.columns')!)).toMatchObject({ sequenceExample: false });
  expect([...fromArrow(table)]).toHaveLength(3);
  await convert(tfrecord(ODD), at('y.arrow'), { features: ['i'] });
  expect(arrow.tableFromIPC(readFileSync(at('y.arrow'))).schema.names).toEqual(['i']);
});

test.each(['x.arrow', 'x.arrows'])('a name that begins with U+FEFF stays as it is in %s', async (name) => {
  const { at } = folder.place();
  const record = encodeExample({ '\ufeffid': int64([1]) });
  await convert(tfrecord([record]), at(name));
  await convert(at(name), at('back'));
  expect(readFileSync(at('back'))).toEqual(tfrecord([record]));
});

test('columns stay what they were on the way to another format of columns', async () => {
  const { at } = folder.place();
  await convert(tfrecord(LISTS), at('x.arrows'));
  await convert(at('x.arrows'), at('y.arrow'));
  await convert(at('y.arrow'), at('z.arrows'));
  expect(readFileSync(at('z.arrows'))).toEqual(readFileSync(at('x.arrows')));
});

const many = Array.from({ length: 3000 }, (_, i) =>
  encodeExample({ id: int64([i]), raw: bytes([Buffer.alloc(1000)]) }),
);

test('small batches are joined, large ones are not held back', async () => {
  const { at } = folder.place();
  const files = Array.from({ length: 40 }, (_, i) => {
    writeFileSync(at(`in-${String(i).padStart(2, '0')}`), tfrecord([encodeExample({ id: int64([i]) })]));
    return at(`in-${String(i).padStart(2, '0')}`);
  });
  await convert(files, at('x.arrow'));
  expect(arrow.tableFromIPC(readFileSync(at('x.arrow'))).batches.map(({ numRows }) => numRows)).toEqual([40]);
  await convert(tfrecord(many), at('y.arrow'));
  const { batches } = arrow.tableFromIPC(readFileSync(at('y.arrow')));
  expect(batches.length).toBeGreaterThan(2);
});

test('streams come in and go out as they are', async () => {
  const { at } = folder.place();
  await convert(tfrecord(many), createWriteStream(at('x.arrows')), { to: 'arrows' });
  await convert(tfrecord(many), createWriteStream(at('x.arrow')), { to: 'arrow' });
  await convert(createReadStream(at('x.arrows'), { highWaterMark: 1001 }), at('back'), { from: 'arrows' });
  expect(readFileSync(at('back')).equals(tfrecord(many))).toBe(true);
  await convert(at('x.arrow'), at('back2'));
  expect(readFileSync(at('back2')).equals(tfrecord(many))).toBe(true);
  // Twice: to count them, and for the columns.
  await convert(createReadStream(at('x.arrows')), at('two.arrow'), { from: 'arrows', shards: 2 });
  expect(arrow.tableFromIPC(readFileSync(at('two-00001-of-00002.arrow'))).numRows).toBe(1500);
  await convert(readFileSync(at('x.arrows')), at('bytes'), { from: 'arrows' });
  expect(readFileSync(at('bytes')).equals(tfrecord(many))).toBe(true);
});

test('the content decides which form a file has', async () => {
  const { at } = folder.place();
  await convert(tfrecord(ODD), at('x.arrows'));
  await convert(at('x.arrows'), at('back'), { from: 'arrow' });
  expect(read(at('back'))).toHaveLength(3);
});

test('shards of files are counted without reading them', async () => {
  const { at, names } = folder.place();
  await convert(tfrecord(many), at('x.arrow'), { shards: 3 });
  expect(names().filter((name) => name.endsWith('.arrow'))).toHaveLength(3);
  await convert(at('x-*.arrow'), at('y'), { shards: 4 });
  expect(readFileSync(at('y-00003-of-00004')).equals(tfrecord(many.slice(-750)))).toBe(true);
});

describe('damage', () => {
  test.each(['x.arrow', 'x.arrows'])('of %s: the rows before it come, if that is accepted', async (name) => {
    const { at, names } = folder.place();
    await convert(tfrecord(many), at(name));
    const whole = readFileSync(at(name));
    const { batches } = arrow.tableFromIPC(whole);
    const damaged = whole.indexOf(Buffer.from([0xff, 0xff, 0xff, 0xff]), Math.floor(whole.length * 0.6));
    whole.fill(0x5a, damaged + 8, damaged + 60);
    writeFileSync(at(name), whole);
    await expect(convert(at(name), at('back'))).rejects.toMatchObject({ code: 'TFR_DECODE', file: at(name) });
    expect(names()).toEqual([name]);
    const report = await convert(at(name), at('back'), { onError: { action: 'skip', maxRate: 1 } });
    expect(report.skipped).toBe(1);
    const kept = batches.map((_, i) => batches.slice(0, i).reduce((sum, { numRows }) => sum + numRows, 0));
    expect(kept.slice(1)).toContain(report.records);
    expect(readFileSync(at('back')).equals(tfrecord(many.slice(0, report.records)))).toBe(true);
  });

  test('of gzip', async () => {
    const { at } = folder.place();
    await convert(tfrecord(ODD), at('x.arrows.gz'));
    const whole = readFileSync(at('x.arrows.gz'));
    const check = async (content: Buffer, code: string): Promise<void> => {
      writeFileSync(at('bad.arrows.gz'), content);
      await expect(convert(at('bad.arrows.gz'), at('out'))).rejects.toMatchObject({ code, file: at('bad.arrows.gz') });
    };
    await check(whole.subarray(0, -9), 'TFR_TRUNCATED');
    await check(Buffer.concat([whole, Buffer.from('garbage')]), 'TFR_TRAILING_DATA');
    const changed = Buffer.from(whole);
    changed[changed.length - 6]! ^= 1;
    await check(changed, 'TFR_COMPRESSION');
    await check(gzipSync(Buffer.concat([gunzipSync(whole), Buffer.from('x')])), 'TFR_DECODE');
    await check(gzipSync(gunzipSync(whole).subarray(0, -8)), 'TFR_TRUNCATED');
  });

  test('a begin that is none, in one line', async () => {
    const { at } = folder.place();
    writeFileSync(at('x.arrows'), Buffer.of(0, 0, 0, 10, 1, 2, 3, 4));
    const message = expect.stringMatching(/^.*found .* at its start\.$/) as string;
    await expect(convert(at('x.arrows'), at('out'))).rejects.toMatchObject({ code: 'TFR_DECODE', message });
  });

  test('a missing file', async () => {
    const { at } = folder.place();
    await expect(convert(at('x.arrow'), at('out'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('files of others', () => {
  const written = (columns: Record<string, arrow.Vector>): string => {
    const path = folder.place().at('x.arrow');
    writeFileSync(path, arrow.tableToIPC(new arrow.Table(columns), 'file'));
    return path;
  };
  const list = (type: arrow.DataType): arrow.List => new arrow.List(new arrow.Field('item', type, true));

  test('dictionaries, and lists of lists', async () => {
    const path = written({
      d: arrow.vectorFromArray(['x', null, 'y'], new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
      l: arrow.vectorFromArray([[[1n], []], null, []], list(list(new arrow.Int64()))),
    });
    const back = folder.place().at('back');
    await convert(path, back);
    expect(values(read(back))).toEqual(
      values([
        encodeSequenceExample({ context: { d: 'x' }, featureLists: { l: [int64([1]), int64([])] } }),
        encodeSequenceExample({ context: {}, featureLists: {} }),
        encodeSequenceExample({ context: { d: 'y' }, featureLists: { l: [] } }),
      ]),
    );
  });

  test('numbers that float32 does not hold are rounded if that is asked for', async () => {
    const path = written({ x: arrow.vectorFromArray([0.1], new arrow.Float64()) });
    await expect(convert(path, folder.place().at('back'))).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      file: path,
      record: 0,
    });
    const back = folder.place().at('back');
    await convert(path, back, { round: true });
    expect(values(read(back))).toEqual(values([encodeExample({ x: float(0.1) })]));
  });

  describe('columns that are wanted', () => {
    const field = (name: string, type: arrow.DataType): arrow.Field => new arrow.Field(name, type, true);
    const image = new arrow.Struct([field('bytes', new arrow.Binary()), field('path', new arrow.Utf8())]);
    const numbers = (type: arrow.Timestamp, data: BigInt64Array): arrow.Vector =>
      new arrow.Vector([arrow.makeData({ type, length: data.length, nullCount: 0, data })]);
    const columns = (): Record<string, arrow.Vector> => ({
      id: arrow.vectorFromArray([7], new arrow.Int8()),
      price: arrow.vectorFromArray([Uint32Array.of(1, 0, 0, 0)], new arrow.Decimal(2, 10)),
      image: arrow.vectorFromArray([{ bytes: Uint8Array.of(1), path: 'a' }], image),
      at: numbers(new arrow.TimestampMicrosecond(), BigInt64Array.of(1_704_164_645_500_123n)),
      day: arrow.vectorFromArray([new Date(0)], new arrow.DateDay()),
      ms: arrow.vectorFromArray([new Date(86_400_000)], new arrow.DateMillisecond()),
      time: arrow.vectorFromArray([3723], new arrow.TimeSecond()),
      ns: numbers(new arrow.TimestampNanosecond('Europe/Berlin'), BigInt64Array.of(-1n)),
    });
    const rows = async (options: ConvertOptions): Promise<{ record: unknown; notes: readonly string[] }> => {
      const back = folder.place().at('back');
      const { notes } = await convert(written(columns()), back, options);
      return { record: values(read(back))[0], notes };
    };
    const shown = (row: Record<string, FeatureLike>): unknown => values([encodeExample(row)])[0];

    test('others do not matter', async () => {
      const id = shown({ id: int64([7]) });
      expect((await rows({ features: ['id'] })).record).toEqual(id);
      expect((await rows({ spec: { id: varLen('int64') } })).record).toEqual(id);
      expect((await rows({ exclude: ['price', 'image', 'at', 'day', 'ms', 'time', 'ns'] })).record).toEqual(id);
      expect((await rows({ features: ['id'], where: 'id = 7' })).record).toEqual(id);
      expect((await rows({ features: ['image/path'] })).record).toEqual(shown({ 'image/path': 'a' }));
    });

    test('the message about one names the ways', async () => {
      await expect(rows({ features: ['price'] })).rejects.toThrow(/Column "price".*\(features\).*\(exclude\)/);
      await expect(rows({ features: ['at'] })).rejects.toThrow(/Column "at".*of convert: also dates/);
      await expect(rows({ features: ['nam'] })).rejects.toThrow(
        'No record has the feature "nam", which options.features names.',
      );
      await expect(rows({ spec: { id: varLen('float32') } })).rejects.toThrow(
        /Column "id": expected float32, found Int8. The spec requires it: cast the column first.$/,
      );
    });

    test('dates as text and as int64', async () => {
      const exclude = ['price', 'image'];
      expect(await rows({ exclude, dates: 'text' })).toEqual({
        record: shown({
          ...{
            id: int64([7]),
            at: '2024-01-02T03:04:05.500123',
            day: '1970-01-01',
            ms: '1970-01-02',
            time: '01:02:03',
          },
          ns: '1969-12-31T23:59:59.999999999+00:00',
        }),
        notes: [],
      });
      const { record, notes } = await rows({ exclude: [...exclude, 'ns'], dates: 'int64' });
      expect(record).toEqual(
        shown({
          ...{ id: int64([7]), at: int64([1_704_164_645_500_123n]), day: int64([0]), ms: int64([86_400_000_000]) },
          time: int64([3_723_000_000]),
        }),
      );
      expect(notes).toHaveLength(4);
      expect(notes).toContain(
        'Feature "time" is int64: microseconds since midnight. dates: "text" makes ISO 8601 of it',
      );
      await expect(rows({ features: ['ns'], dates: 'int64' })).rejects.toThrow(
        /row 0: expected whole microseconds, found -1 nano/,
      );
    });
  });

  test.each<[string, arrow.Vector, RegExp]>([
    ['dates', arrow.vectorFromArray([new Date()], new arrow.DateDay()), /Column "x".*Date32/],
    ['decimals', arrow.vectorFromArray([], new arrow.Decimal(2, 10)), /Column "x".*Decimal/],
    ['deep lists', arrow.vectorFromArray([], list(list(list(new arrow.Int8())))), /Column "x": expected lists of flat/],
  ])('%s are refused by name', async (_name, x, message) => {
    const path = written({ x });
    await expect(convert(path, folder.place().at('back'))).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      file: path,
      message: expect.stringMatching(message) as string,
    });
  });
});

test('an aborted job leaves nothing, even if no byte comes', async () => {
  const { at, names } = folder.place();
  const { readable } = new TransformStream<Uint8Array>();
  const signal = AbortSignal.timeout(50);
  await expect(convert(readable, at('out'), { from: 'arrows', signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  await expect(convert(tfrecord(many), at('x.arrow'), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow(
    'no',
  );
  expect(names()).toEqual([]);
});

test('a stream is released if the job fails before it is read', async () => {
  const { at } = folder.place();
  await convert(tfrecord(ODD), at('x.arrows'));
  const spec = { i: fixedLen([], 'int64') };
  const refused = createReadStream(at('x.arrows'));
  await expect(convert(refused, at('out'), { from: 'arrows', spec, where: 'no = 1' })).rejects.toThrow('where');
  expect(refused.destroyed).toBe(true);
  const blocked = createReadStream(at('x.arrows'));
  await expect(convert(blocked, at('x'.repeat(250)), { from: 'arrows', shuffle: true })).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  });
  expect(blocked.destroyed).toBe(true);
});

test('a stream is released if the job is aborted before its first byte', async () => {
  const { at } = folder.place();
  const silent = new PassThrough();
  const aborting = new AbortController();
  const job = convert(silent, at('out'), { from: 'arrows', signal: aborting.signal });
  setTimeout(() => {
    aborting.abort(new Error('enough'));
  }, 20);
  await expect(job).rejects.toThrow('enough');
  expect(silent.destroyed).toBe(true);
});
