/** TFRecord → TFRecord: which records end up in which file, byte by byte, and what a failure leaves. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync, inflateSync } from 'node:zlib';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  float,
  int64,
  type TFRecordError,
} from '../../../lib';
import { convert, type ConvertProgress } from '../../../lib/convert';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { flipBit, frame, referenceCrc32c, tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(1000, 24);
const files = [
  folder.write('in-0.tfrecord', records.slice(0, 300)),
  folder.write('in-1.tfrecord.gz', records.slice(300, 700)),
  folder.write('in-2.zlib', []),
  folder.write('in-3.tfrecord', records.slice(700)),
];

/** The numbers of the records in a file that was written, of any compression. */
function numbersIn(path: string): number[] {
  const bytes = readFileSync(path);
  const content = path.endsWith('.gz') ? gunzipSync(bytes) : path.endsWith('.zz') ? inflateSync(bytes) : bytes;
  return wholeRecords(content).map((record) => record.readUInt32LE(0));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** What `run` rejects with. */
async function thrown(run: () => Promise<unknown>): Promise<unknown> {
  return run().then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => error,
  );
}

/** A new folder, and the names in it. */
describe('one output', () => {
  test.each(['out.tfrecord', 'out', 'out.tfrecord.gz', 'out.zz'])('%s has all records in order', async (name) => {
    const { at, names } = folder.place();
    const report = await convert(files, at(name));
    expect(numbersIn(at(name))).toEqual(upTo(1000));
    expect(names()).toEqual([name]);
    expect(report).toEqual({
      files: [at(name)],
      records: 1000,
      skipped: 0,
      lostBytes: 0,
      bytesIn: files.reduce((sum, file) => sum + statSync(file).size, 0),
      bytesOut: statSync(at(name)).size,
      seconds: expect.any(Number) as number,
      kept: 0,
      upToDate: false,
      notes: [],
    });
  });

  test('compression comes before the name', async () => {
    const { at } = folder.place();
    await convert(folder.at('in-*'), at('a.gz'), { compression: 'none' });
    expect(wholeRecords(readFileSync(at('a.gz')))).toHaveLength(1000);
    await convert(files, at('b'), { compression: 'gzip', level: 1 });
    expect(wholeRecords(gunzipSync(readFileSync(at('b'))))).toHaveLength(1000);
  });

  test('the folder is made; a pattern, bytes and a stream are inputs; a stream is an output', async () => {
    const { at } = folder.place();
    const { records: moved } = await convert(tfrecord(records), at('new/deep/out.gz'));
    expect([moved, numbersIn(at('new/deep/out.gz')).length]).toEqual([1000, 1000]);
    const out = new PassThrough();
    const chunks: Buffer[] = [];
    out.on('data', (chunk: Buffer) => chunks.push(chunk));
    const report = await convert([files[0]!, files[1]!], out);
    expect(wholeRecords(Buffer.concat(chunks))).toHaveLength(700);
    expect(report).toMatchObject({ files: [], records: 700, bytesOut: Buffer.concat(chunks).length });
  });

  test('an output that exists is refused, and replaced with force; behind a link is the file', async () => {
    const { at, names } = folder.place();
    writeFileSync(at('out'), 'mine');
    symlinkSync(at('out'), at('link'));
    const error = await thrown(() => convert(files, at('out')));
    expect(error).toMatchObject({ code: 'EEXIST', file: at('out') });
    expect(readFileSync(at('out'), 'utf8')).toBe('mine');
    await convert(files, at('link'), { force: true });
    expect(numbersIn(at('out'))).toEqual(upTo(1000));
    expect(names()).toEqual(['link', 'out']);
  });

  test('an input is never replaced', async () => {
    const { at } = folder.place();
    writeFileSync(at('a.tfrecord'), tfrecord(records));
    await expect(convert(at('a.tfrecord'), at('a.tfrecord'), { force: true })).rejects.toThrow(/an input/);
    await convert(at('a.tfrecord'), at('s.tfrecord'), { shards: 2 });
    await expect(convert(at('s-*'), at('s.tfrecord'), { shards: 3, force: true })).rejects.toThrow(/an input/);
    // A folder that does not exist, and back.
    const around = `${at('none')}/../a.tfrecord`;
    await expect(convert(at('a.tfrecord'), around, { force: true })).rejects.toThrow(/an input/);
    expect(existsSync(at('none'))).toBe(false);
    expect(numbersIn(at('s-00000-of-00002.tfrecord'))).toEqual(upTo(500));
  });
});

describe('several outputs', () => {
  test('shards have as many records each, in order', async () => {
    const { at, names } = folder.place();
    const { files: outputs, records: sum } = await convert(files, at('out.tfrecord.gz'), { shards: 7 });
    expect(names()).toEqual([
      ...upTo(7).map((i) => `out-0000${i}-of-00007.tfrecord.gz`),
      'out.tfrecord.gz.manifest.json',
    ]);
    expect(outputs).toEqual(upTo(7).map((i) => at(`out-0000${i}-of-00007.tfrecord.gz`)));
    const parts = outputs.map(numbersIn);
    expect(parts.flat()).toEqual(upTo(1000));
    expect(parts.map(({ length }) => length)).toEqual([142, 143, 143, 143, 143, 143, 143]);
    expect(sum).toBe(1000);
  });

  test('more shards than records, and no records', async () => {
    const { at } = folder.place();
    const { files: outputs } = await convert(tfrecord(records.slice(0, 2)), at('few'), { shards: 5 });
    expect(outputs.map((file) => numbersIn(file).length).sort()).toEqual([0, 0, 0, 1, 1]);
    const none = await convert(new Uint8Array(0), at('none'), { shards: 2 });
    expect([none.records, none.files.map(numbersIn)]).toEqual([0, [[], []]]);
  });

  test('maxBytes is the largest size of a plain output', async () => {
    const { at } = folder.place();
    const { files: outputs } = await convert(files, at('out.tfrecord'), { maxBytes: 3000 });
    expect(outputs.flatMap(numbersIn)).toEqual(upTo(1000));
    expect(outputs).toHaveLength(14);
    for (const file of outputs.slice(0, -1)) expect(statSync(file).size).toBe(3000);
    const single = await convert(tfrecord(records.slice(0, 9)), at('single.tfrecord'), { maxBytes: 1 });
    expect(single.files.map((file) => numbersIn(file))).toEqual(upTo(9).map((number) => [number]));
  });

  test('the manifest says what there is', async () => {
    const { at } = folder.place();
    const { bytesIn, bytesOut } = await convert(files, at('out'), { shards: 2 });
    const manifest = JSON.parse(readFileSync(at('out.manifest.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      complete: true,
      options: { from: 'tfrecord', to: 'tfrecord', shards: 2, compression: 'none' },
      inputs: files.map((file) => ({
        file,
        bytes: statSync(file).size,
        modified: new Date(Math.round(statSync(file).mtimeMs)).toISOString(),
      })),
      outputs: ['out-00000-of-00002', 'out-00001-of-00002'].map((file) => ({
        file,
        records: 500,
        skipped: 0,
        bytes: statSync(at(file)).size,
        crc32c: referenceCrc32c(readFileSync(at(file)))
          .toString(16)
          .padStart(8, '0'),
      })),
      records: 1000,
      skipped: 0,
      bytesIn,
      bytesOut,
    });
  });

  test('force removes a set of another size', async () => {
    const { at, names } = folder.place();
    await convert(files, at('out'), { shards: 5 });
    await expect(convert(files, at('out'), { shards: 2 })).rejects.toMatchObject({ code: 'EEXIST' });
    await convert(files, at('out'), { shards: 2, force: true });
    expect(names()).toEqual(['out-00000-of-00002', 'out-00001-of-00002', 'out.manifest.json']);
  });
});

describe('split', () => {
  test('by the record: shares hold, the order stays, and no record changes sides', async () => {
    const { at } = folder.place();
    const split = { train: 0.8, eval: 0.2 };
    const { files: outputs } = await convert(files, at('out.tfrecord'), { split });
    expect(outputs).toEqual([at('out-train.tfrecord'), at('out-eval.tfrecord')]);
    const [train, evaluation] = outputs.map(numbersIn) as [number[], number[]];
    expect([...train, ...evaluation].sort((a, b) => a - b)).toEqual(upTo(1000));
    expect(train).toEqual([...train].sort((a, b) => a - b));
    expect(Math.abs(train.length - 800)).toBeLessThan(40);
    const some = await convert(tfrecord(records.slice(500)), at('some'), { split, shards: 2, compression: 'gzip' });
    expect(some.files.map((file) => basename(file))).toEqual([
      'some-train-00000-of-00002',
      'some-eval-00000-of-00002',
      'some-train-00001-of-00002',
      'some-eval-00001-of-00002',
    ]);
    const sides = some.files.map((file) =>
      wholeRecords(gunzipSync(readFileSync(file))).map((record) => record.readUInt32LE(0)),
    );
    expect([...sides[0]!, ...sides[2]!]).toEqual(train.filter((number) => number >= 500));
    expect([...sides[1]!, ...sides[3]!]).toEqual(evaluation.filter((number) => number >= 500));
  });

  test('by a feature: equal values are on one side, however they are stored', async () => {
    const { at } = folder.place();
    const rows = upTo(400).map((i) => encodeExample({ id: int64([i % 40]), i: int64([i]) }));
    // The id is not packed.
    const unpacked = upTo(40).map((i) => Buffer.from([...Buffer.from('0a0c0a0a0a02696412041a0208', 'hex'), i]));
    const { files: outputs } = await convert(tfrecord([...rows, ...unpacked]), at('out'), {
      split: { a: 0.5, b: 0.5 },
      splitBy: 'id',
    });
    const ids = outputs.map(
      (file) =>
        new Set(
          wholeRecords(readFileSync(file)).map((record) =>
            Number((decodeExample(record)['id']!.values as BigInt64Array)[0]),
          ),
        ),
    );
    expect(ids[0]!.size + ids[1]!.size).toBe(40);
    expect(ids[0]!.size).toBeGreaterThan(8);
  });

  test('a record without the feature is an error', async () => {
    const { at, names } = folder.place();
    const error = await thrown(() =>
      convert(tfrecord([encodeExample({ other: int64([1]) })]), at('out'), { split: { a: 1 }, splitBy: 'id' }),
    );
    expect(error).toMatchObject({ code: 'TFR_FEATURE', feature: 'id', record: 0 });
    expect(names()).toEqual([]);
  });
});

describe('features', () => {
  const example = { age: int64([29, -1]), name: bytes(['Ann']), score: float([0.5]) };

  test('are kept byte by byte', async () => {
    const { at } = folder.place();
    const rows = [
      encodeExample(example),
      encodeExample({ age: int64([1]) }),
      Buffer.alloc(0),
      encodeExample({ x: int64([2]) }),
    ];
    await convert(tfrecord(rows), at('out'), { features: ['age', 'score'] });
    const kept = wholeRecords(readFileSync(at('out')));
    expect(kept.map((record) => Object.keys(decodeExample(record)))).toEqual([['age', 'score'], ['age'], [], []]);
    expect(kept[1]).toEqual(Buffer.from(rows[1]!));
    expect(decodeExample(kept[0]!)).toEqual(decodeExample(encodeExample({ age: example.age, score: example.score })));
  });

  test('of the context and of the lists', async () => {
    const { at } = folder.place();
    const record = encodeSequenceExample({
      context: { id: int64([1]), x: int64([2]) },
      featureLists: { words: [bytes(['a'])], y: [int64([1])] },
    });
    await convert(tfrecord([record]), at('out'), { features: ['id', 'words'] });
    const [kept] = wholeRecords(readFileSync(at('out')));
    const { context, featureLists } = decodeSequenceExample(kept!);
    expect([Object.keys(context), Object.keys(featureLists)]).toEqual([['id'], ['words']]);
  });

  test('a record that is no Example, and a name that no record has', async () => {
    const { at, names } = folder.place();
    const error = await thrown(() =>
      convert(tfrecord([encodeExample(example), 'no Example']), at('out'), { features: ['age'] }),
    );
    expect(error).toMatchObject({ code: 'TFR_EXAMPLE', record: 1, file: '<bytes>' });
    const typo = await thrown(() => convert(tfrecord([encodeExample(example)]), at('out'), { features: ['agee'] }));
    expect(typo).toMatchObject({ code: 'TFR_FEATURE', feature: 'agee' });
    expect(names()).toEqual([]);
    const report = await convert(tfrecord([encodeExample(example), 'no Example']), at('out'), {
      features: ['age'],
      onError: { action: 'skip', maxRate: 1 },
    });
    expect(report).toMatchObject({ records: 1, skipped: 1 });
  });
});

describe('shuffle', () => {
  test('the seed decides; every record comes once; nothing temporary stays', async () => {
    const { at, names } = folder.place();
    const first = await convert(files, at('a.tfrecord'), { seed: 7, shards: 3 });
    const again = await convert(files, at('b.tfrecord'), { seed: 7 });
    const other = await convert(files, at('c.tfrecord'), { seed: 8 });
    const order = first.files.flatMap(numbersIn);
    expect(order).not.toEqual(upTo(1000));
    expect([...order].sort((x, y) => x - y)).toEqual(upTo(1000));
    expect(again.files.flatMap(numbersIn)).toEqual(order);
    expect(other.files.flatMap(numbersIn)).not.toEqual(order);
    expect(names().filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const drawn = await convert(files, at('d.tfrecord'), { shuffle: true });
    expect(drawn.files.flatMap(numbersIn)).not.toEqual(order);
  });
});

describe('failures leave nothing', () => {
  const damaged = flipBit(tfrecord(records), 600 * 40 + 15);

  test.each([{}, { shards: 1 }, { seed: 1 }, { split: { a: 0.5, b: 0.5 } }, { compression: 'gzip' as const }])(
    'damage, with %j',
    async (options) => {
      const { at, names } = folder.place();
      const error = await thrown(() => convert(damaged, at('sub/out'), options));
      expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 600 });
      expect(names()).toEqual([]);
    },
  );

  test('shards before the damage are whole, and the manifest says that others lack', async () => {
    const { at, names } = folder.place();
    const file = folder.put('damaged.tfrecord', damaged);
    await expect(convert(file, at('out'), { shards: 4 })).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA' });
    expect(names()).toEqual(['out-00000-of-00004', 'out-00001-of-00004', 'out.manifest.json']);
    expect(JSON.parse(readFileSync(at('out.manifest.json'), 'utf8'))).toMatchObject({ complete: false, records: 500 });
  });

  test('skipping keeps the others, in their shards', async () => {
    const { at } = folder.place();
    const file = folder.put('damaged.tfrecord', damaged);
    const seen: TFRecordError[] = [];
    const report = await convert(file, at('out'), {
      shards: 4,
      onError: (error) => {
        seen.push(error);
        return 'skip';
      },
    });
    expect(report).toMatchObject({ records: 999, skipped: 1 });
    expect(seen.map(({ record }) => record)).toEqual([600]);
    expect(report.files.map((name) => numbersIn(name).length)).toEqual([250, 250, 249, 250]);
    const { outputs } = JSON.parse(readFileSync(at('out.manifest.json'), 'utf8')) as { outputs: { skipped: number }[] };
    expect(outputs.map(({ skipped }) => skipped)).toEqual([0, 0, 1, 0]);
    const stopped = await convert(file, at('stopped'), { onError: 'stop' });
    expect(stopped).toMatchObject({ records: 600, skipped: 0 });
  });

  test('what another thread of this process writes stays, what an earlier process of its number left does not', async () => {
    const { at, names } = folder.place();
    const [new1, old] = ['111111111111', '222222222222'].map((hex) => `.out.${process.pid}-${hex}.tmp`);
    for (const name of [new1!, old!]) writeFileSync(at(name), '');
    utimesSync(at(old!), 1, 1);
    await convert(files, at('out'));
    expect(names()).toEqual([new1, 'out']);
  });

  test('a promise of onProgress that is rejected ends the job', async () => {
    const { at, names } = folder.place();
    const reason = new Error('no connection');
    const onProgress = (): Promise<never> => Promise.reject(reason);
    await expect(convert(files, at('out'), { onProgress, seed: 1, shards: 3 })).rejects.toBe(reason);
    expect(names()).toEqual([]);
  });

  test.each([{}, { shards: 5 }, { seed: 3 }])('an abort, with %j', async (options) => {
    const { at, names } = folder.place();
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    await expect(convert(files, at('out'), { ...options, onProgress, signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(names()).toEqual([]);
    await expect(convert(files, at('out'), { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
  });

  test('a missing input, a folder as output, a folder that cannot be made', async () => {
    const { at, names } = folder.place();
    await expect(convert(at('none-*'), at('out'))).rejects.toMatchObject({ code: 'ENOENT' });
    for (const name of ['', '-', `${at('x')}/`, at('x-*')]) {
      await expect(convert(files, name)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
    mkdirSync(at('dir'));
    await expect(convert(files, at('dir'))).rejects.toMatchObject({ code: 'EISDIR' });
    writeFileSync(at('file'), '');
    await expect(convert(files, at('file/out'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(names()).toEqual(['dir', 'file']);
  });

  test('temporary files of killed jobs are removed', async () => {
    const { at, names } = folder.place();
    for (const name of ['.out-00000-of-00002.4194303-0123456789ab.tmp', '.other.4194303-0123456789ab.tmp']) {
      writeFileSync(at(name), 'left');
    }
    mkdirSync(at('out.4194303-0123456789abcdef.tmp'));
    await convert(files, at('out'), { shards: 2 });
    expect(names()).toEqual([
      '.other.4194303-0123456789ab.tmp',
      'out-00000-of-00002',
      'out-00001-of-00002',
      'out.manifest.json',
    ]);
  });
});

test('progress: bytes rise to the size of the inputs', async () => {
  const { at } = folder.place();
  const seen: ConvertProgress[] = [];
  await convert(files, at('out'), { shards: 2, onProgress: (progress) => seen.push(progress) });
  expect(new Set(seen.map(({ phase }) => phase))).toEqual(new Set(['count', 'write']));
  const last = seen.at(-1)!;
  expect([last.records, last.totalBytes]).toEqual([1000, files.reduce((sum, file) => sum + statSync(file).size, 0)]);
  expect(last.bytes).toBe(last.totalBytes);
});

describe('wrong arguments', () => {
  test.each<[string, Record<string, unknown>]>([
    ['Unknown option "shard_count"', { shard_count: 1 }],
    ['"options.shards" must be an integer from 1', { shards: 0 }],
    ['"options.maxBytes" must be absent', { shards: 2, maxBytes: 10 }],
    ['"options.split" must be shares that add up to 1', { split: { a: 0.5 } }],
    ['letters, digits', { split: { 'a/b': 1 } }],
    ['"options.splitBy" must be absent', { splitBy: 'id' }],
    ['"options.seed" must be absent', { seed: 1, shuffle: false }],
    ['"options.where" must be a string', { where: 1 }],
    ['"options.to" must be one of', { to: 'avro' }],
    ['"options.spec" must be absent', { spec: { a: fixedLen([], 'int64') } }],
    ['"options.spec" must be a spec, or its JSON', { to: 'jsonl', spec: { a: { type: 'fixedLen', default: 5n } } }],
    ['"options.level" must be absent', { level: 1 }],
    ['"options.features" must be an array of at least one name', { features: [] }],
    ['"options.onProgress" must be a function', { onProgress: 1 }],
    ['"options.features[1]" must be a name', { features: ['a', , 'b'] }],
    ['"options.onError" must be', { onError: 'never' }],
    ["'i/N'", { shard: 'one' }],
    ['from 0 to 4', { shard: '5/5' }],
    ['"options.force" must be absent', { force: true, resume: true }],
  ])('%s', async (message, options) => {
    const { at, names } = folder.place();
    const error = await thrown(() => convert(files, at('out'), options));
    expect(error).toMatchObject({
      message: expect.stringContaining(message) as string,
      code: expect.stringMatching(/^ERR_/) as string,
    });
    expect(names()).toEqual([]);
  });

  test('formats that are not available are named', async () => {
    await expect(convert(files, folder.at('out.json'))).rejects.toThrow(/JSON/);
    await expect(convert([files[0]!, folder.put('a.arrow', '')], folder.at('out'))).rejects.toThrow(/tfrecord, arrow/);
    await expect(convert([files[0]!, folder.put('a.csv', '')], folder.at('out'))).rejects.toThrow(/tfrecord, csv/);
  });

  test('a stream takes one output', async () => {
    for (const options of [{ shards: 2 }, { split: { a: 1 } }, { resume: true }, { shard: '0/1' }, { seed: 1 }]) {
      await expect(convert(files, new PassThrough(), options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
  });
});

test('a torn tail is an error, and the records before it stay with onError: stop', async () => {
  const { at } = folder.place();
  const torn = folder.write('torn.tfrecord', records.slice(0, 3));
  appendFileSync(torn, frame('torn').subarray(0, 9));
  await expect(convert(torn, at('out'))).rejects.toMatchObject({ code: 'TFR_TRUNCATED' });
  expect(await convert(torn, at('out'), { onError: 'stop', shards: 2 })).toMatchObject({ records: 3 });
});
