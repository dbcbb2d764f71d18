import { RecordBatch, RecordReader } from '../../../../lib';
import { flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';

const PAYLOADS = ['a', '', 'three', 'x'.repeat(50)];
const AT = offsets(PAYLOADS);
const text = (record: Uint8Array | undefined): string | undefined => record && Buffer.from(record).toString();

async function batchesOf(bytes: Buffer, onError: 'throw' | 'skip' = 'throw'): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for await (const batch of (await RecordReader.open(bytes, { onError })).batches()) batches.push(batch);
  return batches;
}

test('length, byteLength, at and origin', async () => {
  const [batch, ...others] = (await batchesOf(tfrecord(PAYLOADS))) as [RecordBatch, ...RecordBatch[]];
  expect(others).toEqual([]);
  expect(batch).toBeInstanceOf(RecordBatch);
  expect(batch.length).toBe(4);
  expect(batch.byteLength).toBe(56);
  for (const index of [0, 1, 2, 3, -1, -4, 4, -5, 1.7, -0.5, NaN, Infinity]) {
    expect(text(batch.at(index))).toBe(PAYLOADS.at(index));
    const record = PAYLOADS.at(index) === undefined ? undefined : ((Math.trunc(index) || 0) + 4) % 4;
    expect(batch.origin(index)).toEqual(
      record === undefined
        ? undefined
        : { file: '<bytes>', record, offset: AT[record], bytes: PAYLOADS[record]!.length },
    );
  }
});

test('is iterated any number of times; return ends an iteration', async () => {
  const [batch] = (await batchesOf(tfrecord(PAYLOADS))) as [RecordBatch];
  expect([...batch].map(text)).toEqual(PAYLOADS);
  expect([...batch].map(text)).toEqual(PAYLOADS);
  const iterator = batch[Symbol.iterator]();
  expect(text(iterator.next().value)).toBe('a');
  iterator.return?.();
  expect(iterator.next()).toEqual({ value: undefined, done: true });
});

test('around a damaged record: batches of what is whole, with the right numbers', async () => {
  const damaged = flipBit(tfrecord(PAYLOADS), AT[2]! + 12);
  const batches = await batchesOf(damaged, 'skip');
  expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
  expect(batches[1]?.origin(0)).toEqual({ file: '<bytes>', record: 3, offset: AT[3], bytes: 50 });
  expect(batches.map((batch) => batch.byteLength)).toEqual([1, 50]);
});

test('records of a batch share its slab, and slice copies', async () => {
  const [batch] = (await batchesOf(tfrecord(PAYLOADS))) as [RecordBatch];
  const [first, , third] = [...batch];
  expect(first?.buffer).toBe(third?.buffer);
  expect(first?.slice().buffer).not.toBe(first?.buffer);
});
