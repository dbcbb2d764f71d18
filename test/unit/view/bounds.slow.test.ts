/** The memory and the requests of a host are bounded, whatever the files and the pages. */
import { encodeExample, int64, writeRecords } from '../../../lib';
import { Host } from '../../../lib/view';
import { Turns } from '../../../lib/view/host/turns';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
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
    const problem = { code: 'ERR_INTERNAL', message: expect.stringContaining('too many features or values') as string };
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
