/** Callers that do, in the middle of a read or a write, what nobody does on purpose. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RecordReader, RecordWriter, readRecords, readRecordsSync } from '../../../lib';
import { descriptorsIn } from '../../support/running/descriptors';
import { flipBit, tfrecord } from '../../support/records/tfrecord';

const PAYLOADS = Array.from({ length: 2000 }, (_, index) => `record ${index}`);
const FILE = tfrecord(PAYLOADS);
const openFiles = (): number => (process.platform === 'linux' ? descriptorsIn(folder) : 0);

let folder: string;
let path: string;
let damaged: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-hostile-'));
  path = join(folder, 'whole.tfrecord');
  damaged = join(folder, 'damaged.tfrecord');
  writeFileSync(path, FILE);
  writeFileSync(damaged, flipBit(FILE, 12));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('from within onError of readRecordsSync', () => {
  const sources = { 'a missing file': () => [join(folder, 'none'), path], 'a damaged record': () => [damaged, path] };

  test.each(Object.entries(sources))('return() ends the reading: %s', (_name, source) => {
    const records = readRecordsSync(source(), {
      onError: () => {
        records.return?.();
        return 'skip';
      },
    });
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(openFiles()).toBe(0);
  });

  test.each(Object.entries(sources))('next() throws: %s', (_name, source) => {
    const records = readRecordsSync(source(), {
      onError: () => {
        records.next();
        return 'skip';
      },
    });
    expect(() => records.next()).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_STATE' }));
    expect(records.next()).toEqual({ value: undefined, done: true });
    expect(openFiles()).toBe(0);
  });
});

describe('the memory of a batch transferred away', () => {
  const transfer = (record: Uint8Array): void => {
    structuredClone(record, { transfer: [record.buffer as ArrayBuffer] });
  };
  const lost = (record: number, file = path): Error =>
    expect.objectContaining({
      name: 'TFRecordError',
      code: 'TFR_CLOSED',
      message: expect.stringContaining('transferred') as unknown,
      file,
      record,
      offset: FILE.indexOf(`record ${record}`) - 12,
    }) as Error;

  test('readRecords rejects with the place and closes', async () => {
    const records = readRecords(path)[Symbol.asyncIterator]();
    for (let count = 0; count < 2; count++) await records.next();
    transfer((await records.next()).value as Uint8Array);
    const next = records.next();
    await expect(next).rejects.toThrow(lost(3));
    expect(openFiles()).toBe(0);
    expect(await records.next()).toEqual({ value: undefined, done: true });
  });

  test('readRecordsSync throws the same', () => {
    const records = readRecordsSync(path);
    transfer(records.next().value as Uint8Array);
    expect(() => records.next()).toThrow(lost(1));
    expect(openFiles()).toBe(0);
    expect(records.next()).toEqual({ value: undefined, done: true });
  });

  test('a batch throws it from at() and its iterator', async () => {
    const reader = await RecordReader.open(path);
    for await (const batch of reader.batches()) {
      transfer(batch.at(0) as Uint8Array);
      expect(() => batch.at(1)).toThrow(lost(1));
      expect(() => [...batch]).toThrow(lost(0));
      break;
    }
  });
});

describe('what looks like bytes to RecordWriter.write', () => {
  class Liar extends Uint8Array {
    override get length(): number {
      return 64;
    }
  }

  test('a subclass with a length of its own is written as it is', async () => {
    const target = join(folder, 'liar.tfrecord');
    const writer = await RecordWriter.open(target);
    await writer.write(new Liar([1, 2, 3]));
    await writer.close();
    expect(readFileSync(target)).toEqual(tfrecord([Uint8Array.of(1, 2, 3)]));
  });

  test('a large one too', async () => {
    class Large extends Uint8Array {
      override get length(): number {
        return 3;
      }
    }
    const target = join(folder, 'large.tfrecord');
    const writer = await RecordWriter.open(target);
    await writer.write(new Large(3 << 20));
    await writer.close();
    expect(readFileSync(target).equals(tfrecord([new Uint8Array(3 << 20)]))).toBe(true);
  });

  test('an object with the prototype only is refused', async () => {
    const target = join(folder, 'fake.tfrecord');
    const writer = await RecordWriter.open(target);
    const fake = Object.create(Uint8Array.prototype, { length: { value: 5 } }) as Uint8Array;
    await writer.write('first');
    expect(() => writer.write(fake)).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }) as Error,
    );
    await writer.close();
    expect(readFileSync(target)).toEqual(tfrecord(['first']));
  });
});

describe('an array whose memory is gone', () => {
  const gone = expect.objectContaining({
    name: 'TypeError',
    code: 'ERR_INVALID_ARG_VALUE',
    message: expect.stringContaining('detached') as unknown,
  }) as Error;
  type Resizable = ArrayBuffer & { resize(size: number): void };
  const detached: Record<string, () => Uint8Array> = {
    transferred: () => {
      const bytes = new Uint8Array([1, 2, 3]);
      structuredClone(0, { transfer: [bytes.buffer] });
      return bytes;
    },
    'a transferred Buffer': () => {
      const bytes = Buffer.from(new ArrayBuffer(8), 4);
      structuredClone(0, { transfer: [bytes.buffer] });
      return bytes;
    },
    'beyond the end of its buffer': () => {
      const Constructor = ArrayBuffer as unknown as new (size: number, options: object) => Resizable;
      const buffer = new Constructor(8, { maxByteLength: 8 });
      const bytes = new Uint8Array(buffer, 4, 4);
      buffer.resize(6);
      return bytes;
    },
    'with a length of its own': () => {
      const bytes = new Uint8Array(5);
      structuredClone(0, { transfer: [bytes.buffer] });
      return Object.defineProperty(bytes, 'length', { value: 5 });
    },
  };

  test.each(Object.entries(detached))('write() throws: %s', async (_name, make) => {
    const target = join(folder, 'gone.tfrecord');
    const writer = await RecordWriter.open(target);
    expect(() => writer.write(make())).toThrow(gone);
    await writer.write('first');
    expect(() => writer.write(make())).toThrow(gone);
    await writer.write(new Uint8Array(0));
    await writer.close();
    expect(readFileSync(target)).toEqual(tfrecord(['first', '']));
  });

  test.each(Object.entries(detached))('is no source and no chunk: %s', async (_name, make) => {
    expect(() => readRecordsSync(make())).toThrow(gone);
    const read = async (): Promise<void> => {
      for await (const _ of readRecords([FILE.subarray(0, 100), make(), FILE.subarray(100)]));
    };
    await expect(read()).rejects.toThrow(gone);
    expect([...readRecordsSync(new Uint8Array(0))]).toEqual([]);
  });
});

describe('source bytes of a subclass', () => {
  class Liar extends Uint8Array {
    static get [Symbol.species](): Uint8ArrayConstructor {
      throw new Error('species was asked');
    }
    override get byteOffset(): number {
      return 1;
    }
    override get byteLength(): number {
      return 2;
    }
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(7);
    }
    override subarray(): Uint8Array<ArrayBuffer> {
      throw new Error('subarray was asked');
    }
  }
  const large = tfrecord(Array.from({ length: 40 }, () => Buffer.alloc(90_000, 7)));
  const count = (records: Iterable<Uint8Array>): number => [...records].length;

  test('are read as they are', async () => {
    expect(count(readRecordsSync(new Liar(large)))).toBe(40);
    let read = 0;
    for await (const _ of readRecords(new Liar(large))) read++;
    expect(read).toBe(40);
  });

  test('and written', async () => {
    const target = join(folder, 'subclass.tfrecord');
    const writer = await RecordWriter.open(target);
    await writer.write(new Liar([1, 2, 3]));
    await writer.close();
    expect(readFileSync(target)).toEqual(tfrecord([Uint8Array.of(1, 2, 3)]));
  });
});

describe('source bytes that change while they are read', () => {
  const LARGE = tfrecord(Array.from({ length: 200 }, () => Buffer.alloc(50_000, 7)));
  const changed = expect.objectContaining({
    name: 'TFRecordError',
    code: 'TFR_CLOSED',
    message: expect.stringContaining('transferred or resized') as unknown,
    file: '<bytes>',
  }) as Error;
  type Resizable = ArrayBuffer & { resize(size: number): void };
  const changes: Record<string, () => [Uint8Array, () => void]> = {
    transferred: () => {
      const bytes = new Uint8Array(LARGE);
      return [bytes, () => structuredClone(0, { transfer: [bytes.buffer] })];
    },
    resized: () => {
      const options = { maxByteLength: LARGE.length };
      const buffer = new (ArrayBuffer as unknown as new (size: number, options: object) => Resizable)(
        LARGE.length,
        options,
      );
      const bytes = new Uint8Array(buffer);
      bytes.set(LARGE);
      return [bytes, () => buffer.resize(0)];
    },
  };
  const whens = Object.keys(changes).flatMap((how) => [0, 1].map((after) => [how, after] as const));

  test.each(whens)('readRecordsSync: %s after %i records', (how, after) => {
    const [bytes, change] = (changes[how] as () => [Uint8Array, () => void])();
    const records = readRecordsSync(bytes);
    for (let count = 0; count < after; count++) records.next();
    change();
    expect(() => [...records]).toThrow(changed);
  });

  test.each(whens)('readRecords: %s after %i records', async (how, after) => {
    const [bytes, change] = (changes[how] as () => [Uint8Array, () => void])();
    const records = readRecords(bytes)[Symbol.asyncIterator]();
    for (let count = 0; count < after; count++) await records.next();
    change();
    const rest = async (): Promise<void> => {
      while ((await records.next()).done !== true);
    };
    await expect(rest()).rejects.toThrow(changed);
  });
});
