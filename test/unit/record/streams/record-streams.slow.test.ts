/** RecordDecoderStream, RecordEncoderStream and their twins for Node streams. */
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

import * as fc from 'fast-check';

import {
  createRecordDecoder,
  createRecordEncoder,
  encodeExamples,
  encodeRecords,
  fixedLen,
  RecordBatch,
  RecordDecoderStream,
  RecordEncoderStream,
  type RecordEncoderOptions,
  type ReadOptions,
} from '../../../../lib';

const PAYLOADS = Array.from({ length: 300 }, (_, i) => Buffer.from(`record ${i} ${'x'.repeat((i * 37) % 500)}`));
const CODECS = ['none', 'gzip', 'zlib'] as const;

const { from } = ReadableStream as unknown as { from<T>(chunks: Iterable<T>): ReadableStream<T> };
function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of given) found.push(each);
  return found;
}

const texts = (records: readonly Uint8Array[]): string[] => records.map((record) => Buffer.from(record).toString());

type Decode = (chunks: Iterable<unknown>, options?: ReadOptions) => AsyncIterable<Uint8Array>;
const DECODERS: [string, Decode][] = [
  [
    'RecordDecoderStream',
    (chunks, options) => from(chunks as Iterable<Uint8Array>).pipeThrough(new RecordDecoderStream(options)) as never,
  ],
  [
    'createRecordDecoder()',
    (chunks, options) => {
      const decoder = createRecordDecoder(options);
      pipeline(Readable.from(chunks), decoder).catch(() => undefined);
      return decoder;
    },
  ],
];

describe.each(DECODERS)('%s', (_, decode) => {
  test.each(CODECS)('gives the records of a %s file, in chunks of any size', async (compression) => {
    const file = encodeRecords(PAYLOADS, { compression });
    for (const size of [file.length, 65_536, 1000, 13]) {
      expect(texts(await all(decode(pieces(file, size))))).toEqual(texts(PAYLOADS));
    }
    const small = encodeRecords(PAYLOADS.slice(0, 3), { compression });
    expect(await all(decode(pieces(small, 1)))).toHaveLength(3);
  });

  test('an empty file, and chunks without bytes', async () => {
    expect(await all(decode([]))).toEqual([]);
    expect(await all(decode([new Uint8Array(0), encodeRecords(['a']), new Uint8Array(0)]))).toEqual(
      [Buffer.from('a')].map((b) => new Uint8Array(b)),
    );
  });

  test('a file that is cut at any byte gives its whole records, then fails', async () => {
    const file = encodeRecords(['first', 'second']);
    const ends = [16 + 5, 2 * 16 + 11];
    for (let cut = 1; cut < file.length; cut++) {
      const records: string[] = [];
      let code: unknown;
      try {
        for await (const record of decode(pieces(file.subarray(0, cut), 7)))
          records.push(Buffer.from(record).toString());
      } catch (error) {
        ({ code } = error as { code: unknown });
      }
      expect(records).toEqual(['first', 'second'].filter((__, i) => ends[i]! <= cut));
      expect(code).toBe(ends.includes(cut) ? undefined : 'TFR_TRUNCATED');
    }
  });

  test('damage names the record; onError skips it', async () => {
    const file = encodeRecords(['one', 'two', 'three']);
    file[19 + 12]! ^= 1;
    const found: string[] = [];
    await expect(
      (async () => {
        for await (const record of decode([file])) found.push(Buffer.from(record).toString());
      })(),
    ).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 1, file: '<stream>' });
    expect(found).toEqual(['one']);
    expect(texts(await all(decode([file], { onError: 'skip' })))).toEqual(['one', 'three']);
    expect(texts(await all(decode([file, file, file], { onError: 'stop' })))).toEqual(['one']);
  });

  test('a chunk that is no bytes fails', async () => {
    await expect(all(decode(['text']))).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  test('a signal ends it', async () => {
    const controller = new AbortController();
    const endless = (function* () {
      for (;;) yield encodeRecords(PAYLOADS);
    })();
    let records = 0;
    await expect(
      (async () => {
        for await (const _record of decode(endless, { signal: controller.signal })) {
          if (++records === 1000) controller.abort(new Error('enough'));
        }
      })(),
    ).rejects.toThrow('enough');
  });

  test('leaving the loop early ends the source', async () => {
    let ended = false;
    const endless = (function* () {
      try {
        for (;;) yield encodeRecords(PAYLOADS);
      } finally {
        ended = true;
      }
    })();
    for await (const _record of decode(endless)) break;
    for (let i = 0; i < 100 && !ended; i++) await wait(5);
    expect(ended).toBe(true);
  });
});

test('wrong options throw at once', () => {
  expect(() => new RecordDecoderStream({ verify: 'some' as never })).toThrow(/options.verify/);
  expect(() => createRecordDecoder({ nonsense: 1 } as never)).toThrow(/nonsense/);
  expect(() => new RecordEncoderStream({ compression: 'auto' as never })).toThrow(/options.compression/);
  expect(() => createRecordEncoder({ level: 3 })).toThrow(/options.level/);
});

test('chunks may be reused when their write has resolved', async () => {
  const file = encodeRecords(PAYLOADS);
  const decoder = new RecordDecoderStream();
  const reading = all(decoder.readable as never);
  const writer = decoder.writable.getWriter();
  const chunk = new Uint8Array(100);
  for (const piece of pieces(file, 100)) {
    chunk.set(piece);
    await writer.write(chunk.subarray(0, piece.length));
    chunk.fill(0xaa);
  }
  await writer.close();
  expect(texts((await reading) as Uint8Array[])).toEqual(texts(PAYLOADS));
});

test('shared and detached chunks', async () => {
  const file = encodeRecords(['a', 'b']);
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  expect(await all(from([shared]).pipeThrough(new RecordDecoderStream()) as never)).toHaveLength(2);
  structuredClone(file, { transfer: [file.buffer] });
  await expect(all(from([file]).pipeThrough(new RecordDecoderStream()) as never)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
  });
});

test('aborting the writable side of a decoder, cancelling the readable one', async () => {
  const decoder = new RecordDecoderStream();
  const reading = all(decoder.readable as never);
  const writer = decoder.writable.getWriter();
  await writer.write(encodeRecords(['a']).subarray(0, 5));
  await writer.abort(new Error('source gone'));
  await expect(reading).rejects.toThrow('source gone');

  const other = new RecordDecoderStream();
  const written = other.writable.getWriter();
  const pending = written.write(encodeRecords(['a']));
  await other.readable.cancel(new Error('no more'));
  await expect(written.closed).rejects.toThrow('no more');
  await pending.catch(() => undefined);

  const failed = new RecordDecoderStream();
  const closing = from([encodeRecords(['a']).subarray(0, 9)]).pipeTo(failed.writable);
  await Promise.all([
    expect(closing).rejects.toMatchObject({ code: 'TFR_TRUNCATED' }),
    expect(all(failed.readable as never)).rejects.toMatchObject({ code: 'TFR_TRUNCATED' }),
  ]);
});

type Encode = (records: Iterable<unknown>, options?: RecordEncoderOptions) => AsyncIterable<Uint8Array>;
const ENCODERS: [string, Encode][] = [
  [
    'RecordEncoderStream',
    (records, options) => from(records as Iterable<Uint8Array>).pipeThrough(new RecordEncoderStream(options)) as never,
  ],
  [
    'createRecordEncoder()',
    (records, options) => {
      const encoder = createRecordEncoder(options);
      pipeline(Readable.from(records), encoder).catch(() => undefined);
      return encoder;
    },
  ],
];

describe.each(ENCODERS)('%s', (_, encode) => {
  test.each(CODECS)('gives the bytes of encodeRecords: %s', async (compression) => {
    const options = compression === 'none' ? {} : { compression, level: 4 };
    expect(Buffer.concat(await all(encode(PAYLOADS, options)))).toEqual(Buffer.from(encodeRecords(PAYLOADS, options)));
    expect(Buffer.concat(await all(encode([], options)))).toEqual(Buffer.from(encodeRecords([], options)));
  });

  test('text and batches are records', async () => {
    const batch = encodeExamples({ id: BigInt64Array.of(1n, 2n) }, { id: fixedLen([], 'int64') });
    expect(batch).toBeInstanceOf(RecordBatch);
    expect(Buffer.concat(await all(encode(['é', batch, new Uint8Array([1])])))).toEqual(
      Buffer.from(encodeRecords(['é', batch, new Uint8Array([1])])),
    );
  });

  test('many MiB, with a slow reader', async () => {
    const record = Buffer.alloc(700_000, 7);
    let bytes = 0;
    for await (const chunk of encode(Array(20).fill(record))) {
      bytes += chunk.length;
      await wait(1);
    }
    expect(bytes).toBe(20 * (record.length + 16));
  });

  test.each([
    ['a number', 5, 'ERR_INVALID_ARG_TYPE'],
    ['a lone surrogate', '\ud800', 'ERR_INVALID_ARG_VALUE'],
    ['a record that is too long', Buffer.alloc(2000), 'TFR_RECORD_TOO_LARGE'],
  ])('%s fails', async (__, record, code) => {
    await expect(all(encode(['a', record, 'b'], { maxRecordBytes: 1000 }))).rejects.toMatchObject({ code });
  });

  test('a source that fails, a reader that leaves, a signal', async () => {
    const failing = (function* () {
      yield 'a';
      throw new Error('no more rows');
    })();
    await expect(all(encode(failing))).rejects.toThrow('no more rows');
    let ended = false;
    const endless = (function* () {
      try {
        for (;;) yield Buffer.alloc(10_000);
      } finally {
        ended = true;
      }
    })();
    for await (const _chunk of encode(endless)) break;
    for (let i = 0; i < 100 && !ended; i++) await wait(5);
    expect(ended).toBe(true);
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(all(encode(['a'], { signal }))).rejects.toThrow('stop');
  });
});

test('a signal ends both sides of a web stream that waits for its source', async () => {
  const reason = new Error('stop');
  for (const Transform of [RecordEncoderStream, RecordDecoderStream]) {
    const controller = new AbortController();
    const { readable, writable } = new Transform({ signal: controller.signal });
    let cancelled: unknown;
    const idle = new ReadableStream<never>({ cancel: (why) => void (cancelled = why) });
    const piped = idle.pipeTo(writable);
    await wait(5);
    controller.abort(reason);
    await expect(piped).rejects.toBe(reason);
    expect(cancelled).toBe(reason);
    await expect(readable.getReader().read()).rejects.toBe(reason);
  }
});

test('a signal ends a Node decoder that nobody reads', async () => {
  const controller = new AbortController();
  const stream = createRecordDecoder({ signal: controller.signal });
  const failed = once(stream, 'error');
  await wait(5);
  const reason = new Error('stop');
  controller.abort(reason);
  expect(await failed).toEqual([reason]);
  expect(stream.destroyed).toBe(true);
});

test('there and back, in any order of sizes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 50 }),
      fc.constantFrom(...CODECS),
      fc.integer({ min: 1, max: 400 }),
      async (records, compression, size) => {
        const bytes = Buffer.concat(
          await all(from(records).pipeThrough(new RecordEncoderStream({ compression })) as never),
        );
        const decoder = createRecordDecoder();
        const reading = all(decoder as AsyncIterable<Uint8Array>);
        await Promise.all([pipeline(Readable.from(pieces(bytes, size)), decoder), reading]);
        expect((await reading).map((record) => [...record])).toEqual(records.map((record) => [...record]));
      },
    ),
    { numRuns: 40 },
  );
});

test('pipeline from rows to a file of records, and its destination that fails', async () => {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, __, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline(
    PAYLOADS,
    createRecordEncoder({ compression: 'gzip' }),
    createRecordDecoder(),
    createRecordEncoder(),
    target,
  );
  expect(Buffer.concat(chunks)).toEqual(Buffer.from(encodeRecords(PAYLOADS)));

  const broken = new Writable({
    write(__, ___, done) {
      done(new Error('disk full'));
    },
  });
  const endless = (function* () {
    for (;;) yield Buffer.alloc(10_000);
  })();
  await expect(pipeline(endless, createRecordEncoder(), broken)).rejects.toThrow('disk full');
});

test('destroyed Node streams close', async () => {
  for (const stream of [createRecordDecoder(), createRecordEncoder()]) {
    stream.on('error', () => undefined);
    stream.write(encodeRecords(['a']));
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.destroy(new Error('over'));
    await closed;
    expect(stream.errored).toMatchObject({ message: 'over' });
  }
});
