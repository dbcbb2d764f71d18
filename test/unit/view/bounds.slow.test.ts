/** The memory and the requests of a host are bounded, whatever the files and the pages. */
import { crc32c, encodeExample, int64, writeRecords } from '../../../lib';
import { Host } from '../../../lib/view';
import type { ToHost, ToPage } from '../../../lib/view/protocol';
import { Turns } from '../../../lib/view/host/turns';
import { Folder } from '../../support/records/record-files';
import { flipBit, tfrecord } from '../../support/records/tfrecord';
import { settles } from '../../support/settles';
import { HostClient } from '../../support/view/host-client';

const folder = new Folder();
afterAll(() => folder.remove());

const named = <T>(count: number, value: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));

const RECORDS = [
  encodeExample(named(70_000, int64(1))),
  encodeExample(named(2, Array<string>(256).fill('x'.repeat(16_000)))),
  Buffer.alloc(5 * 2 ** 20, 1),
  Buffer.alloc(5 * 2 ** 20, 2),
  encodeExample({
    'image/object/mask': [Buffer.from('a picture')],
    'image/width': int64(2n ** 40n),
    'image/height': int64(2n ** 40n),
  }),
];

let host: HostClient;
beforeEach(async () => {
  folder.write('a.tfrecord', RECORDS);
  host = new HostClient([folder.at('a.tfrecord')]);
  await host.known();
});
afterEach(() => host.close());

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('a host', () => {
  it('shows no record whose features would take many times its memory', async () => {
    const problem = {
      code: 'TFR_RECORD_TOO_LARGE',
      message: expect.stringContaining('too many features or values') as string,
    };
    expect((await host.ask('record', { file: 0, record: 0 })).done).toMatchObject({ context: [], problem });
    const { batches } = await host.ask('rows', { file: 0, records: [0] });
    expect(batches).toMatchObject([[{ record: 0, problem }]]);
  });

  it('tells of all texts of a record, but few bytes of most of them', async () => {
    const { done } = await host.ask('record', { file: 0, record: 1 });
    const texts = done.context.flatMap(({ feature }) => feature.items.map(({ text }) => text!.length));
    expect(texts).toHaveLength(512);
    expect([texts[0], texts[511]]).toEqual([16_000, 32]);
    expect(texts.reduce((sum, length) => sum + length, 0)).toBeLessThan(1.1 * 2 ** 20);
  });

  it('tells of no masks of a size that a page cannot draw', async () => {
    const { done } = await host.ask('record', { file: 0, record: 4 });
    expect(done).toMatchObject({ masks: null, problem: null });
  });

  it('keeps one long record for a page that takes no values', async () => {
    const got: { id: number }[] = [];
    let send!: (message: unknown) => void;
    const own = new Host([folder.at('a.tfrecord')]);
    own.serve({
      post: (message) => got.push(message as { id: number }),
      onMessage: (listener) => (send = listener),
      onClose: () => undefined,
      close: () => undefined,
    });
    const ids = (): number[] => got.map(({ id }) => id);
    for (const id of [1, 2]) {
      const place = { section: 'raw', name: '', step: 0, index: 0 };
      send({ id, ask: 'value', args: { file: 0, record: 1 + id, place, from: 0, to: 2 ** 40 }, credits: 1 });
    }
    expect(await settles(() => got.length > 0)).toBe(true);
    // Rows come meanwhile.
    send({ id: 3, ask: 'rows', args: { file: 0, records: [2, 3] }, credits: 9 });
    expect(await settles(() => got.some((message) => message.id === 3 && 'done' in message))).toBe(true);
    expect(ids()).not.toContain(2);
    send({ id: 1, grant: 1 });
    send({ id: 1, cancel: true });
    expect(await settles(() => ids().includes(2))).toBe(true);
    await own.close();
  });

  it('exports few short records among long ones in little memory', async () => {
    const wanted = encodeExample({ id: int64(7) });
    const long = encodeExample({ other: [Buffer.alloc(3 * 2 ** 20)] });
    const file = folder.at('mixed.tfrecord');
    await writeRecords(file, Array<Uint8Array[]>(200).fill([long, wanted]).flat());
    const mixed = new HostClient([file]);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 1);
    const before = process.memoryUsage().arrayBuffers;
    const { batches, done } = await mixed.ask('export', {
      file: 0,
      selection: { ranges: null, conditions: ['id=7'] },
      format: 'tfrecord',
    });
    clearInterval(watch);
    await mixed.close();
    expect(done.records).toBe(200);
    expect(Buffer.concat(batches)).toEqual(tfrecord(Array<Uint8Array>(200).fill(wanted)));
    expect(most - before).toBeLessThan(100 * 2 ** 20);
  });

  it('has one long record in memory for all pages, and none for a page that takes nothing', async () => {
    const long = Buffer.alloc(100 * 2 ** 20);
    for (let at = 0; at < long.length; at += 4096) long.writeUInt32LE(at, at);
    const file = folder.at('long.tfrecord');
    await writeRecords(file, [RECORDS[2]!, long, RECORDS[3]!]);
    const own = new Host([file]);
    /** A page that keeps sums of what it gets, by the numbers of its requests. */
    const page = () => {
      const sums = new Map<number, number>();
      const ends = new Map<number, unknown>();
      let send!: (message: ToHost) => void;
      own.serve({
        post: (message) => {
          const { id, ...rest } = message as ToPage;
          if ('batch' in rest) sums.set(id, crc32c(rest.batch as Uint8Array, sums.get(id)));
          else ends.set(id, rest);
        },
        onMessage: (listener) => (send = listener),
        onClose: () => undefined,
        close: () => undefined,
      });
      return { sums, ends, send };
    };
    const selection = { ranges: [[1, 2]], conditions: [] } as const;
    const ask = (id: number, credits: number): ToHost => ({
      id,
      ask: 'export',
      args: { file: 0, selection, format: 'tfrecord' },
      credits,
    });
    const whole = crc32c(tfrecord([long]));
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 1);
    const stalled = page();
    for (const id of [1, 2, 3, 4]) stalled.send(ask(id, 3));
    expect(await settles(() => stalled.sums.size > 0)).toBe(true);
    // Another page has its record though the first one, which has the turn, takes nothing.
    const other = page();
    other.send(ask(1, 64));
    const finish = async ({ sums, ends, send }: ReturnType<typeof page>): Promise<void> => {
      const granting = setInterval(() => send({ id: 1, grant: 64 }), 1);
      await settles(() => ends.has(1), 60_000);
      clearInterval(granting);
      expect([ends.get(1), sums.get(1)]).toEqual([{ done: { records: 1 } }, whole]);
    };
    await finish(other);
    // The first page goes on where it was.
    await finish(stalled);
    clearInterval(watch);
    await own.close();
    expect(most / 2 ** 20).toBeLessThan(250);
  }, 120_000);

  it('exports no long record as a line of JSON that would hold up all pages', async () => {
    const file = folder.at('longer.tfrecord');
    await writeRecords(file, [RECORDS[2]!, Buffer.alloc(65 * 2 ** 20, 1)]);
    const longer = new HostClient([file]);
    const lines = (ranges: readonly [number, number][]): Promise<unknown> =>
      longer.ask('export', { file: 0, selection: { ranges, conditions: [] }, format: 'jsonl' });
    await expect(lines([[0, 2]])).rejects.toMatchObject({
      problem: { code: 'TFR_RECORD_TOO_LARGE', record: 1, message: expect.stringContaining('as TFRecord') as string },
    });
    await expect(lines([[0, 1]])).resolves.toMatchObject({ done: { records: 1 } });
    await longer.close();
  });

  it('searches long records, and checks them for damage', async () => {
    const long = encodeExample({ id: int64(7), other: [Buffer.alloc(9 * 2 ** 20)] });
    const short = encodeExample({ id: int64(7) });
    const content = tfrecord([long, short, long, long, short, long]);
    const toFourth = 2 * tfrecord([long]).length + tfrecord([short]).length;
    const names = ['long.tfrecord', 'long.tfrecord.gz'];
    folder.put(names[0]!, flipBit(content, toFourth + 1000));
    await writeRecords(folder.at(names[1]!), [long, short, long, long, short, long]);
    const both = new HostClient(names.map((name) => folder.at(name)));
    for (const [file, found, faults] of [
      [0, [0, 1, 2, 4, 5], 1],
      [1, [0, 1, 2, 3, 4, 5], 0],
    ] as const) {
      const { batches } = await both.ask('find', { file, conditions: ['id=7'] });
      expect(batches.flatMap((batch) => batch.found)).toEqual(found);
      const damaged = await both.ask('damage', { file });
      expect(damaged.done).toMatchObject({ records: found.length, faults });
      const selection = { ranges: null, conditions: ['id=7'] };
      const copy = await both.ask('export', { file, selection, format: 'tfrecord' });
      expect(copy.done.records).toBe(found.length);
    }
    await both.close();
  });

  it('fails requests under way when it is closed', async () => {
    const asked = host.client.ask('files', {});
    const ended = expect(asked).rejects.toThrow('The files were closed');
    await settled();
    await host.closeFiles();
    await ended;
  });
});

describe('turns', () => {
  it('come in order, and never to who has left', async () => {
    const turns = new Turns(1);
    const { signal } = new AbortController();
    const end = await turns.take(signal);
    const leaving = new AbortController();
    const left = turns.take(leaving.signal);
    const log: string[] = [];
    const next = turns.run(signal, async () => log.push('next'));
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(log).toEqual([]);
    end();
    end();
    await next;
    await expect(turns.take(leaving.signal)).rejects.toThrow('left');
    await turns.run(signal, async () => log.push('last'));
    expect(log).toEqual(['next', 'last']);
  });
});
