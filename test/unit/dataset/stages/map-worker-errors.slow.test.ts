/** Failures in worker threads become coded errors at their place, and nothing waits without end. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  Dataset,
  encodeExample,
  fixedLen,
  int64,
  type MapWorkerOptions,
  type OnError,
  type TFRecordError,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';

const moduleUrl = (name: string): URL =>
  name.startsWith('data:') ? new URL(name) : pathToFileURL(join(__dirname, '..', 'modules', name));
const folder = new Folder();
afterAll(() => folder.remove());

type Failure = Omit<TFRecordError, 'cause'> & { readonly cause: Error };

/** What a dataset of deeds gives, and what it ends with. */
async function outcome(
  deeds: readonly string[],
  onError?: OnError,
  options: MapWorkerOptions = {},
): Promise<{ given: unknown[]; error: Failure | undefined }> {
  const given: unknown[] = [];
  const worked = Dataset.from(deeds).mapWorker(moduleUrl('behaviours.cjs'), { workers: 1, ...options });
  try {
    for await (const value of onError === undefined ? worked : worked.onError(onError)) given.push(value);
    return { given, error: undefined };
  } catch (error) {
    return { given, error: error as Failure };
  }
}

test('what the function throws is the cause: its name, message, stack, properties and cause', async () => {
  const { given, error } = await outcome(['ok', 'ok', 'throw', 'ok']);
  expect(given).toEqual(['fine', 'fine']);
  expect(error).toMatchObject({ name: 'TFRecordError', code: 'TFR_USER', stage: 'mapWorker' });
  expect(error?.message).toBe('The function given to mapWorker failed: odd');
  expect(error?.cause).toMatchObject({ name: 'OddError', message: 'odd', code: 'ERR_ODD' });
  expect(error?.cause?.stack).toContain('behaviours.cjs');
  expect(error?.cause?.cause).toBeInstanceOf(TypeError);
  expect(error?.cause?.cause).toMatchObject({ message: 'the inner one' });
});

test("messages of the module itself are nobody's business", async () => {
  await expect(outcome(['post text', 'ok'])).resolves.toEqual({ given: ['posted', 'fine'], error: undefined });
  const deeds = ['ok', 'post like ours', ...Array<string>(20).fill('ok')];
  const given = deeds.map((deed) => (deed === 'ok' ? 'fine' : 'posted'));
  await expect(outcome(deeds)).resolves.toEqual({ given, error: undefined });
});

test('rejections, and what is no error', async () => {
  const rejected = await outcome(['reject']);
  expect(rejected.error?.cause).toBeInstanceOf(RangeError);
  expect((await outcome(['throw text'])).error).toMatchObject({ code: 'TFR_USER', cause: 'only text' });
  expect((await outcome(['ok', 'throw trap', 'ok'], { action: 'skip', maxRate: 1 })).given).toEqual(['fine', 'fine']);
  expect((await outcome(['throw function'])).error?.cause?.message).toContain('Function');
});

test('errors tell the record', async () => {
  const file = folder.write(
    'deeds',
    ['ok', 'throw'].map((deed) => Buffer.from(deed)),
  );
  const worked = Dataset.tfrecord(file).mapWorker(moduleUrl('behaviours.cjs'), { workers: 1 });
  const error: unknown = await worked.toArray().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TFR_USER', file, record: 0, offset: 0 });
});

test.each<[string, OnError, string[], boolean]>([
  ['skip', { action: 'skip', maxRate: 1 }, ['fine', 'fine', 'fine'], false],
  ['stop', 'stop', ['fine'], false],
  ['throw', 'throw', ['fine'], true],
  ['a limit', { action: 'skip', max: 1 }, ['fine', 'fine'], true],
  ['a function', ({ cause }) => (cause === 'only text' ? 'skip' : 'throw'), ['fine'], true],
])('onError: %s, of the dataset and of the stage', async (_, onError, given, throws) => {
  const deeds = ['ok', 'throw', 'ok', 'throw text', 'ok'];
  for (const [own, all] of [
    [undefined, onError],
    [onError, undefined],
  ] as const) {
    const result = await outcome(deeds, all, own === undefined ? {} : { onError: own });
    expect(result.given).toEqual(given);
    expect(result.error?.code).toBe(throws ? 'TFR_USER' : undefined);
  }
});

test('skipped elements are counted, and the others keep their places', async () => {
  const deeds = Array.from({ length: 400 }, (_, i) => (i % 7 === 3 ? 'throw' : 'ok'));
  const numbered = Dataset.from(deeds)
    .mapWorker<string>(moduleUrl('behaviours.cjs'), { workers: 2 })
    .onError({ action: 'skip', maxRate: 1 });
  const elements = numbered.iterate();
  for (let i = 0; i < 100; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  expect(await numbered.count()).toBe(343);
  let rest = 0;
  for await (const _ of numbered.iterate({ state })) rest++;
  expect(rest).toBe(243);
  expect(elements.stats()[1]?.skipped).toBeGreaterThan(0);
});

test.each(['return function', 'return resource'])('%s: it cannot be sent back, and only that is lost', async (deed) => {
  const { given, error } = await outcome(['ok', deed, 'ok']);
  expect(given).toEqual(['fine']);
  expect(error?.message).toMatch(/^The function given to mapWorker failed: What it returned cannot be sent/);
  const skipped = await outcome(['ok', deed, 'ok'], { action: 'skip', maxRate: 1 });
  expect(skipped).toEqual({ given: ['fine', 'fine'], error: undefined });
});

test('an element that cannot be sent', async () => {
  const worked = Dataset.from(['ok', 'ok', 'bad', 'ok'])
    .map((deed) => (deed === 'bad' ? () => deed : deed))
    .mapWorker(moduleUrl('behaviours.cjs'), { workers: 1 });
  await expect(worked.toArray()).rejects.toMatchObject({
    code: 'TFR_USER',
    message: expect.stringMatching(/^An element cannot be sent/),
  });
  expect(await worked.onError({ action: 'skip', maxRate: 1 }).toArray()).toEqual(['fine', 'fine', 'fine']);
});

test('an element that cannot be made is the error of who should make it, behind all before it', async () => {
  const good = encodeExample({ id: int64(1n) });
  const file = folder.write('examples', [good, good, Buffer.from('no example')]);
  const rows = Dataset.tfrecord(file).parse({ id: fixedLen([], 'int64') });
  const given: unknown[] = [];
  const run = async (): Promise<void> => {
    for await (const { id } of rows.mapWorker<{ id: bigint }>(moduleUrl('same.mjs'), { workers: 1 })) given.push(id);
  };
  await expect(run()).rejects.toMatchObject({ code: 'TFR_EXAMPLE', file, record: 2 });
  expect(given).toEqual([1n, 1n]);
});

test('records whose memory was transferred away, behind all before them', async () => {
  const file = folder.write(
    'records',
    [1, 2, 3].map((n) => Buffer.alloc(10, n)),
  );
  const given: unknown[] = [];
  const run = async (): Promise<void> => {
    const before = Dataset.from([new Uint8Array(10)]) as Dataset<Uint8Array, never>;
    const records = before.concatenate(
      Dataset.tfrecord(file).takeWhile((record, { index }) => {
        if (index === 2) structuredClone(null, { transfer: [record.buffer] });
        return true;
      }),
    );
    for await (const one of records.mapWorker(moduleUrl('same.mjs'), { workers: 1 })) given.push(one);
  };
  await expect(run()).rejects.toMatchObject({ code: 'TFR_CLOSED', file });
  expect(given.length).toBeGreaterThanOrEqual(1);
});

test.each([
  ['exit', /^A worker of mapWorker ended before its work was done: exit code 3\. It runs file:.*behaviours\.cjs\.$/],
  ['later', /^A worker of mapWorker failed outside of a call, or ran out of memory: outside of a call\./],
  ['reject outside', /^A worker of mapWorker failed outside of a call, or ran out of memory: nobody waits\./],
])('a worker that dies by %s is no element to skip', async (deed, message) => {
  const deeds = ['ok', 'ok', 'ok', deed, 'ok'];
  for (const policy of ['throw', 'skip', 'stop'] as const) {
    const { given, error } = await outcome(deeds, policy);
    expect(error).toMatchObject({ code: 'TFR_USER', stage: 'mapWorker', message: expect.stringMatching(message) });
    expect(given.length).toBeLessThanOrEqual(3);
  }
});

test.each([
  ['no-default.mjs', /has no default export that is a function\. It runs/],
  ['throws.mjs', /could not be loaded: at load\. It runs/],
  ['exits.cjs', /ended before its work was done: exit code 5\. It runs/],
  ['data:text/javascript,export default (', /could not be loaded: /],
  ['is-not-there.mjs', /could not be loaded: Cannot find module/],
])('a module that cannot be used: %s', async (name, message) => {
  for (const policy of ['throw', 'skip'] as const) {
    const worked = Dataset.range(2000).mapWorker(moduleUrl(name), { workers: 2 }).onError(policy);
    await expect(worked.toArray()).rejects.toMatchObject({
      code: 'TFR_USER',
      stage: 'mapWorker',
      message: expect.stringMatching(message),
    });
  }
});

test('data that cannot be sent', async () => {
  const worked = Dataset.range(3).mapWorker(moduleUrl('add.mjs'), { data: { addend: () => 1 } });
  await expect(worked.toArray()).rejects.toMatchObject({
    code: 'TFR_USER',
    message: expect.stringMatching(/^A worker of mapWorker could not be started: /),
  });
});

test('arguments', () => {
  const worked = (module: unknown, options?: unknown): unknown =>
    Dataset.range(1).mapWorker(module as URL, options as never);
  const url = moduleUrl('add.mjs');
  const type = (run: () => unknown): void =>
    expect(run).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
  const value = (run: () => unknown): void =>
    expect(run).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
  const range = (run: () => unknown): void =>
    expect(run).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
  for (const module of [undefined, 5, () => 1]) type(() => worked(module));
  for (const module of ['./add.mjs', 'lodash', '']) value(() => worked(module));
  type(() => worked(url, 4));
  type(() => worked(url, { workers: true }));
  value(() => worked(url, { workers: 'all' }));
  value(() => worked(url, { ordered: false }));
  value(() => worked(url, { onError: 'ignore' }));
  range(() => worked(url, { workers: 0 }));
  range(() => worked(url, { parallel: 0 }));
  range(() => worked(url, { workers: 1.5 }));
});
