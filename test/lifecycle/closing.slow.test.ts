/** Every way to end reading closes the file exactly once, whatever else is pending. */
import { RecordReader, readRecords, readRecordsSync, TFRecordError } from '../../lib';
import { descriptorsIn } from '../support/running/descriptors';
import { Folder, numberedRecords } from '../support/records/record-files';

const COUNT = 60_000;
const folder = new Folder();
const records = numberedRecords(COUNT, 100);
const plain = folder.write('plain.tfrecord', records);
const gzip = folder.write('packed.tfrecord.gz', records);
afterAll(() => folder.remove());
afterEach(() => expect(descriptorsIn(folder.path)).toBe(0));

const opened = (): number => descriptorsIn(folder.path);
const number = (record: Uint8Array | undefined): number => Buffer.from(record!).readUInt32LE(0);
/** Slabs so small that the file stays open until the last one. */
const SMALL = { batchBytes: 65_536 };

describe.each([
  ['plain', plain],
  ['gzip', gzip],
])('%s file', (_, file) => {
  test('it is open while it is read', async () => {
    const reader = await RecordReader.open(file, SMALL);
    await reader.batches().next();
    expect(opened()).toBe(1);
    await reader.close();
  });

  test('the end closes it', async () => {
    let count = 0;
    for await (const _ of readRecords(file, SMALL)) count++;
    expect(count).toBe(COUNT);
    expect(opened()).toBe(0);
  });

  test('break closes it', async () => {
    let during = 0;
    for await (const _ of readRecords(file, SMALL)) {
      during = opened();
      break;
    }
    expect([during, opened()]).toEqual([1, 0]);
  });

  test('return out of a loop over batches closes it', async () => {
    const first = async (): Promise<number | undefined> => {
      const reader = await RecordReader.open(file, SMALL);
      for await (const batch of reader.batches()) return number(batch.at(1));
      return undefined;
    };
    expect([await first(), opened()]).toEqual([1, 0]);
  });

  test('an exception in the loop closes it and goes on', async () => {
    const own = new Error('own');
    const failing = async (): Promise<void> => {
      for await (const record of readRecords(file, SMALL)) if (number(record) === 5_000) throw own;
    };
    await expect(failing()).rejects.toBe(own);
    expect(opened()).toBe(0);
  });

  test('return() and throw() of an iterator close it', async () => {
    const returned = readRecords(file, SMALL);
    await returned.next();
    await expect(returned.return?.('value')).resolves.toEqual({ value: 'value', done: true });
    expect(opened()).toBe(0);
    const thrown = readRecords(file, SMALL);
    await thrown.next();
    const own = new Error('own');
    await expect(thrown.throw?.(own)).rejects.toBe(own);
    expect(opened()).toBe(0);
    await expect(thrown.next()).resolves.toEqual({ value: undefined, done: true });
  });

  test('break and the end of a synchronous reading close it', () => {
    for (const record of readRecordsSync(file, SMALL)) {
      if (number(record) < 10) continue;
      expect(opened()).toBe(1);
      break;
    }
    expect(opened()).toBe(0);
    expect([...readRecordsSync(file, SMALL)]).toHaveLength(COUNT);
  });

  test('await using closes it', async () => {
    // In the form that a compiler makes of `await using`, which not every runtime parses.
    const reader = await RecordReader.open(file, SMALL);
    await reader.batches().next();
    await reader[Symbol.asyncDispose]();
    expect(opened()).toBe(0);
    const iterator = readRecords(file, SMALL) as AsyncIterableIterator<Uint8Array> & AsyncDisposable;
    await iterator.next();
    await iterator[Symbol.asyncDispose]();
    expect(opened()).toBe(0);
  });

  test('close may be called twice, at once and later, and waits both times', async () => {
    const reader = await RecordReader.open(file, SMALL);
    const steps = [reader.batches(), reader[Symbol.asyncIterator]()];
    await steps[0]?.next();
    const after = [reader.close(), reader.close()].map((closed) => closed.then(opened));
    await expect(Promise.all(after)).resolves.toEqual([0, 0]);
    await reader.close();
    for (const lane of steps) await expect(lane.next()).resolves.toEqual({ value: undefined, done: true });
  });

  test('close settles the steps that are pending', async () => {
    const reader = await RecordReader.open(file, SMALL);
    const lane = reader.batches();
    const steps = Array.from({ length: 1_000 }, () => lane.next());
    await reader.close();
    expect(opened()).toBe(0);
    const dones = (await Promise.all(steps)).map(({ done }) => done === true);
    // All records come first, then only ends.
    expect(dones).toEqual([...dones].sort());
    expect(dones.at(-1)).toBe(true);
  });

  test('concurrent steps give every record once, in order', async () => {
    const reader = await RecordReader.open(file, SMALL);
    const lane = reader[Symbol.asyncIterator]();
    const seen: number[] = [];
    for (let done = false; !done;) {
      const steps = await Promise.all(Array.from({ length: 777 }, () => lane.next()));
      for (const step of steps) if (step.done !== true) seen.push(number(step.value));
      done = steps.some((step) => step.done === true);
    }
    expect(seen).toEqual(records.map((_, i) => i));
  });

  test('records and batches share one place', async () => {
    const reader = await RecordReader.open(file, SMALL);
    const [one, two, batch, three] = await Promise.all([
      reader[Symbol.asyncIterator]().next(),
      reader[Symbol.asyncIterator]().next(),
      reader.batches().next(),
      reader[Symbol.asyncIterator]().next(),
    ]);
    expect([one.value, two.value].map(number)).toEqual([0, 1]);
    expect(number(batch.value?.at(0))).toBe(2);
    expect(number(three.value)).toBe(2 + (batch.value?.length as number));
    await reader.close();
  });

  test('an error closes it', async () => {
    const iterator = readRecords([file, folder.at('missing')], SMALL);
    const all = async (): Promise<void> => {
      for await (const _ of iterator) continue;
    };
    await expect(all()).rejects.toMatchObject({ constructor: TFRecordError, code: 'ENOENT' });
    expect(opened()).toBe(0);
    await expect(iterator.next()).resolves.toEqual({ value: undefined, done: true });
  });
});
