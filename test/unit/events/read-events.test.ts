/** `readEvents`: kinds of values, runs, tags, damage, sources, aborts and wrong arguments. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { TFRecordError } from '../../../lib';
import { encodeExample, readEvents, type EventOptions, type EventValue, type RecordSource } from '../../../lib';
import { held } from '../../../lib/events/run-reading';
import {
  doubles,
  event,
  fileVersion,
  HELD,
  restoreHeld,
  scalar,
  scalarTensor,
  sessionStart,
  strings,
  summary,
} from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
restoreHeld();

async function all(source: RecordSource, options?: EventOptions): Promise<EventValue[]> {
  const values: EventValue[] = [];
  for await (const value of readEvents(source, options)) values.push(value);
  return values;
}

/** The values before an error, and the error. */
async function failing(
  source: RecordSource,
  options?: EventOptions,
): Promise<{ values: EventValue[]; error: unknown }> {
  const values: EventValue[] = [];
  try {
    for await (const value of readEvents(source, options)) values.push(value);
  } catch (error) {
    return { values, error };
  }
  throw new Error('no error');
}

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

test('scalars of all writers', async () => {
  const file = folder.write('scalars', [
    fileVersion(),
    scalar('loss', 1, 0.1),
    scalarTensor('acc', -2, NaN),
    // Later values need no metadata.
    summary(2n ** 62n, { tag: 'acc', tensor: { dtype: 1, tensorContent: new Uint8Array(Float32Array.of(-0).buffer) } }),
    doubles('scalars', 'double', 4, [], [0.1]),
    summary(
      5,
      { tag: 'acc', tensor: { dtype: 9, int64Val: [2n ** 53n] } },
      { tag: 'acc', tensor: { dtype: 19, halfVal: [0x3c01] } },
    ),
  ]);
  expect(await all(file)).toMatchObject([
    {
      kind: 'scalar',
      run: folder.path,
      tag: 'loss',
      step: 1n,
      wallTime: 1_700_000_001.25,
      value: Math.fround(0.1),
      metadata: undefined,
    },
    { kind: 'scalar', tag: 'acc', step: -2n, value: NaN, metadata: { pluginData: { pluginName: 'scalars' } } },
    { kind: 'scalar', tag: 'acc', step: 2n ** 62n, value: -0 },
    { kind: 'scalar', tag: 'double', step: 4n, value: 0.1 },
    { kind: 'scalar', tag: 'acc', value: 2 ** 53 },
    { kind: 'scalar', tag: 'acc', value: 1 + 2 ** -10 },
  ]);
});

test('an integer that no number holds exactly stays a tensor', async () => {
  const file = folder.write('large', [
    scalarTensor('n', 0, 1),
    summary(1, { tag: 'n', tensor: { dtype: 9, int64Val: [2n ** 53n + 1n] } }),
  ]);
  const [, large] = await all(file);
  expect(large).toMatchObject({
    kind: 'tensor',
    tag: 'n',
    tensor: { dtype: 'int64', data: BigInt64Array.of(2n ** 53n + 1n) },
  });
  expect(await all(file, { kinds: ['scalar'] })).toHaveLength(1);
});

test('histograms, texts, images, sounds and other tensors, in both forms', async () => {
  const file = folder.write('kinds', [
    fileVersion(),
    summary(1, {
      tag: 'h1',
      histo: { min: -1, max: 4, num: 5, sum: 6, sumSquares: 7, bucketLimit: [-5, 0, 3, 1e300], bucket: [0, 2, 3, 0] },
    }),
    doubles('histograms', 'h2', 2, [2, 3], [0, 1, 5, 1, 2, 6]),
    strings('text', 't', 3, [2], ['Grüße', '**b**']),
    summary(4, { tag: 'i1', image: { height: 2, width: 3, colorspace: 3, encodedImageString: PNG } }),
    strings('images', 'i2', 5, [4], ['3', '2', PNG, 'second']),
    summary(6, { tag: 's1', audio: { sampleRate: 8000, encodedAudioString: PNG, contentType: 'audio/wav' } }),
    strings('audio', 's2', 7, [2, 2], [PNG, 'first', PNG, 'second']),
    strings('audio', 's3', 7, [1], [PNG]),
    doubles('pr_curves', 'p', 8, [2], [1, 2]),
    // Their shape or type is not the plugin's.
    strings('images', 'odd', 9, [1], ['3']),
    doubles('histograms', 'odd histogram', 9, [2], [1, 2]),
    strings('text', 'odd text', 9, [1], [Uint8Array.of(0xff)]),
  ]);
  const values = await all(file);
  expect(values).toMatchObject([
    {
      kind: 'histogram',
      tag: 'h1',
      left: Float64Array.of(-1, 0),
      right: Float64Array.of(0, 4),
      count: Float64Array.of(2, 3),
      message: { num: 5 },
    },
    {
      kind: 'histogram',
      tag: 'h2',
      left: Float64Array.of(0, 1),
      right: Float64Array.of(1, 2),
      count: Float64Array.of(5, 6),
      message: undefined,
    },
    { kind: 'text', tag: 't', texts: ['Grüße', '**b**'], shape: [2] },
    { kind: 'image', tag: 'i1', width: 3, height: 2 },
    { kind: 'image', tag: 'i2', width: 3, height: 2 },
    { kind: 'audio', tag: 's1', labels: [], contentType: 'audio/wav', sampleRate: 8000 },
    { kind: 'audio', tag: 's2', labels: ['first', 'second'], contentType: 'audio/wav', sampleRate: undefined },
    { kind: 'audio', tag: 's3', labels: [] },
    { kind: 'tensor', tag: 'p', tensor: { dtype: 'float64', shape: [2] } },
    { kind: 'tensor', tag: 'odd', tensor: { dtype: 'bytes', shape: [1] } },
    { kind: 'tensor', tag: 'odd histogram' },
    { kind: 'tensor', tag: 'odd text' },
  ]);
  const bytesOf = values.map((value) =>
    value.kind === 'image' ? value.images : value.kind === 'audio' ? value.clips : [],
  );
  expect(bytesOf.map((parts) => parts.map((part) => [...part]))).toEqual([
    ...[[], [], []],
    [[...PNG]],
    [[...PNG], [...Buffer.from('second')]],
    [[...PNG]],
    [[...PNG], [...PNG]],
    [[...PNG]],
    ...[[], [], [], []],
  ]);
  expect((await all(file, { kinds: ['image', 'text'] })).map(({ tag }) => tag)).toEqual(['t', 'i1', 'i2']);
  held.bytes = -1;
  expect(await all(file)).toEqual(values);
});

test.each(['images', 'text', 'audio'])('more than 65,536 strings of %s are a tensor', async (plugin) => {
  const most = 65_536;
  for (const [count, kind] of [
    [most, plugin.replace(/s$/, '')],
    [most + 1, 'tensor'],
  ] as const) {
    const parts = Array.from({ length: count }, () => '1');
    expect(await all(folder.write('strings', [strings(plugin, 't', 1, [count], parts)]))).toMatchObject([{ kind }]);
  }
});

test('a tensor without a tag has the name of its node', async () => {
  const file = folder.write('node', [summary(1, { nodeName: 'n', tensor: { dtype: 2, doubleVal: [1] } })]);
  expect(await all(file)).toMatchObject([{ kind: 'tensor', tag: 'n' }]);
});

test('the first metadata of a tag in a run counts', async () => {
  const file = folder.write('metadata', [scalarTensor('a', 1, 1), doubles('pr_curves', 'a', 2, [], [2])]);
  expect(await all(file)).toMatchObject([
    { kind: 'scalar' },
    { kind: 'scalar', metadata: { pluginData: { pluginName: 'scalars' } } },
  ]);
});

test('a tensor before the metadata of its tag has no plugin, in a run that is read twice, too', async () => {
  const file = folder.write('late metadata', [
    summary(1, { tag: 'a', tensor: { dtype: 2, doubleVal: [1] } }),
    scalarTensor('a', 2, 2),
  ]);
  for (const bytes of [HELD, -1]) {
    held.bytes = bytes;
    expect((await all(file)).map(({ kind }) => kind)).toEqual(['tensor', 'scalar']);
  }
});

describe('runs', () => {
  const logs = folder.at('logs');
  beforeAll(() => {
    for (const [path, records] of [
      ['events.out.tfevents.1', [fileVersion(), scalar('root', 0, 0)]],
      ['b/events.out.tfevents.2', [scalar('x', 3, 3), scalar('x', 4, 4)]],
      ['b/events.out.tfevents.1', [fileVersion(), sessionStart(0), scalar('x', 1, 1), scalar('x', 2, 2)]],
      ['b/events.out.tfevents.3', [sessionStart(2), scalar('x', 2, 20)]],
      ['b/inner/my.tfevents', [scalar('y', 1, 1)]],
      ['b/events.out.tfevents.4.profile-empty', [scalar('no', 1, 1)]],
      ['b/.events.out.tfevents.4.123-0123456789ab.tmp', [scalar('no', 2, 1)]],
      ['.hidden/events.out.tfevents.1', [scalar('z', 1, 1)]],
      ['a/other', [scalar('no', 1, 1)]],
    ] as const) {
      mkdirSync(join(logs, path, '..'), { recursive: true });
      writeFileSync(join(logs, path), tfrecord(records));
    }
    if (process.platform !== 'win32') symlinkSync('..', join(logs, 'b', 'up'));
  });

  const texts = async (source: RecordSource, options?: EventOptions): Promise<string[]> =>
    (await all(source, { kinds: ['scalar'], ...options })).map(({ run, tag, step }) => `${run}:${tag}@${step}`);

  test('are the folders with event files below the log folder; restarts go over files', async () => {
    const found = ['.:root@0', '.hidden:z@1', 'b:x@1', 'b:x@2', 'b/inner:y@1'];
    expect(await texts(logs)).toEqual(found);
    held.bytes = -1;
    expect(await texts(`${logs}/`)).toEqual(found);
    expect(await texts(logs, { keepRestarted: true })).toHaveLength(8);
  });

  test('of several folders begin with their paths; of files, they are the paths of their folders', async () => {
    expect(await texts([join(logs, 'b'), join(logs, '.hidden')])).toEqual([
      `${logs}/.hidden:z@1`,
      `${logs}/b:x@1`,
      `${logs}/b:x@2`,
      `${logs}/b/inner:y@1`,
    ]);
    // A run is read as a whole, although a folder in it comes between its files.
    expect(await texts(join(logs, '**/*tfevent*[0-9s]'))).toEqual([
      `${logs}:root@0`,
      `${logs}/b:x@1`,
      `${logs}/b:x@2`,
      `${logs}/b/inner:y@1`,
    ]);
  });

  test('a folder without event files is an error', async () => {
    await expect(all(join(logs, 'a'))).rejects.toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('tfevents') as string,
    });
    await expect(all(join(logs, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

const onPosix = process.platform === 'win32' ? test.skip : test;

onPosix(
  'a folder is visited once, under its own name, although links lead to it; links lead elsewhere once',
  async () => {
    const { at, path } = folder.place();
    const elsewhere = folder.place();
    writeFileSync(elsewhere.at('1.tfevents'), tfrecord([scalar('a', 1, 1)]));
    for (let depth = 0; depth < 40; depth++) {
      mkdirSync(at(`d${depth}`));
      writeFileSync(at(`d${depth}/1.tfevents`), tfrecord([scalar('a', depth, 1)]));
      for (const link of ['x', 'y']) if (depth > 0) symlinkSync(at(`d${depth}`), at(`d${depth - 1}/${link}`));
    }
    symlinkSync(elsewhere.path, at('d5/two'));
    symlinkSync(elsewhere.path, at('d5/one'));
    symlinkSync('/', at('d5/root'));
    symlinkSync('..', at('d5/up'));
    const runs = (await all(path)).map(({ run }) => run).sort();
    expect(runs).toEqual([...Array.from({ length: 40 }, (_, depth) => `d${depth}`), 'd5/one'].sort());
  },
);

onPosix('a pipe in a log folder is left out', async () => {
  const { at, path } = folder.place();
  writeFileSync(at('1.tfevents'), tfrecord([scalar('a', 1, 1)]));
  execFileSync('mkfifo', [at('2.tfevents')]);
  symlinkSync('2.tfevents', at('3.tfevents'));
  expect(await all(path)).toMatchObject([{ step: 1n }]);
});

test('tags: names and patterns', async () => {
  const file = folder.write(
    'tags',
    ['loss', 'loss/a', 'acc', 'a.c', 'a|c'].map((tag) => scalar(tag, 0, 1)),
  );
  const tags = async (patterns: string | readonly string[]): Promise<string[]> =>
    (await all(file, { tags: patterns })).map(({ tag }) => tag);
  expect(await tags('loss')).toEqual(['loss']);
  expect(await tags('loss*')).toEqual(['loss', 'loss/a']);
  expect(await tags(['a.c', '*s'])).toEqual(['loss', 'a.c']);
  expect(await tags('a?c')).toEqual(['acc', 'a.c', 'a|c']);
  expect(await tags([])).toEqual([]);
});

describe('damage', () => {
  const records = [fileVersion(), scalar('a', 1, 1), scalar('a', 2, 2), scalar('a', 3, 3)];
  const broken = (): Buffer => {
    const bytes = tfrecord(records);
    const third = records.slice(0, 2).reduce((at, record) => at + record.length + 16, 0);
    bytes[third + 14]! ^= 1;
    return bytes;
  };

  test.each([HELD, -1])('is an error after the values before it, or skipped (held: %d)', async (bytes) => {
    held.bytes = bytes;
    const file = folder.put('damaged', broken());
    const { values, error } = await failing(file);
    expect(values.map(({ step }) => step)).toEqual([1n]);
    expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', file, record: 2 });
    const reported: string[] = [];
    const report = ({ code }: TFRecordError): void => void reported.push(code);
    expect((await all(file, { onError: { action: 'skip', report } })).map(({ step }) => step)).toEqual([1n, 3n]);
    expect(reported).toEqual(['TFR_CORRUPT_DATA']);
    expect((await all(file, { onError: 'stop' })).map(({ step }) => step)).toEqual([1n]);
  });

  test('a cut file', async () => {
    const file = folder.put('cut', tfrecord(records).subarray(0, -3));
    const { values, error } = await failing(file);
    expect(values).toHaveLength(2);
    expect(error).toMatchObject({ code: 'TFR_TRUNCATED', file });
  });

  test('records that are no Events, or malformed', async () => {
    const example = encodeExample({ a: 'text' });
    const { error } = await failing(folder.write('examples', [example]));
    expect(error).toMatchObject({
      code: 'TFR_EXAMPLE',
      record: 0,
      message: expect.stringContaining('an Example') as string,
    });
    const malformed = Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)]);
    const mixed = folder.write('mixed', [scalar('a', 1, 1), malformed, example, scalar('a', 2, 2)]);
    expect(await failing(mixed)).toMatchObject({
      values: [{ step: 1n }],
      error: { code: 'TFR_DECODE', file: mixed, record: 1 },
    });
    expect((await all(mixed, { onError: 'skip' })).map(({ step }) => step)).toEqual([1n, 2n]);
    held.bytes = -1;
    expect((await all(mixed, { onError: 'skip' })).map(({ step }) => step)).toEqual([1n, 2n]);
  });

  test.each([HELD, -1])('records that are skipped are reported once each (held: %d)', async (bytes) => {
    held.bytes = bytes;
    const malformed = Buffer.concat([scalar('a', 1, 1), Uint8Array.of(0x2a, 0x7f)]);
    for (const first of [[], [fileVersion()]]) {
      const file = folder.write('twice', [...first, malformed, scalar('a', 1, 1), malformed, scalar('a', 2, 2)]);
      const reported: (number | undefined)[] = [];
      const report = ({ record }: TFRecordError): void => void reported.push(record);
      expect(await all(file, { onError: { action: 'skip', report } })).toHaveLength(2);
      expect(reported).toEqual([first.length, first.length + 2]);
    }
  });

  test('a tensor whose values do not fit its shape', async () => {
    const file = folder.write('shape', [doubles('pr_curves', 'p', 1, [2 ** 40], [1])]);
    expect((await failing(file)).error).toMatchObject({ code: 'TFR_DECODE', record: 0 });
    // Values that nobody wants are not decoded.
    expect(await all(file, { kinds: ['scalar'] })).toEqual([]);
  });

  test('a histogram whose limits and counts have different numbers', async () => {
    const histo = { min: 0, max: 3, bucketLimit: [1], bucket: [1, 1] };
    const { error } = await failing(folder.write('uneven', [summary(1, { tag: 'h', histo })]));
    expect(error).toMatchObject({ code: 'TFR_DECODE', record: 0, expected: '1 counts', found: '2 counts' });
  });

  test('a tag that is no text', async () => {
    const record = Buffer.from(scalar('tag', 1, 1));
    record[record.indexOf('tag')] = 0xff;
    expect((await failing(folder.write('utf8', [record]))).error).toMatchObject({ code: 'TFR_DECODE' });
  });
});

test('bytes and streams have the run "."; a stream is read once', async () => {
  const bytes = tfrecord([sessionStart(0), fileVersion(), scalar('a', 1, 1)]);
  held.bytes = -1;
  for (const source of [
    bytes,
    new Blob([new Uint8Array(bytes)]),
    [bytes.subarray(0, 40), bytes.subarray(40)].values(),
  ]) {
    expect(await all(source as RecordSource)).toMatchObject([{ run: '.', tag: 'a', step: 1n }]);
  }
});

test('GZIP', async () => {
  const file = folder.write('events.gz', [fileVersion(), scalar('a', 1, 1)]);
  expect(await all(file)).toMatchObject([{ tag: 'a' }]);
});

test('large records that nobody wants are not decoded, and many values come in order', async () => {
  const records = Array.from({ length: 10_000 }, (_, i) =>
    summary(i, { tag: `t${i % 7}`, simpleValue: i }, { tag: 'x', simpleValue: -i }),
  );
  records.splice(5000, 0, event(4999, { graphDef: Buffer.alloc(2 ** 20) }));
  const values = await all(folder.write('many', records), { tags: ['t*'], kinds: ['scalar'] });
  expect(values).toHaveLength(10_000);
  expect(values.every((value, i) => value.kind === 'scalar' && value.value === i && value.step === BigInt(i))).toBe(
    true,
  );
});

test('an abort and leaving the loop end reading', async () => {
  const file = folder.write('left', [scalar('a', 1, 1), scalar('a', 2, 2)]);
  const reason = new Error('enough');
  await expect(all(file, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const events = readEvents(file);
  for await (const { step } of events) {
    expect(step).toBe(1n);
    break;
  }
  expect(await events.next()).toEqual({ value: undefined, done: true });
});

test('wrong arguments throw at once', () => {
  const read = (options: object): unknown => readEvents('a', options);
  expect(() => readEvents(5 as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }) as Error);
  expect(() => read({ tag: 'x' })).toThrow(/options\.tag|tags/);
  expect(() => read({ kinds: 'scalar' })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }) as Error);
  expect(() => read({ kinds: ['scalars'] })).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error,
  );
  expect(() => read({ tags: [1] })).toThrow(/options\.tags\[0\]/);
  expect(() => read({ follow: 1 })).toThrow(/options\.follow/);
  expect(() => read({ pollMs: 1 })).toThrow(/options\.pollMs/);
  expect(() => readEvents(new Uint8Array(1), { follow: true })).toThrow(/options\.follow/);
  expect(() => readEvents(['a', '-'], { follow: true })).toThrow(/options\.follow/);
});
