/** encodeExamples into the memory of a batch that nobody needs any more. */
import { Dataset, encodeExamples, fixedLen, parseExample, RecordBatch, RecordReader, varLen } from '../../../lib';
import { Folder } from '../../support/record-files';
import { tfrecord } from '../../support/tfrecord';

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
    if (before !== undefined) {
      expect(memory!.byteLength).toBe(0);
      expect(() => before.at(0)).toThrow(expect.objectContaining({ code: 'TFR_CLOSED' }));
    }
    memory = memoryOf(batch);
    sizes.push(memory.byteLength);
  }
  // The first is of its own size, the second of somewhat more; the others serve again.
  expect(sizes[1]).toBeGreaterThan(sizes[0]!);
  expect(sizes.slice(2)).toEqual([sizes[1], sizes[1], sizes[1]]);
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

test('a batch is gone when encoding fails, too', () => {
  const batch = encodeExamples(columnsOf(10), SPEC);
  expect(() => encodeExamples({ id: Float64Array.of(1.5) }, SPEC, { reuse: batch })).toThrow();
  expect(() => batch.at(0)).toThrow(expect.objectContaining({ code: 'TFR_CLOSED' }));
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
  expect(bytesOf(gathered as RecordBatch)).toHaveLength(10);
});
