import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import {
  type TFRecordError,
  countRecords,
  readRecords,
  readRecordsSync,
  RecordReader,
  type RecordSource,
} from '../../../../lib';
import { readTexts, readTextsSync, text } from '../../../support/records/texts';
import { flipBit, frame, tfrecord } from '../../../support/records/tfrecord';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-sources-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, payloads: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, tfrecord(payloads));
  return path;
}

describe('lists', () => {
  test('keep their order; records and offsets are counted in each file', async () => {
    const [b, a] = [write('b', ['b0', 'b1']), write('a', ['a0'])];
    const reader = await RecordReader.open([b, pathToFileURL(a), b]);
    const seen: unknown[] = [];
    for await (const record of reader) seen.push([text(record), reader.origin?.file, reader.origin?.record]);
    expect(seen).toEqual([
      ['b0', b, 0],
      ['b1', b, 1],
      ['a0', a, 0],
      ['b0', b, 0],
      ['b1', b, 1],
    ]);
    expect(readTextsSync([b, a])).toEqual(['b0', 'b1', 'a0']);
  });

  test('a missing file is skipped once, and the others are read', async () => {
    const [a, missing] = [write('a', ['a0']), join(folder, 'missing')];
    const report = jest.fn();
    expect(await readTexts([missing, a, missing], { onError: { action: 'skip', report } })).toEqual(['a0']);
    expect(report.mock.calls.map(([error]) => error.code)).toEqual(['ENOENT', 'ENOENT']);
    expect(readTextsSync([missing, a], { onError: 'skip' })).toEqual(['a0']);
    expect(await readTexts([missing], { onError: 'skip' })).toEqual([]);
  });

  test('skip gives up the rest of one file only, stop ends all', async () => {
    const damaged = join(folder, 'damaged');
    writeFileSync(damaged, flipBit(tfrecord(['d0', 'd1', 'd2']), 18 + 8));
    const a = write('a', ['a0']);
    let message = '';
    const report = (error: TFRecordError): void => {
      message = error.message;
    };
    expect(await readTexts([damaged, a], { onError: { action: 'skip', report } })).toEqual(['d0', 'a0']);
    expect(message).toContain('The last 36 bytes of the file cannot be read.');
    expect(await readTexts([damaged, a], { onError: 'stop' })).toEqual(['d0']);
    expect(readTextsSync([damaged, a], { onError: 'stop' })).toEqual(['d0']);
  });
});

describe('what the file system says', () => {
  test('a missing file rejects open, and the first step of readRecords', async () => {
    const missing = join(folder, 'missing');
    const error = { name: 'TFRecordError', code: 'ENOENT', syscall: 'open', file: missing };
    await expect(RecordReader.open(missing)).rejects.toMatchObject(error);
    await expect(readRecords(missing).next()).rejects.toMatchObject(error);
    await expect(countRecords(missing)).rejects.toMatchObject(error);
    expect(() => readRecordsSync(missing).next()).toThrow(expect.objectContaining(error));
  });

  test.each([
    ['ENAMETOOLONG', 'x'.repeat(300)],
    ['ENOTDIR', 'file/a.tfrecord'],
    ['ELOOP', 'loop'],
    ['ENOENT', 'dangling'],
  ])('%s in both lanes: %s', async (code, name) => {
    write('file', []);
    for (const link of ['loop', 'dangling']) rmSync(join(folder, link), { force: true });
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nothing', join(folder, 'dangling'));
    const error = { name: 'TFRecordError', code, syscall: 'open', file: join(folder, name) };
    await expect(readTexts(join(folder, name))).rejects.toMatchObject(error);
    expect(() => readTextsSync(join(folder, name))).toThrow(expect.objectContaining(error));
  });

  test('a folder is EISDIR', async () => {
    const message = expect.stringContaining(`name the files in it, as '${join(folder, '*')}'`) as string;
    await expect(RecordReader.open(folder)).rejects.toMatchObject({ code: 'EISDIR', file: folder, message });
    expect(() => readRecordsSync(folder).next()).toThrow(expect.objectContaining({ code: 'EISDIR', message }));
  });

  test('a pipe is read as it comes', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readTexts(pipe);
    createWriteStream(pipe).end(tfrecord(['through', 'a pipe']));
    expect(await reading).toEqual(['through', 'a pipe']);
  });

  test('- is standard input', async () => {
    const stdin = jest.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([tfrecord(['in'])]) as never);
    try {
      const reader = await RecordReader.open('-');
      for await (const record of reader) expect(text(record)).toBe('in');
      expect(reader.origin).toEqual({ file: '-', record: 0, offset: 0, bytes: 2 });
    } finally {
      stdin.mockRestore();
    }
  });
});

describe('streams', () => {
  test('records of a slow source come as they arrive', async () => {
    const stream = new PassThrough();
    const records = readRecords(stream);
    for (const payload of ['first', 'second', 'third']) {
      stream.write(frame(payload));
      expect(text((await records.next()).value as Uint8Array)).toBe(payload);
    }
    stream.end();
    expect(await records.next()).toEqual({ value: undefined, done: true });
  });

  test("a source's own error comes through behind the whole records before it", async () => {
    const mine = new Error('source failed');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield frame('whole');
      yield frame('cut').subarray(0, 15);
      throw mine;
    }
    for (const source of [failing(), Readable.from(failing()), Readable.toWeb(Readable.from(failing()))]) {
      const records = readRecords(source as RecordSource);
      expect(text((await records.next()).value as Uint8Array)).toBe('whole');
      await expect(records.next()).rejects.toBe(mine);
      expect(await records.next()).toEqual({ value: undefined, done: true });
    }
  });

  test('break returns, cancels and destroys the source', async () => {
    const returned = jest.fn();
    const endless: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ value: frame('again'), done: false }),
        return: () => {
          returned();
          return Promise.resolve({ value: undefined, done: true });
        },
      }),
    };
    const cancelled = jest.fn();
    const web = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(frame('again')),
      cancel: cancelled,
    });
    const node = Readable.from(endless);
    for (const source of [endless, web, node]) {
      for await (const record of readRecords(source as RecordSource)) {
        expect(text(record)).toBe('again');
        break;
      }
    }
    expect(returned).toHaveBeenCalled();
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(node.destroyed).toBe(true);
  });

  test('an async generator that is stuck in a step does not hold up close', async () => {
    async function* stuck(): AsyncGenerator<Uint8Array> {
      yield frame('one');
      await new Promise(() => {});
    }
    const reader = await RecordReader.open(stuck());
    const records = reader[Symbol.asyncIterator]();
    expect(text((await records.next()).value as Uint8Array)).toBe('one');
    const waiting = records.next();
    await reader.close();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  test('a fast source is not read without bound', async () => {
    let given = 0;
    function* endless(): Generator<Uint8Array> {
      const chunk = Buffer.concat(Array.from({ length: 64 }, () => frame('x'.repeat(1000))));
      for (;;) {
        given += chunk.length;
        yield chunk;
      }
    }
    const reader = await RecordReader.open(endless());
    await reader[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(given).toBeLessThan(8 * 1024 * 1024);
    await reader.close();
  });

  test("streams of Node's first days are read too", async () => {
    const old = Object.assign(new EventEmitter(), { pipe: () => old, pause: () => old, resume: () => old });
    const reading = readTexts(old as never);
    while (old.listenerCount('data') === 0) await setImmediate();
    old.emit('data', frame('old'));
    old.emit('data', frame('stream'));
    old.emit('end');
    expect(await reading).toEqual(['old', 'stream']);
  });

  test('a web stream that is locked is refused', async () => {
    const stream = new Blob([new Uint8Array(frame('a'))]).stream();
    stream.getReader();
    await expect(RecordReader.open(stream)).rejects.toMatchObject({ name: 'TypeError' });
  });

  test('chunks that are no bytes are refused', async () => {
    const error = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    await expect(readTexts(['a', 'b'].values() as never)).rejects.toMatchObject(error);
    await expect(readTexts(Readable.from([frame('a')]).setEncoding('latin1'))).rejects.toMatchObject(error);
    await expect(readTexts([[1, 2]].values() as never)).rejects.toMatchObject(error);
  });
});

describe('wrong arguments', () => {
  const wrong: [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['an object', {}],
    ['an ArrayBuffer', new ArrayBuffer(8)],
    ['a Float32Array', new Float32Array(2)],
    ['a list of numbers', [1, 2]],
    ['an empty list', []],
    ['a list of paths and bytes', ['a', new Uint8Array(1)]],
    ['an empty path', ''],
    ['a null byte', 'a\0b'],
    ['a URL that is no file and no object', new URL('ftp://example.com/a')],
  ];
  test.each(wrong)('%s throws a TypeError at once', async (_, source) => {
    expect(() => readRecords(source as never)).toThrow(TypeError);
    expect(() => readRecordsSync(source as never)).toThrow(TypeError);
    await expect(RecordReader.open(source as never)).rejects.toThrow(TypeError);
    await expect(countRecords(source as never)).rejects.toThrow(TypeError);
  });

  test('chunks may be ArrayBuffers', async () => {
    const chunks = [frame('a'), frame('b')].map((bytes) => new Uint8Array(bytes).buffer);
    const { port1, port2 } = new MessageChannel();
    const gone = new ArrayBuffer(20);
    port1.postMessage(gone, [gone]);
    port1.close();
    port2.close();
    const web = (): ReadableStream<ArrayBuffer> =>
      new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
    for (const source of [chunks, chunks.values(), web(), [chunks[0]!, frame('b')]]) {
      expect(await readTexts(source)).toEqual(['a', 'b']);
    }
    await expect(readTexts([gone])).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  test('streams need promises', () => {
    expect(() => readRecordsSync(new Blob([]) as never)).toThrow(/streams need promises/);
  });

  test.each([
    [{ compresion: 'gzip' }, 'ERR_INVALID_ARG_VALUE'],
    [{ compression: 'GZIP' }, 'ERR_INVALID_ARG_VALUE'],
    [{ compression: 1 }, 'ERR_INVALID_ARG_TYPE'],
    [{ verify: 'crc' }, 'ERR_INVALID_ARG_VALUE'],
    [{ onError: 'ignore' }, 'ERR_INVALID_ARG_VALUE'],
    [{ onError: null }, 'ERR_INVALID_ARG_TYPE'],
    [{ onError: { action: 'stop' } }, 'ERR_INVALID_ARG_VALUE'],
    [{ onError: { action: 'skip', maxRate: 2 } }, 'ERR_OUT_OF_RANGE'],
    [{ onError: { action: 'skip', maximum: 2 } }, 'ERR_INVALID_ARG_VALUE'],
    [{ onError: { action: 'skip', report: 1 } }, 'ERR_INVALID_ARG_TYPE'],
    [{ maxRecordBytes: -1 }, 'ERR_OUT_OF_RANGE'],
    [{ maxRecordBytes: 2 ** 40 }, 'ERR_OUT_OF_RANGE'],
    [{ maxRecordBytes: '5' }, 'ERR_INVALID_ARG_TYPE'],
    [{ batchBytes: 100 }, 'ERR_OUT_OF_RANGE'],
    [{ batchBytes: 5000.5 }, 'ERR_OUT_OF_RANGE'],
    [{ readAhead: 65 }, 'ERR_OUT_OF_RANGE'],
    [{ signal: {} }, 'ERR_INVALID_ARG_TYPE'],
    ['gzip', 'ERR_INVALID_ARG_TYPE'],
    [[], 'ERR_INVALID_ARG_TYPE'],
  ])('options %j', (options, code) => {
    expect(() => readRecords('a', options as never)).toThrow(expect.objectContaining({ code }));
    expect(() => readRecordsSync('a', options as never)).toThrow(expect.objectContaining({ code }));
  });
});
