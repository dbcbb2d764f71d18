/** Rows and batches that are valid until the next step: readers with `transient`. */
import { writeFileSync } from 'node:fs';

import {
  BytesArray,
  DenseTensor,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  ragged,
  RaggedTensor,
  readExamples,
  readSequenceExamples,
  type RecordSource,
  sparse,
  SparseTensor,
  varLen,
} from '../../../../lib';
import { MemoryPool } from '../../../../lib/io';
import { parsedBatches, plainRow } from '../../../support/examples/example-files';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, floats, int64s, strings } from '../../../support/examples/wire';

const SPEC = {
  id: fixedLen([], 'int64'),
  pair: fixedLen([2], 'float32'),
  name: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true }),
  places: sparse({ indexKey: 'at', valueKey: 'weights', dtype: 'float32', size: 100 }),
  parts: ragged({ valueKey: 'cut', dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
};
const ROWS = 1000;
const record = (i: number): Uint8Array =>
  exampleOf({
    id: int64s(i),
    pair: floats(i, i / 2),
    name: strings('n'.repeat((i % 7) * 1000)),
    tags: strings(...Array.from({ length: i % 4 }, (_, k) => `${i}.${k}`)),
    steps: int64s(...Array.from({ length: i % 5 }, (_, k) => k)),
    at: int64s(i % 100, 99),
    weights: floats(1, i),
    cut: int64s(...Array.from({ length: i % 3 }, (_, k) => i + k)),
    lengths: int64s(i % 3, 0),
  });

const folder = new Folder();
afterAll(() => folder.remove());
const path = folder.at('rows.tfrecord');
const RECORDS = Array.from({ length: ROWS }, (_, i) => record(i));
beforeAll(() => writeFileSync(path, tfrecord(RECORDS)));

/** Every buffer that the values of a batch lie in. */
function buffersOf(value: unknown): ArrayBufferLike[] {
  if (ArrayBuffer.isView(value)) return [value.buffer];
  if (value instanceof BytesArray) return [value.data.buffer, value.offsets.buffer];
  if (value instanceof DenseTensor) return buffersOf(value.data);
  if (value instanceof SparseTensor) {
    return [value.values, ...(value.rowSplits ?? [value.indices])].flatMap(buffersOf);
  }
  if (value instanceof RaggedTensor) return [value.values, ...value.rowSplits].flatMap(buffersOf);
  return Object.values(value as object).flatMap(buffersOf);
}

const bytesIn = (value: unknown): number => buffersOf(value).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** What `parseExample` makes of so many records at a time. */
const batched = (size: number): unknown[] => parsedBatches(RECORDS, SPEC, size);

test.each([1, 7, 64, 1000, 5000])('batches of %i, until the next step', async (size) => {
  const found: unknown[] = [];
  let last: object | undefined;
  let bytes = 0;
  for await (const batch of readExamples(path, SPEC, { transient: true }).batches(size)) {
    // Memory that somebody still holds is not taken away.
    if (last !== undefined) expect(bytesIn(last)).toBe(bytes);
    bytes = bytesIn(batch);
    expect(bytes).toBeGreaterThan(0);
    found.push(plainFeatures(batch));
    last = batch;
  }
  expect(found).toEqual(batched(size));
  expect(bytesIn(last)).toBe(bytes);
});

test('the memory of one batch serves the next ones', async () => {
  const seen = new Set<ArrayBufferLike>();
  let batches = 0;
  for await (const { id } of readExamples([path, path, path], SPEC, { transient: true }).batches(64)) {
    seen.add(id.buffer);
    batches++;
  }
  expect(seen.size).toBeLessThan(batches / 2);
});

test('rows: what others give', async () => {
  const wanted: unknown[] = [];
  for await (const row of readExamples(path, SPEC)) wanted.push(plainRow(row, SPEC));
  const found: unknown[] = [];
  for await (const row of readExamples(path, SPEC, { transient: true })) found.push(plainRow(row, SPEC));
  expect(found).toEqual(wanted);
});

test('rows and batches in turn', async () => {
  const reader = readExamples([path, path], SPEC, { transient: true });
  const rows = reader[Symbol.asyncIterator]();
  const batches = reader.batches(333);
  const ids: bigint[] = [];
  for (;;) {
    const row = await rows.next();
    if (row.done === true) break;
    ids.push(row.value.id);
    const batch = await batches.next();
    if (batch.done === true) break;
    ids.push(...batch.value.id);
  }
  expect(ids).toEqual(Array.from({ length: 2 * ROWS }, (_, i) => BigInt(i % ROWS)));
});

test('what was handed out last stays when a loop is left', async () => {
  const reader = readExamples(path, SPEC, { transient: true });
  for await (const batch of reader.batches(10)) {
    await reader.close();
    expect(batch.id).toEqual(BigInt64Array.from({ length: 10 }, (_, i) => BigInt(i)));
    break;
  }
  let row: { readonly id: bigint } | undefined;
  for await (row of readExamples(path, SPEC, { transient: true })) if (row.id === 500n) break;
  expect(row).toMatchObject({ id: 500n });
});

test('what was handed out last stays when rows behind it are dropped', async () => {
  for (const size of [7, 64, 333, 999]) {
    let last: BigInt64Array | undefined;
    const reader = readExamples(path, SPEC, { transient: true });
    for await (const { id } of reader.batches(size, { dropRemainder: true })) last = id;
    const begin = (Math.floor(ROWS / size) - 1) * size;
    expect(Array.from(last!)).toEqual(Array.from({ length: size }, (_, i) => BigInt(begin + i)));
  }
});

test('a copy stays, and so does what a caller put into a batch', async () => {
  const own = Float64Array.of(1, 2, 3);
  const ids: BigInt64Array[] = [];
  for await (const batch of readExamples(path, SPEC, { transient: true }).batches(100)) {
    Object.assign(batch, { own });
    ids.push(batch.id.slice());
  }
  expect(own).toEqual(Float64Array.of(1, 2, 3));
  expect(ids.map((each) => each[99])).toEqual(Array.from({ length: 10 }, (_, i) => BigInt(100 * i + 99)));
});

test('memory that a caller transferred is passed over', async () => {
  let rows = 0;
  for await (const { id } of readExamples(path, SPEC, { transient: true }).batches(50)) {
    rows += structuredClone(id, { transfer: [id.buffer] }).length;
  }
  expect(rows).toBe(ROWS);
});

test('batches of sources that are fed, and behind records that are skipped', async () => {
  const bytes = new Uint8Array(tfrecord(RECORDS));
  const damaged = bytes.slice();
  damaged[20]! ^= 1;
  const read = async (source: RecordSource): Promise<unknown[]> => {
    const found: unknown[] = [];
    const options = { transient: true, onError: 'skip' as const };
    for await (const batch of readExamples(source, SPEC, options).batches(50)) found.push(plainFeatures(batch));
    return found;
  };
  const wanted = batched(50);
  expect(await read(bytes)).toEqual(wanted);
  expect(await read(new Blob([bytes]).stream())).toEqual(wanted);
  const others = Array.from({ length: ROWS / 50 }, (_, i) =>
    plainFeatures(parseExample(RECORDS.slice(1 + 50 * i, 51 + 50 * i), SPEC)),
  );
  expect(await read(damaged)).toEqual(others);
});

test('a step that is asked for ahead takes the memory of the one before', async () => {
  const batches = readExamples(path, SPEC, { transient: true }).batches(10);
  const [first, second] = await Promise.all([batches.next(), batches.next()]);
  expect(first.value.id).toHaveLength(10);
  expect(second.value).toMatchObject({ id: BigInt64Array.from({ length: 10 }, (_, i) => BigInt(10 + i)) });
  await batches.return?.();
});

test('places of rows behind batches, which cut their piece', async () => {
  const reader = readExamples(path, SPEC);
  const batches = reader.batches(7);
  for (let i = 0; i < 3; i++) await batches.next();
  const places: unknown[] = [];
  for await (const { id } of reader)
    places.push([id, reader.origin?.record, reader.origin?.offset, reader.stats.bytes]);
  let offset = 0;
  let sum = 0;
  const all = RECORDS.map(({ length }, i) => {
    const place = [BigInt(i), i, offset, (sum += length)];
    offset += length + 16;
    return place;
  });
  expect(places).toEqual(all.slice(21));
});

test('SequenceExamples', async () => {
  const sequences = folder.at('sequences.tfrecord');
  writeFileSync(
    sequences,
    tfrecord(
      Array.from({ length: 100 }, (_, i) =>
        encodeSequenceExample({
          context: { id: int64(i) },
          featureLists: { tokens: Array.from({ length: i % 6 }, (_, k) => int64(k)) },
        }),
      ),
    ),
  );
  const spec = { context: { id: fixedLen([], 'int64') }, sequence: { tokens: fixedLenSequence([], 'int64') } };
  const plain = ({ context, sequence, lengths }: Record<string, object>): unknown =>
    [context, sequence, lengths].map((each) => plainFeatures(each!));
  const wanted: unknown[] = [];
  for await (const batch of readSequenceExamples(sequences, spec).batches(8)) wanted.push(plain(batch as never));
  const found: unknown[] = [];
  let last: object | undefined;
  for await (const batch of readSequenceExamples(sequences, spec, { transient: true }).batches(8)) {
    if (last !== undefined) expect(bytesIn(last)).toBeGreaterThan(0);
    found.push(plain(batch as never));
    last = batch;
  }
  expect(found).toEqual(wanted);
});

test('rows of SequenceExamples stay, also those that are alone in their file', async () => {
  const files = Array.from({ length: 8 }, (_, i) =>
    folder.write(`one-${i}`, [
      encodeSequenceExample({
        context: { id: int64(i) },
        featureLists: { tokens: [int64(i), int64(i)] },
      }),
    ]),
  );
  const spec = { context: { id: fixedLen([], 'int64') }, sequence: { tokens: fixedLenSequence([], 'int64') } };
  const rows: BigInt64Array[] = [];
  for await (const { sequence } of readSequenceExamples(files, spec, { transient: true })) {
    rows.push(sequence.tokens);
  }
  expect(rows.map((tokens) => Array.from(tokens))).toEqual(files.map((_, i) => [BigInt(i), BigInt(i)]));
});

test.each([1, 'yes', null])('transient: %p throws', (transient) => {
  expect(() => readExamples(path, SPEC, { transient } as never)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
  );
});

test('behind pieces without a row nothing is at fault: ends of streams, empty files, records that are skipped', async () => {
  const spec = {
    name: fixedLen([], 'bytes'),
    flat: ragged({ dtype: 'float32', valueKey: 'weights' }),
    twos: ragged({ dtype: 'float32', valueKey: 'weights', partitions: [{ by: 'uniformRowLength', length: 2 }] }),
  };
  const bad = folder.write('bad.tfrecord', [new Uint8Array([255, 255]), new Uint8Array([255])]);
  const empty = folder.write('empty.tfrecord', []);
  const read = async (source: () => RecordSource, transient: boolean): Promise<number> => {
    let rows = 0;
    const reader = readExamples(source(), spec, { transient, onError: { action: 'skip', maxRate: 1 } });
    for await (const { name } of reader.batches(50)) rows += name.length;
    return rows;
  };
  const bytes = new Uint8Array(tfrecord(RECORDS));
  const stream = (): RecordSource => new Blob([bytes]).stream() as never;
  // What lies in fresh memory is a matter of luck.
  const dirt = jest.spyOn(MemoryPool.prototype, 'leaseToShow').mockImplementation((size) => {
    return new Uint8Array(size).fill(0xa5);
  });
  for (const source of [stream, () => [path, empty, path], () => [path, bad, path]]) {
    expect(await read(source, true)).toBe(await read(source, false));
  }
  expect(dirt).toHaveBeenCalled();
  dirt.mockRestore();
});

test('what was handed out last stays behind a reader that was closed, whatever is asked for', async () => {
  const reader = readExamples(path, SPEC, { transient: true });
  const batches = reader.batches(10);
  const { id } = (await batches.next()).value as { readonly id: BigInt64Array };
  await reader.close();
  expect((await batches.next()).done).toBe(true);
  expect(id).toHaveLength(10);
});
