/** encodeExamples writes into the memory of a batch that is no longer needed. */
import {
  BytesArray,
  Dataset,
  encodeExamples,
  fixedLen,
  parseExample,
  RecordBatch,
  RecordReader,
  varLen,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const SPEC = { id: fixedLen([], 'int64'), list: varLen('float32') };
const columnsOf = (rows: number, first = 0) => {
  const id = BigInt64Array.from({ length: rows }, (_, i) => BigInt(first + i));
  return { id };
};
const memoryOf = (batch: RecordBatch): ArrayBufferLike => batch.at(0)!.buffer;
const bytesOf = (batch: RecordBatch): Uint8Array[] => Array.from(batch, (record) => record.slice());

test('gives what it gives without, and takes the memory of the batch before', () => {
  let batch: RecordBatch | undefined;
  let memory: ArrayBufferLike | undefined;
  const sizes: number[] = [];
  for (const rows of [1000, 1010, 900, 1001, 950]) {
    const before = batch;
    const columns = columnsOf(rows, rows);
    batch = encodeExamples(columns, SPEC, { reuse: batch });
    expect(bytesOf(batch)).toEqual(bytesOf(encodeExamples(columns, SPEC)));
    expect(parseExample(batch, SPEC).id).toEqual(columns.id);
    // Overwritten memory stays where it was.
    if (before !== undefined) expect(memoryOf(before)).toBe(memory);
    memory = memoryOf(batch);
    sizes.push(memory.byteLength);
  }
  // The first is of its own size, the second of somewhat more; the others serve again.
  expect(sizes[1]).toBeGreaterThan(sizes[0]!);
  expect(sizes.slice(2)).toEqual([sizes[1], sizes[1], sizes[1]]);
  expect(memoryOf(batch!)).toBe(memory);
});

test('memory that is too small, far too large, or was transferred, does not serve', () => {
  const small = encodeExamples(columnsOf(1), SPEC);
  const large = encodeExamples(columnsOf(1000), SPEC, { reuse: small });
  expect(parseExample(large, SPEC).id).toEqual(columnsOf(1000).id);
  const size = memoryOf(large).byteLength;
  const again = encodeExamples(columnsOf(3), SPEC, { reuse: large });
  expect(memoryOf(again).byteLength).toBeLessThan(size / 10);
  structuredClone(null, { transfer: [memoryOf(again) as ArrayBuffer] });
  expect(parseExample(encodeExamples(columnsOf(5), SPEC, { reuse: again }), SPEC).id).toEqual(columnsOf(5).id);
});

test('a batch stays when the columns are refused', () => {
  const batch = encodeExamples(columnsOf(10), SPEC);
  const before = bytesOf(batch);
  expect(() => encodeExamples({ id: Float64Array.of(1.5) }, SPEC, { reuse: batch })).toThrow();
  expect(bytesOf(batch)).toEqual(before);
});

test('views of a batch that is reused show what was written over them', () => {
  const first = encodeExamples(columnsOf(10), SPEC);
  const record = first.at(0)!;
  const second = encodeExamples(columnsOf(10, 100), SPEC, {
    reuse: encodeExamples(columnsOf(10), SPEC, { reuse: first }),
  });
  expect(record.length).toBeGreaterThan(0);
  expect(parseExample(second, SPEC).id).toEqual(columnsOf(10, 100).id);
});

test('memory that serves a later batch is not taken from it', () => {
  const rows = 1000;
  const first = encodeExamples(columnsOf(rows), SPEC, { reuse: encodeExamples(columnsOf(1), SPEC) });
  const second = encodeExamples(columnsOf(rows, 5), SPEC, { reuse: first });
  expect(memoryOf(second)).toBe(memoryOf(first));
  const third = encodeExamples(columnsOf(rows, 9), SPEC, { reuse: first });
  expect(memoryOf(third)).not.toBe(memoryOf(second));
  expect(parseExample(second, SPEC).id).toEqual(columnsOf(rows, 5).id);
});

test('columns that are views of the batch are encoded as they were', () => {
  const spec = { text: fixedLen([], 'bytes') };
  const batch = encodeExamples({ text: BytesArray.from(['one', 'two', 'three']) }, spec);
  const memory = new Uint8Array(memoryOf(batch) as ArrayBuffer);
  const text = new BytesArray(memory, Int32Array.of(0, 5, memory.length));
  const wanted = bytesOf(encodeExamples({ text: new BytesArray(memory.slice(), text.offsets) }, spec));
  const again = encodeExamples({ text }, spec, { reuse: batch });
  expect(bytesOf(again)).toEqual(wanted);
  expect(memoryOf(again)).not.toBe(memoryOf(batch));
});

/** Calls `allocated` at each allocation, as other code may do in the middle of an encoding. */
function whileAllocating(allocated: () => void, encode: () => unknown): unknown {
  const { allocUnsafeSlow } = Buffer;
  const spy = jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
    allocated();
    return allocUnsafeSlow(size);
  });
  try {
    return encode();
  } finally {
    spy.mockRestore();
  }
}

test.each([1, 2])('an allocator that transfers a column away, %i. batch of a spec', (nth) => {
  const spec = { id: fixedLen([], 'int64'), text: fixedLen([], 'bytes') };
  const columns = () => ({
    id: new BigInt64Array(5000).fill(300n),
    text: BytesArray.from(Array<string>(5000).fill('some text')),
  });
  const wanted = bytesOf(encodeExamples(columns(), { ...spec }));
  if (nth === 2) encodeExamples(columns(), spec);
  const { id, text } = columns();
  const encode = () =>
    whileAllocating(
      () => {
        for (const buffer of [id.buffer, text.data.buffer, text.offsets.buffer]) {
          if (buffer.byteLength > 0) structuredClone(0, { transfer: [buffer as ArrayBuffer] });
        }
      },
      () => encodeExamples({ id, text }, spec),
    );
  expect(encode).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
  expect(bytesOf(encodeExamples(columns(), spec))).toEqual(wanted);
});

test('an allocator that makes values longer', () => {
  const spec = { id: fixedLen([], 'int64') };
  const id = new BigInt64Array(5000).fill(1n);
  for (let pass = 0; pass < 3; pass++) {
    const grown = whileAllocating(
      () => id.fill(-1n),
      () => encodeExamples({ id }, spec),
    ) as RecordBatch;
    expect(parseExample(grown, spec).id).toEqual(id);
    id.fill(1n);
  }
});

test('other batches, and other options, throw, and nothing is taken', async () => {
  const own = encodeExamples(columnsOf(10), SPEC);
  const shared = RecordBatch.from(own.share());
  const reader = await RecordReader.open(new Uint8Array(tfrecord(bytesOf(own))));
  const read = (await reader.batches().next()).value as RecordBatch;
  await reader.close();
  const file = folder.write('gathered.tfrecord', bytesOf(own));
  const [gathered] = await Dataset.tfrecord(file).shuffle(9, { seed: 1 }).batch(10).toArray();
  for (const wrong of [shared, read, gathered, own.at(0), {}, null, 1]) {
    expect(() => encodeExamples(columnsOf(3), SPEC, { reuse: wrong as never })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
    );
  }
  expect(() => encodeExamples(columnsOf(3), SPEC, { reused: own } as never)).toThrow(/reused/);
  expect(bytesOf(shared)).toEqual(bytesOf(own));
  expect(bytesOf(read)).toEqual(bytesOf(own));
  expect(bytesOf(gathered!)).toHaveLength(10);
});
