/** The answers of a host to a page about files. */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import files, { writeFile } from 'node:fs/promises';

import { encodeExample, encodeSequenceExample, Event, float, int64, readRecords } from '../../../lib';
import { Host, portOf, type MainPort } from '../../../lib/view';
import { Turns } from '../../../lib/view/host/turns';
import { ViewedFile } from '../../../lib/view/host/viewed-file';
import { Client, withStates, type FileState, type ToHost, type ToPage } from '../../../lib/view/protocol';
import { picture } from '../../support/records/pictures';
import { Folder } from '../../support/records/record-files';
import { flipBit, HEADER_BYTES, tfrecord } from '../../support/records/tfrecord';
import { settles } from '../../support/settles';
import { HostClient } from '../../support/view/host-client';

const folder = new Folder();
afterAll(() => folder.remove());

const PLACE = { section: 'context', name: 'image/encoded', step: 0, index: 0 } as const;
const PNG = picture('png', 40, 30, Buffer.alloc(600_000, 7));
const RECORDS = [
  encodeExample({
    'image/encoded': [PNG],
    'image/height': int64(30),
    'image/width': int64(40),
    'image/object/bbox/xmin': float([0.25, 0]),
    'image/object/bbox/xmax': float([0.5, 1]),
    'image/object/bbox/ymin': float([0, 0.5]),
    'image/object/bbox/ymax': float([0.5, 1]),
    'image/object/class/text': ['cat', 'dog'],
    'image/object/mask': float(Array.from({ length: 2 * 40 * 30 }, (_, i) => (i < 40 * 30 ? 1 : 0))),
    id: int64(2n ** 62n + 1n),
    score: float(0.1),
    sound: [Buffer.from('RIFF\0\0\0\0WAVEfmt and what follows')],
  }),
  encodeSequenceExample({
    context: { id: int64(1) },
    featureLists: { words: [['a', 'b'], ['c']], none: [] },
  }),
  Buffer.from('neither this nor that'),
  encodeExample({ id: int64(3), name: ['x'.repeat(200)], many: int64(Array.from({ length: 5000 }, (_, i) => i)) }),
];

let host: HostClient;
beforeAll(async () => {
  folder.write('a.tfrecord.gz', RECORDS);
  const plain = tfrecord([...RECORDS, ...RECORDS.slice(1)]);
  folder.put('damaged.tfrecord', flipBit(plain, HEADER_BYTES + 100));
  folder.put('cut.tfrecord', plain.subarray(0, plain.length - 10));
  host = new HostClient([
    folder.at('a.tfrecord.gz'),
    folder.at('damaged.tfrecord'),
    folder.at('cut.tfrecord'),
    folder.put('text.txt', 'This is no TFRecord file, but a text.\n'),
    folder.at('missing'),
  ]);
  await host.known();
});
afterAll(() => host.close());

describe('a host', () => {
  it('begins nothing for a request that is cancelled at once', async () => {
    let send!: (message: unknown) => void;
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const own = new Host([folder.at('a.tfrecord.gz')]);
    own.serve({
      post: () => undefined,
      onMessage: (listener) => (send = listener),
      onClose: () => undefined,
      close: () => undefined,
    });
    send({ id: 1, ask: 'record', args: { file: 0, record: 0 }, credits: 1 });
    send({ id: 1, cancel: true });
    await own.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('lists the files, and what is known of them', async () => {
    await host.known(3);
    await host.known(4);
    const over = new AbortController();
    const states = await new Promise<unknown>((resolve) => {
      host.client.ask('files', {}, { signal: over.signal, onBatch: resolve }).catch(() => undefined);
    });
    over.abort();
    expect(states).toMatchObject([
      { name: folder.at('a.tfrecord.gz'), opened: true, records: 4, complete: true, faults: 0, problem: null },
      { name: folder.at('damaged.tfrecord'), opened: false, records: 0 },
      { opened: false },
      { problem: { code: 'TFR_NOT_TFRECORD' } },
      { problem: { code: 'ENOENT' }, size: null },
    ]);
  });

  it('tells rows in any order, with what tells most about a record first', async () => {
    const { batches } = await host.ask('rows', { file: 0, records: [3, 0, 1, 2, 99] });
    const rows = batches.flat();
    expect(rows.map(({ record, kind }) => [record, kind])).toEqual([
      [3, 'Example'],
      [0, 'Example'],
      [1, 'SequenceExample'],
      [2, 'bytes'],
    ]);
    expect(rows[0]!.cells).toEqual([
      ...['id', '3', 'name', `${'x'.repeat(80)}…`, 'many', '0, 1, 2, 3, 4, 5, … (5,000)'],
    ]);
    expect(rows[1]!.cells.slice(0, 4)).toEqual(['id', '4611686018427387905', 'image/height', '30']);
    expect(rows[1]).toMatchObject({
      picture: { as: 'picture', mime: 'image/png', width: 40, height: 30, place: PLACE },
      boxes: [
        { xmin: 0.25, ymin: 0, xmax: 0.5, ymax: 0.5, label: 'cat' },
        { xmin: 0, ymin: 0.5, xmax: 1, ymax: 1, label: 'dog' },
      ],
    });
    expect(rows[2]!.cells).toEqual(['id', '1', 'none', '0 steps', 'words', '2 steps']);
    expect(rows[3]!.cells).toEqual(['text', 'neither this nor that']);
  });

  it('tells a record as a tree, its masks, and the bytes of its values in pieces', async () => {
    const { done } = await host.ask('record', { file: 0, record: 0 });
    expect(done).toMatchObject({ record: 0, offset: 0, bytes: RECORDS[0]!.length, kind: 'Example', problem: null });
    const context = Object.fromEntries(done.context.map(({ name, feature }) => [name, feature]));
    expect(context['score']).toEqual({ kind: 'float', count: 1, numbers: ['0.1'], items: [] });
    expect(context['sound']!.items[0]!.media).toMatchObject({ as: 'audio', mime: 'audio/wav' });
    expect(context['image/encoded']!.items[0]).toMatchObject({ bytes: PNG.length, text: null });
    expect(done.masks).toMatchObject({ as: 'numbers', count: 2, width: 40, height: 30 });
    expect([...done.masks!.pixels].filter((pixel) => pixel === 255)).toHaveLength(1200);
    const { batches } = await host.ask('value', { file: 0, record: 0, place: PLACE, from: 0, to: 2 ** 40 });
    expect(batches).toHaveLength(3);
    expect(Buffer.concat(batches).equals(PNG)).toBe(true);
    const raw = await host.ask('value', {
      file: 0,
      record: 2,
      place: { ...PLACE, section: 'raw' },
      from: 8,
      to: 12,
    });
    expect(Buffer.concat(raw.batches).toString()).toBe('this');
    const many = await host.ask('record', { file: 0, record: 3 });
    expect(many.done.context.find(({ name }) => name === 'many')!.feature).toMatchObject({ count: 5000 });
    const lists = await host.ask('record', { file: 0, record: 1 });
    expect(lists.done.lists).toMatchObject([
      { name: 'none', count: 0, steps: [] },
      { name: 'words', count: 2, steps: [{ items: [{ text: 'a' }, { text: 'b' }] }, { items: [{ text: 'c' }] }] },
    ]);
  });

  it('refuses records and values that are not there', async () => {
    const outOfRange = (record: number, message: string): object => ({
      problem: { code: 'ERR_OUT_OF_RANGE', record, message: expect.stringContaining(message) as string },
    });
    const there = 'a.tfrecord.gz has no record 4: its 4 records have the numbers 0 to 3';
    await expect(host.ask('record', { file: 0, record: 4 })).rejects.toMatchObject(outOfRange(4, there));
    const place = { ...PLACE, name: '__proto__' };
    const value = { file: 0, record: 0, place, from: 0, to: 9 };
    await expect(host.ask('value', value)).rejects.toMatchObject(outOfRange(0, 'no such value'));
    const raw = { ...value, record: 4, place: { ...PLACE, section: 'raw' as const } };
    await expect(host.ask('value', raw)).rejects.toMatchObject(outOfRange(4, there));
  });

  it('finds records by the conditions of grep', async () => {
    const find = async (...conditions: string[]): Promise<number[]> =>
      (await host.ask('find', { file: 0, conditions })).batches.flatMap(({ found }) => [...found]);
    expect(await find('id<4')).toEqual([1, 3]);
    expect(await find('id<4', 'name~^x')).toEqual([3]);
    expect(await find('words=c')).toEqual([1]);
    const { done } = await host.ask('find', { file: 0, conditions: ['nosuch=1'] });
    expect(done.remarks).toEqual(['no record has a feature "nosuch"']);
    await expect(find('=')).rejects.toThrow('It begins with the name of a feature');
  });

  it('tells all damage and how far it reaches', async () => {
    const flipped = await host.ask('damage', { file: 1 });
    expect(flipped.batches.flatMap(({ faults }) => faults)).toMatchObject([
      { code: 'TFR_CORRUPT_DATA', record: 0, offset: 0, lost: 0 },
    ]);
    expect(flipped.done).toMatchObject({ records: 6, faults: 1 });
    expect(flipped.batches.at(-1)!.bytes).toBe(flipped.done.bytes);
    const cut = await host.ask('damage', { file: 2 });
    const [fault] = cut.batches.flatMap(({ faults }) => faults);
    expect(fault).toMatchObject({ code: 'TFR_TRUNCATED', record: 6 });
    expect(fault!.message).not.toContain('onError');
    await expect(host.ask('damage', { file: 3 })).rejects.toThrow('text');
  });

  it('describes the values of all features', async () => {
    const file = folder.write(
      'numbers.tfrecord',
      [1, 2, 3, 4].map((n) => encodeExample({ n: int64(n), word: [`w${n % 2}`] })),
    );
    const numbers = new HostClient([file]);
    const { done } = await numbers.ask('statistics', { file: 0 });
    await numbers.close();
    expect(done.records).toBe(4);
    expect(done.features).toMatchObject([
      {
        name: 'n',
        type: 'INT',
        present: 4,
        missing: 0,
        numbers: { summary: { mean: 2.5, min: 1, max: 4 }, nan: 0, infinite: 0 },
        texts: null,
      },
      { name: 'word', type: 'STRING', texts: { unique: 2, top: [{ count: 2 }, { count: 2 }] } },
    ]);
    const counts = done.features[0]!.numbers!.buckets.map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count)).toBeCloseTo(4, 1);
  });

  it('shows events by their values, and says that statistics leave them out', async () => {
    const event = (step: bigint, more: object): Uint8Array => Event.encode({ wallTime: 1.5, step, ...more });
    const file = folder.write('events.out.tfevents.1', [
      event(0n, { fileVersion: 'brain.Event:2' }),
      event(7n, { summary: { value: [{ tag: 'loss', nodeName: '', simpleValue: 0.25 }] } }),
    ]);
    const events = new HostClient([file]);
    const { batches } = await events.ask('rows', { file: 0, records: [0, 1] });
    expect(batches.flat().map(({ kind, cells }) => [kind, cells])).toEqual([
      ['Event', ['step', '0', 'fileVersion', 'brain.Event:2']],
      ['Event', ['step', '7', 'loss', '0.25']],
    ]);
    const { done } = await events.ask('statistics', { file: 0 });
    await events.close();
    expect(done).toMatchObject({ records: 0, features: [], leftOut: { count: 2, kind: 'Event' } });
  });

  it('says that statistics leave out all of a file without a whole record', async () => {
    const file = folder.put('no-record.tfrecord', flipBit(tfrecord(RECORDS), 8));
    const broken = new HostClient([file]);
    const { done } = await broken.ask('statistics', { file: 0 }).finally(() => broken.close());
    expect(done).toEqual({ records: 0, features: [], leftOut: { count: 1, kind: 'bytes' } });
  });

  it('counts infinities and NaN apart', async () => {
    const file = folder.write(
      'odd-numbers.tfrecord',
      [1, 2, Infinity].map((x) => encodeExample({ x: float(x), nan: float(NaN) })),
    );
    const numbers = new HostClient([file]);
    const { done } = await numbers.ask('statistics', { file: 0 });
    await numbers.close();
    const [nan, x] = done.features.map((feature) => feature.numbers!);
    expect(nan).toEqual({ summary: null, nan: 3, infinite: 0, buckets: [] });
    expect(x).toMatchObject({ summary: { min: 1, max: Infinity }, nan: 0, infinite: 1 });
    expect(x!.buckets.every(({ low, high }) => Number.isFinite(low) && Number.isFinite(high))).toBe(true);
  });

  it('exports what was selected as JSON Lines and as TFRecord', async () => {
    const selection = {
      ranges: [
        [2, 4],
        [0, 0],
        [0, 1],
      ],
      conditions: ['id=3'],
    } as const;
    const lines = await host.ask('export', { file: 0, selection, format: 'jsonl' });
    expect(lines.done).toEqual({ records: 1 });
    expect(Buffer.concat(lines.batches).toString()).toMatch(/^\{"features":\{"id":\[3\],.*4999\],.*\}\}\n$/);
    const all = { ranges: null, conditions: [] };
    const whole = await host.ask('export', { file: 0, selection: all, format: 'tfrecord' });
    const copy = folder.fresh();
    await writeFile(copy, Buffer.concat(whole.batches));
    const copied: Uint8Array[] = [];
    for await (const record of readRecords(copy)) copied.push(record);
    expect(copied.map((record) => Buffer.compare(record, RECORDS[copied.indexOf(record)]!))).toEqual([0, 0, 0, 0]);
  });
});

describe('a file that changes', () => {
  it('says so, and is read anew when asked', async () => {
    const file = folder.write('grows.tfrecord', RECORDS);
    const growing = new HostClient([file]);
    const state = async (): Promise<FileState> => {
      const over = new AbortController();
      return new Promise((resolve) => {
        growing.client
          .ask('files', {}, { signal: over.signal, onBatch: ([first]) => (over.abort(), resolve(first!)) })
          .catch(() => undefined);
      });
    };
    await growing.known();
    const { size } = await state();
    appendFileSync(file, tfrecord(RECORDS.slice(0, 2)));
    await expect(growing.ask('rows', { file: 0, records: [0] })).rejects.toMatchObject({
      problem: { code: 'TFR_STATE_MISMATCH' },
    });
    // Nothing is read that would be mixed with what a page has.
    const changed = { problem: { code: 'TFR_STATE_MISMATCH' } };
    const place = { section: 'raw', name: '', step: 0, index: 0 } as const;
    const everything = { ranges: null, conditions: [] };
    for (const asked of [
      growing.ask('value', { file: 0, record: 0, place, from: 0, to: 9 }),
      growing.ask('find', { file: 0, conditions: ['id=1'] }),
      growing.ask('statistics', { file: 0 }),
      growing.ask('damage', { file: 0 }),
      growing.ask('export', { file: 0, selection: everything, format: 'jsonl' }),
    ]) {
      await expect(asked).rejects.toMatchObject(changed);
    }
    expect(await state()).toMatchObject({ opened: false, records: 0, ...changed });
    await growing.ask('forget', { file: 0 });
    await growing.known();
    const grown = await state();
    expect(grown).toMatchObject({ opened: true, records: 6, complete: true, reading: 1, problem: null });
    expect(grown.size).toBeGreaterThan(size!);
    expect((await growing.ask('record', { file: 0, record: 5 })).done.kind).toBe('SequenceExample');
    await growing.close();
  });

  const oneValue = (letter: string): Uint8Array[] => [encodeExample({ v: [letter.repeat(1000)] })];
  const VALUE = {
    file: 0,
    record: 0,
    place: { section: 'context', name: 'v', step: 0, index: 0 },
    from: 0,
    to: 3,
  } as const;

  it('gives no value of the record that it decoded before the change', async () => {
    const file = folder.write('decoded.tfrecord', oneValue('A'));
    const changing = new HostClient([file]);
    try {
      await changing.ask('record', { file: 0, record: 0 });
      rmSync(file);
      folder.write('decoded.tfrecord', oneValue('B'));
      await expect(changing.ask('value', VALUE)).rejects.toMatchObject({ problem: { code: 'TFR_STATE_MISMATCH' } });
    } finally {
      await changing.close();
    }
  });

  it('gives no value of a record that was under way while the file was to be read again', async () => {
    const file = folder.write('under-way.tfrecord', oneValue('A'));
    const changing = new HostClient([file]);
    await changing.known();
    // The last look at the file before the record is handed out has its answer, which comes late.
    let release!: () => void;
    const late = new Promise<void>((resolve) => (release = resolve));
    let looks = 0;
    const real = files.stat;
    const spy = jest.spyOn(files, 'stat').mockImplementation(async (...args: Parameters<typeof real>) => {
      const found = await real(...args);
      if (++looks === 2) await late;
      return found;
    });
    try {
      const record = changing.ask('record', { file: 0, record: 0 });
      const failed = expect(record).rejects.toMatchObject({ problem: { code: 'TFR_STATE_MISMATCH' } });
      expect(await settles(() => looks >= 2)).toBe(true);
      await changing.ask('forget', { file: 0 });
      rmSync(file);
      folder.write('under-way.tfrecord', oneValue('B'));
      release();
      await failed;
      const { batches } = await changing.ask('value', VALUE);
      expect(Buffer.concat(batches).toString()).toBe('BBB');
    } finally {
      spy.mockRestore();
      await changing.close();
    }
  });
});

it.each(['forget', 'close'] as const)(
  'a record whose turn comes after %s() of its file asks to be asked again',
  async (end) => {
    const file = new ViewedFile(folder.write('queued.tfrecord', RECORDS), 0, {}, () => undefined);
    const { signal } = new AbortController();
    const turns = new Turns(1);
    const free = await turns.take(signal);
    const tree = file.tree(0, turns, signal);
    const failed = expect(tree).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: expect.stringContaining('Ask again') as unknown,
    });
    expect(await settles(() => turns.isWanted)).toBe(true);
    await file[end]();
    free();
    await failed;
    await file.close();
  },
);

it('exports no mix of a file that was read again and replaced meanwhile', async () => {
  const file = folder.write('mixed.tfrecord', Array<Uint8Array>(40).fill(Buffer.alloc(100_000, 1)));
  const own = new Host([file]);
  const got: ToPage[] = [];
  let send!: (message: ToHost) => void;
  own.serve({
    post: (message) => got.push(message as ToPage),
    onMessage: (listener) => (send = listener),
    onClose: () => undefined,
    close: () => undefined,
  });
  const selection = { ranges: null, conditions: [] };
  send({ id: 1, ask: 'export', args: { file: 0, selection, format: 'tfrecord' }, credits: 1 });
  expect(await settles(() => got.length === 1)).toBe(true);
  send({ id: 2, ask: 'forget', args: { file: 0 }, credits: 1 });
  expect(await settles(() => got.length === 2)).toBe(true);
  folder.write('mixed.tfrecord', Array<Uint8Array>(40).fill(Buffer.alloc(100_000, 2)));
  send({ id: 1, grant: 64 });
  expect(await settles(() => got.some((message) => message.id === 1 && !('batch' in message)))).toBe(true);
  expect(got.at(-1)).toMatchObject({ error: { code: 'TFR_STATE_MISMATCH' } });
  await own.close();
});

it('notices that a file has changed while it was closed to make room for others', async () => {
  const files = Array.from({ length: 9 }, (_, i) => folder.write(`room-${i}.tfrecord`, RECORDS.slice(0, 2)));
  const full = new HostClient(files);
  for (const [file] of files.entries()) await full.ask('rows', { file, records: [0] });
  folder.write('room-0.tfrecord', RECORDS.slice(1));
  await expect(full.ask('rows', { file: 0, records: [1] })).rejects.toMatchObject({
    problem: { code: 'TFR_STATE_MISMATCH' },
  });
  await full.close();
});

describe('a host that files are added to', () => {
  mkdirSync(folder.at('added'));
  const added = folder.write('added/b.tfrecord', RECORDS);
  folder.write('added/c.tfrecord', RECORDS.slice(1));
  let running: HostClient;
  beforeEach(() => (running = new HostClient([folder.at('a.tfrecord.gz')], {}, { mayAdd: true })));
  afterEach(() => running.close());

  it('lists each once, a folder as its files, and tells pages', async () => {
    let seen: readonly FileState[] = [];
    const over = new AbortController();
    running.client
      .ask('files', {}, { signal: over.signal, onBatch: (batch) => (seen = withStates(seen, batch)) })
      .catch(() => undefined);
    const add = async (...paths: string[]): Promise<readonly number[]> =>
      (await running.client.ask('add', { paths })).files;
    expect(await add(added)).toEqual([1]);
    expect(await add(folder.at('added'), folder.at('a.tfrecord.gz'))).toEqual([1, 2, 0]);
    expect(await add(folder.at('vanished'))).toEqual([3]);
    expect((await running.ask('record', { file: 2, record: 0 })).done.kind).toBe('SequenceExample');
    await expect(running.ask('record', { file: 3, record: 0 })).rejects.toMatchObject({ problem: { code: 'ENOENT' } });
    await expect(running.ask('record', { file: 4, record: 0 })).rejects.toThrow('wrong arguments');
    while (seen.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
    over.abort();
    expect(seen.map(({ name }) => name)).toEqual([
      folder.at('a.tfrecord.gz'),
      added,
      folder.at('added/c.tfrecord'),
      folder.at('vanished'),
    ]);
  });

  it('tells only of the files that changed', async () => {
    await running.client.ask('add', { paths: [folder.at('added')] });
    let states: readonly FileState[] = [];
    let told: number[] = [];
    const over = new AbortController();
    running.client
      .ask(
        'files',
        {},
        {
          signal: over.signal,
          onBatch: (batch) => {
            states = withStates(states, batch);
            told.push(...batch.map(({ file }) => file));
          },
        },
      )
      .catch(() => undefined);
    expect(await settles(() => states.length === 3 && states.every(({ size }) => size !== null))).toBe(true);
    told = [];
    await running.known(2);
    expect(await settles(() => states[2]!.complete)).toBe(true);
    over.abort();
    expect(new Set(told)).toEqual(new Set([2]));
    expect(states.map(({ records }) => records)).toEqual([0, 0, 3]);
  });

  it('adds none for a page', async () => {
    await expect(host.ask('add', { paths: [added] })).rejects.toThrow('this port may not ask for add');
  });
});

describe('a port of Electron', () => {
  it('hands over what messages hold, once it was started, and drops what comes too late', async () => {
    const calls: string[] = [];
    const listeners = new Map<string, ((event: { data: unknown }) => void)[]>();
    const port: MainPort = {
      postMessage: (message) => calls.push(JSON.stringify(message)),
      on: (event: string, listener: (event: { data: unknown }) => void) =>
        listeners.set(event, [...(listeners.get(event) ?? []), listener]),
      start: () => calls.push('start'),
      close: () => calls.push('close'),
    };
    const emit = (event: string, data?: unknown): void => listeners.get(event)!.forEach((each) => each({ data }));
    const end = portOf(port);
    const served = new Host([]);
    served.serve(end);
    emit('message', { id: 7, ask: 'record', args: { file: 0, record: 0 }, credits: 1 });
    emit('message', 'no request');
    const refused = (id: number): unknown =>
      expect.stringMatching(`^{"id":${id},"error":{"code":"ERR_INVALID_ARG_VALUE"`);
    expect(calls).toEqual(['start', refused(7), refused(0)]);
    const client = new Client(end);
    const waiting = client.ask('files', {});
    emit('close');
    await expect(waiting).rejects.toThrow('has ended');
    const count = calls.length;
    end.post('too late');
    expect(calls).toHaveLength(count);
    let told = false;
    end.onClose(() => (told = true));
    expect(told).toBe(true);
    end.close();
    expect(calls.at(-1)).toBe('close');
  });
});
