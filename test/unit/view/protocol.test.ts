/** The two ends of a channel: credits, cancelling, and what a page may send. */
import { setMaxListeners } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import {
  Client,
  HostError,
  MAX_PENDING,
  packFrame,
  serve,
  unpackFrame,
  type Answers,
  type Port,
  type ToHost,
  type ToPage,
} from '../../../lib/view/protocol';
import { portOf } from '../../support/view/host-client';

const NO_ANSWER = async function* (): AsyncGenerator<never, never> {
  throw new Error('not asked for');
};
const NONE: Answers = {
  files: NO_ANSWER,
  rows: NO_ANSWER,
  record: NO_ANSWER,
  value: NO_ANSWER,
  find: NO_ANSWER,
  statistics: NO_ANSWER,
  damage: NO_ANSWER,
  export: NO_ANSWER,
  forget: NO_ANSWER,
  logs: NO_ANSWER,
  curves: NO_ANSWER,
  csv: NO_ANSWER,
  readLogsAgain: NO_ANSWER,
};

const channels: MessageChannel[] = [];
function connect(answers: Partial<Answers>): { client: Client; port: MessagePort } {
  const channel = new MessageChannel();
  channels.push(channel);
  serve(
    portOf(channel.port1),
    { ...NONE, ...answers },
    () => 1,
    (error) => ({
      code: 'ERR_TEST',
      message: (error as Error).message,
      record: null,
    }),
  );
  return { client: new Client(portOf(channel.port2)), port: channel.port2 };
}
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

/** Waits so long that a message that must not come would have come. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
/** Waits for a message that must come, however busy the machine is. Jest ends a test that waits in vain. */
const until = async (come: () => boolean): Promise<void> => {
  while (!come()) await settled();
};

describe('a channel', () => {
  it('sends no more batches than there are credits, and the last answer behind all of them', async () => {
    let made = 0;
    const { port } = connect({
      value: async function* () {
        while (made < 10) yield new Uint8Array([made++]);
        return null;
      },
    });
    const got: ToPage[] = [];
    port.on('message', (message: ToPage) => got.push(message));
    const ask: ToHost = {
      id: 1,
      ask: 'value',
      args: { file: 0, record: 0, place: { section: 'raw', name: '', step: 0, index: 0 }, from: 0, to: 9 },
      credits: 3,
    };
    port.postMessage(ask);
    await until(() => got.length >= 3);
    await settled();
    expect([got.length, made]).toEqual([3, 3]);
    port.postMessage({ id: 1, grant: 2 });
    await until(() => got.length >= 5);
    await settled();
    expect([got.length, made]).toEqual([5, 5]);
    port.postMessage({ id: 1, grant: 64 });
    await until(() => got.length >= 11);
    expect(got).toHaveLength(11);
    expect(got.at(-2)).toEqual({ id: 1, batch: new Uint8Array([9]) });
    expect(got.at(-1)).toEqual({ id: 1, done: null });
  });

  it('resolves with the answer, rejects with the error, and cancels', async () => {
    let aborted = false;
    const { client } = connect({
      statistics: async function* (_, signal) {
        for (let records = 0; !signal.aborted; records++) yield { records, readBytes: 0, totalBytes: 0 };
        aborted = true;
        return { records: 0, features: [], leftOut: null };
      },
      find: async function* ({ conditions }) {
        yield { found: [3, 4], progress: { records: 9, readBytes: 0, totalBytes: 0 } };
        if (conditions.length > 0) throw new Error('no condition');
        return { remarks: [] };
      },
    });
    const found: number[] = [];
    const onBatch = (batch: { found: readonly number[] }): void => void found.push(...batch.found);
    await expect(client.ask('find', { file: 0, conditions: [] }, { onBatch })).resolves.toEqual({ remarks: [] });
    expect(found).toEqual([3, 4]);
    const failed = client.ask('find', { file: 0, conditions: ['x'] });
    await expect(failed).rejects.toThrow(HostError);
    await expect(failed).rejects.toThrow('no condition');

    const cancel = new AbortController();
    const endless = client.ask('statistics', { file: 0 }, { signal: cancel.signal, onBatch: () => undefined });
    await settled();
    cancel.abort(new Error('enough'));
    await expect(endless).rejects.toThrow('enough');
    await settled();
    expect(aborted).toBe(false); // A generator that stands at a yield is returned, not resumed.
    await expect(client.ask('statistics', { file: 7 })).rejects.toThrow('Refused: wrong arguments of statistics.');
  });

  it('refuses more requests than may be under way, and one number twice', async () => {
    const { client, port } = connect({
      files: async function* (_, signal) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield [];
        return null;
      },
    });
    const cancel = new AbortController();
    setMaxListeners(0, cancel.signal);
    const waiting = Array.from({ length: MAX_PENDING }, () => client.ask('files', {}, { signal: cancel.signal }));
    await expect(client.ask('files', {})).rejects.toThrow('more than 64 requests are under way');
    const got: unknown[] = [];
    port.on('message', (message) => got.push(message));
    port.postMessage({ id: 1, ask: 'files', args: {}, credits: 1 });
    await until(() => got.length > 0);
    expect(got).toMatchObject([{ id: 0, error: { message: 'Refused: request 1 is under way already.' } }]);
    cancel.abort(new Error('enough'));
    await Promise.allSettled(waiting);
    await settled();
    const again = client.ask('record', { file: 0, record: 0 });
    await expect(again).rejects.toThrow('not asked for');
  });

  it('refuses requests that this port has no answer for, and paths that are none', async () => {
    const { client } = connect({});
    await expect(client.ask('add', { paths: ['a'] })).rejects.toThrow('Refused: this port may not ask for add.');
    const { client: trusted } = connect({
      add: async function* ({ paths }) {
        return { files: paths.map((_, i) => i) };
      },
    });
    await expect(trusted.ask('add', { paths: ['a', 'b'] })).resolves.toEqual({ files: [0, 1] });
    for (const paths of [
      'a',
      [''],
      ['a\0b'],
      [1],
      Array<string>(1),
      ['a'.repeat(40_000)],
      Array.from({ length: 5000 }, () => 'a'),
    ]) {
      const asked = trusted.ask('add', { paths: paths as string[] });
      await expect(asked).rejects.toThrow('Refused: wrong arguments of add.');
    }
  });

  it('closes a port that takes no messages, and ends its requests', async () => {
    const interrupts: AbortSignal[] = [];
    let closed = 0;
    let send!: (message: unknown) => void;
    const port: Port = {
      post: () => {
        throw new Error('cannot be cloned');
      },
      onMessage: (listener) => (send = listener),
      onClose: () => undefined,
      close: () => closed++,
    };
    const files: Answers['files'] = async function* (_, signal) {
      interrupts.push(signal);
      yield [];
      return null;
    };
    const problem = { code: '', message: '', record: null };
    serve(
      port,
      { ...NONE, files },
      () => 0,
      () => problem,
    );
    send('no request');
    expect(closed).toBe(1);
    send({ id: 1, ask: 'files', args: {}, credits: 1 });
    await until(() => interrupts.length > 0);
    expect(interrupts.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('rejects what is under way when the other end goes', async () => {
    const { client, port } = connect({});
    const waiting = client.ask('record', { file: 0, record: 0 });
    port.close();
    await expect(waiting).rejects.toThrow(/ended|not asked/);
    await expect(client.ask('files', {})).rejects.toThrow('The program that reads the files has ended.');
  });
});

describe('frames', () => {
  it('carry bytes at any depth as bytes', () => {
    const done = {
      a: new Uint8Array([1, 2]),
      list: [{ b: new Uint8Array(0) }, { b: new Uint8Array([3]) }],
      text: 'ä\0',
      buffer: Buffer.from([4]),
    };
    const frame = packFrame({ id: 7, done });
    expect(unpackFrame(frame.buffer as ArrayBuffer)).toEqual({ id: 7, done: { ...done, buffer: new Uint8Array([4]) } });
  });

  it('carry numbers that JSON has not', () => {
    const done = [Infinity, { low: -Infinity, nan: NaN }, 1.5];
    expect(unpackFrame(packFrame({ id: 7, done }).buffer as ArrayBuffer)).toEqual({ id: 7, done });
  });
});
