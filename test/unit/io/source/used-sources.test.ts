/** A source that can be read only once throws the second time, and is never an empty or partial file. */
import { createReadStream } from 'node:fs';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { countRecords, readRecords, readRecordsSync, RecordReader, type RecordSource } from '../../../../lib';
import { tfrecord } from '../../../support/records/tfrecord';

const BYTES = tfrecord(['one', 'two', 'three']);
const nodeStream = (): Readable => Readable.from([BYTES], { objectMode: false });
const webStream = (chunks: readonly Uint8Array[] = [BYTES]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
async function* generator(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(BYTES);
}
function* syncGenerator(): Generator<Uint8Array> {
  yield BYTES;
}

const refused = (why: string): Error =>
  expect.objectContaining({
    name: 'TypeError',
    code: 'ERR_INVALID_ARG_VALUE',
    message: expect.stringMatching(new RegExp(`^"source" must be .*${why}.* Received`)) as unknown,
  }) as Error;

async function ended(): Promise<Readable> {
  const stream = nodeStream();
  await buffer(stream);
  return stream;
}
async function locked(): Promise<ReadableStream<Uint8Array>> {
  const stream = webStream();
  await stream.getReader().read();
  return stream;
}
async function cancelled(): Promise<ReadableStream<Uint8Array>> {
  const stream = webStream();
  await stream.cancel();
  return stream;
}
async function readWhole(): Promise<ReadableStream<Uint8Array>> {
  const stream = webStream();
  const reader = stream.getReader();
  while (!(await reader.read()).done);
  reader.releaseLock();
  return stream;
}
async function usedBody(): Promise<ReadableStream<Uint8Array>> {
  const response = new Response(new Uint8Array(BYTES));
  const { body } = response;
  await response.arrayBuffer();
  return body as ReadableStream<Uint8Array>;
}

describe('used by others', () => {
  test.each<[string, string, () => Promise<RecordSource>]>([
    ['a Node stream that ended', 'has ended or was destroyed', ended],
    ['a Node stream that was destroyed', 'has ended or was destroyed', () => Promise.resolve(nodeStream().destroy())],
    ['a web stream that was read', 'was read to its end or cancelled', readWhole],
    ['a web stream that was cancelled', 'was read to its end or cancelled', cancelled],
    ['a web stream that is locked', 'is locked', locked],
    ['the body of a response that was read', 'is locked|was read to its end', usedBody],
  ])('%s', async (_name, why, make) => {
    await expect(RecordReader.open(await make())).rejects.toThrow(refused(why));
    await expect(readRecords(await make()).next()).rejects.toThrow(refused(why));
    await expect(countRecords(await make(), { onError: 'skip' })).rejects.toThrow(refused(why));
  });

  test('an abort that came before goes first', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(countRecords(await ended(), { signal })).rejects.toThrow('enough');
  });

  test('what failed tells its own error', async () => {
    const missing = createReadStream('no such file');
    await new Promise((resolve) => missing.once('error', resolve));
    await expect(countRecords(missing)).rejects.toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
    const failed = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('unplugged')) });
    await expect(countRecords(failed)).rejects.toThrow('unplugged');
  });

  test('of a stream that was read in part comes the rest', async () => {
    const half = BYTES.indexOf('one') + 'one'.length + 4;
    const node = new PassThrough();
    node.write(BYTES.subarray(0, half));
    node.read();
    node.end(BYTES.subarray(half));
    expect(await countRecords(node)).toBe(2);
    const web = webStream([BYTES.subarray(0, half), BYTES.subarray(half)]);
    const reader = web.getReader();
    await reader.read();
    reader.releaseLock();
    expect(await countRecords(web)).toBe(2);
  });

  test('what is empty from the start is an empty file', async () => {
    expect(await countRecords(webStream([]))).toBe(0);
    expect(await countRecords(Readable.from([], { objectMode: false }))).toBe(0);
    expect(await countRecords((function* () {})())).toBe(0);
  });
});

describe('used by us', () => {
  test.each<[string, string, () => RecordSource]>([
    ['Node stream', 'has ended', nodeStream],
    ['web stream', 'was read to its end', webStream],
    ['async generator', 'was read before', generator],
    ['generator', 'was read before', syncGenerator],
    ['iterator of an array', 'was read before', () => [BYTES].values()],
  ])('%s, one after the other', async (_name, why, make) => {
    const source = make();
    expect(await countRecords(source)).toBe(3);
    await expect(countRecords(source)).rejects.toThrow(refused(why));
    const left = make();
    for await (const record of readRecords(left)) if (record.length > 0) break;
    await expect(countRecords(left)).rejects.toThrow(refused(why.replace('has ended', 'destroyed')));
  });

  test.each<[string, string, () => RecordSource]>([
    ['Node stream', 'being read already|has ended', nodeStream],
    ['web stream', 'is locked|was read to its end', webStream],
    ['async generator', 'was read before', generator],
  ])('%s, at the same time', async (_name, why, make) => {
    const source = make();
    const first = await RecordReader.open(source);
    await expect(countRecords(source)).rejects.toThrow(refused(why));
    let count = 0;
    for await (const record of first) count += record.length > 0 ? 1 : 0;
    expect(count).toBe(3);
  });

  test('what can be read twice is', async () => {
    const fresh = { [Symbol.asyncIterator]: generator };
    const rewinding = {
      left: 0,
      [Symbol.iterator]() {
        this.left = 1;
        return this;
      },
      next(): IteratorResult<Uint8Array> {
        return this.left-- > 0 ? { value: BYTES, done: false } : { value: undefined, done: true };
      },
    };
    for (const source of [[BYTES], BYTES, new Blob([new Uint8Array(BYTES)]), fresh, rewinding]) {
      expect([await countRecords(source), await countRecords(source)]).toEqual([3, 3]);
    }
  });
});

describe('what is no source', () => {
  test('a stream that can only be written', () => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    expect(() => readRecords(sink as unknown as RecordSource)).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }) as Error,
    );
  });

  test('a list that names standard input twice', () => {
    const refusal = expect.objectContaining({
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_VALUE',
      message: '"source[2]" must be another name: standard input can be read only once. Received "-"',
    }) as Error;
    expect(() => readRecords(['-', 'a', '-'])).toThrow(refusal);
    expect(() => readRecordsSync(['-', 'a', '-'])).toThrow(refusal);
  });
});
