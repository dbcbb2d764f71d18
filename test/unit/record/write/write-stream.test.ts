import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Stream, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip, createGzip, gunzipSync } from 'node:zlib';

import { readRecordsSync, RecordWriter } from '../../../../lib';
import { FOO_BAR } from '../../../support/records/tfrecord';

const MIB = 1024 * 1024;

/** A Node stream that keeps what it is given, at its own pace. */
class Sink extends Writable {
  readonly chunks: Buffer[] = [];
  /** The most that was waiting in it. */
  peak = 0;

  constructor(readonly pace: () => Promise<unknown> = () => Promise.resolve()) {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.peak = Math.max(this.peak, this.writableLength);
    this.pace().then(() => {
      this.chunks.push(chunk);
      done();
    }, done);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

function webSink(write: (chunk: Uint8Array) => Promise<void> | void = () => undefined) {
  const chunks: Uint8Array[] = [];
  let ended: unknown;
  const stream = new WritableStream<Uint8Array>({
    async write(chunk) {
      await write(chunk);
      chunks.push(chunk);
    },
    close() {
      ended = 'closed';
    },
    abort(reason) {
      ended = reason;
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks), ended: () => ended };
}

async function writeFooBar(writer: RecordWriter): Promise<unknown> {
  await writer.write('foo');
  await writer.write('bar');
  return writer.close();
}

describe('a Node stream', () => {
  it('may be one of old, which cannot be destroyed', async () => {
    const old = Object.assign(new Stream(), { writable: true, write: () => true, end: () => undefined });
    const writer = await RecordWriter.open(old as unknown as NodeJS.WritableStream);
    await writer.write('record');
    await writer.abort();
    await expect(writer.close()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  it('takes the bytes of the file and is ended', async () => {
    const sink = new Sink();
    const report = await writeFooBar(await RecordWriter.open(sink));
    expect(sink.bytes.toString('hex')).toBe(FOO_BAR);
    expect(sink.writableFinished).toBe(true);
    expect(report).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
  });

  it('is compressed when asked to', async () => {
    const sink = new Sink();
    await writeFooBar(await RecordWriter.open(sink, { compression: 'gzip' }));
    expect(gunzipSync(sink.bytes).toString('hex')).toBe(FOO_BAR);
  });

  it('may be a Transform, whose other side is read later', async () => {
    const gzip = createGzip();
    await writeFooBar(await RecordWriter.open(gzip));
    const chunks: Buffer[] = [];
    for await (const chunk of gzip.pipe(createGunzip())) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString('hex')).toBe(FOO_BAR);
  });

  it('has everything after flush', async () => {
    const sink = new Sink(() => turn());
    const writer = await RecordWriter.open(sink);
    await writer.write('foo');
    await writer.write('bar');
    await writer.flush();
    expect(sink.bytes.toString('hex')).toBe(FOO_BAR);
    expect(sink.writableEnded).toBe(false);
    await writer.close();
  });

  it('holds the writer back', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const sink = new Sink(() => gate);
    const writer = await RecordWriter.open(sink, { threads: 1 });
    const record = Buffer.alloc(MIB - 16, 7);
    let full: Promise<void> | undefined;
    let count = 0;
    // After a turn of the event loop, and with a stopped clock, no write waits for another turn.
    await turn();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    for (; full === undefined; count++) full = writer.write(record);
    clock.mockRestore();
    let waits = true;
    void full.then(() => (waits = false));
    for (let i = 0; i < 50; i++) await turn();
    // The stream takes nothing, so nothing may go on.
    expect(waits).toBe(true);
    open!();
    await full;
    for (; count < 20; count++) await writer.write(record);
    await writer.close();
    expect(sink.peak).toBeLessThanOrEqual(MIB);
    expect([...readRecordsSync(sink.bytes)]).toHaveLength(20);
  });

  it.each([
    ['its write', () => new Sink(() => Promise.reject(new Error('the sink broke')))],
    [
      'its end',
      () =>
        new Writable({
          write: (_chunk, _encoding, done) => done(),
          final: (done) => done(new Error('the sink broke')),
        }),
    ],
  ])('fails the writer by %s, with its own error, again and again', async (_, sink) => {
    const writer = await RecordWriter.open(sink());
    await writer.write('foo');
    const first = await writer.close().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(first).toMatchObject({ message: 'the sink broke' });
    await expect(writer.write('bar')).rejects.toBe(first);
    await expect(writer.flush()).rejects.toBe(first);
    await expect(writer.close()).rejects.toBe(first);
  });

  it('of a file that cannot be opened fails the writer with its path and its own error', async () => {
    const path = join(tmpdir(), 'none', 'of', 'this', 'a.tfrecord');
    const writer = await RecordWriter.open(createWriteStream(path));
    await writer.write('foo');
    await expect(writer.close()).rejects.toMatchObject({
      name: 'TFRecordError',
      code: 'ENOENT',
      syscall: 'open',
      file: path,
      message: `ENOENT: no such file or directory, open '${path}'`,
      cause: expect.objectContaining({ code: 'ENOENT', path }) as Error,
    });
  });

  it('without a path keeps its own error as the cause', async () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', errno: -32, syscall: 'write' });
    const writer = await RecordWriter.open(new Sink(() => Promise.reject(broken)));
    await writer.write('foo');
    await expect(writer.close()).rejects.toMatchObject({ code: 'EPIPE', file: '<stream>', cause: broken });
  });

  it('that closes early is an error', async () => {
    const sink = new Sink();
    const writer = await RecordWriter.open(sink);
    sink.destroy();
    await turn();
    await writer.write('foo');
    await expect(writer.flush()).rejects.toMatchObject({ code: expect.stringMatching(/ERR_STREAM/) as string });
    await expect(writer.close()).rejects.toMatchObject({ code: expect.stringMatching(/ERR_STREAM/) as string });
  });

  it('that somebody else ended is an error', async () => {
    const sink = new Sink();
    const writer = await RecordWriter.open(sink);
    sink.end();
    await turn();
    await writer.write('foo');
    await expect(writer.close()).rejects.toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' });
  });

  it('is destroyed by abort, and what waited rejects', async () => {
    const sink = new Sink(() => new Promise(() => undefined));
    const writer = await RecordWriter.open(sink);
    await writer.write('foo');
    const flushed = writer.flush();
    await turn();
    await writer.abort();
    await expect(flushed).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    expect(sink.destroyed).toBe(true);
  });

  it('that has ended is refused', async () => {
    const sink = new PassThrough();
    sink.end();
    await expect(RecordWriter.open(sink)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

describe('a web stream', () => {
  it('takes the bytes of the file and is closed', async () => {
    const sink = webSink();
    const report = await writeFooBar(await RecordWriter.open(sink.stream));
    expect(sink.bytes().toString('hex')).toBe(FOO_BAR);
    expect(sink.ended()).toBe('closed');
    expect(sink.stream.locked).toBe(false);
    expect(report).toEqual({ records: 2, bytes: 6, fileBytes: 38 });
  });

  it('holds the writer back, and has everything after flush', async () => {
    const sink = webSink(() => turn());
    const writer = await RecordWriter.open(sink.stream, { threads: 1 });
    const record = Buffer.alloc(MIB - 16, 7);
    let waited = 0;
    for (let i = 0; i < 20; i++) {
      const full = writer.write(record);
      if (full !== undefined) waited++;
      await full;
    }
    await writer.flush();
    expect(sink.bytes()).toHaveLength(20 * MIB);
    expect(waited).toBeGreaterThan(0);
    await writer.close();
  });

  it('fails the writer with its own error, again and again', async () => {
    const error = new Error('the sink broke');
    const writer = await RecordWriter.open(webSink(() => Promise.reject(error)).stream);
    await writer.write('foo');
    await expect(writer.flush()).rejects.toBe(error);
    await expect(writer.write('bar')).rejects.toBe(error);
    await expect(writer.close()).rejects.toBe(error);
  });

  it('is aborted by abort, with the reason', async () => {
    const sink = webSink();
    const controller = new AbortController();
    const writer = await RecordWriter.open(sink.stream, { signal: controller.signal });
    await writer.write('foo');
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(writer.close()).rejects.toBe(reason);
    expect(sink.ended()).toBe(reason);
  });

  it('that is locked is refused', async () => {
    const { stream } = webSink();
    stream.getWriter();
    await expect(RecordWriter.open(stream)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});
