/** Damaged data of Arrow: an error, or records; never a crash, and no memory for sizes that are not there. */
import type { RecordBatch } from 'apache-arrow';
import { Table, tableFromIPC, tableToIPC, type Data } from 'apache-arrow';
import fc from 'fast-check';

import { encodeExample, fixedLen, float, int64, TFRecordError, varLen } from '../../lib';
import { arrowBatches, fromArrow } from '../../lib/adapters/arrow';
import { tfrecord } from '../support/records/tfrecord';

const spec = {
  a: varLen('int64'),
  b: varLen('float32'),
  c: varLen('text'),
  d: fixedLen([2], 'bytes'),
};
const records = Array.from({ length: 6 }, (_, i) =>
  encodeExample({ d: ['x', 'y'], ...(i % 3 === 0 ? {} : { a: int64([i, i]), b: float([i]), c: ['a', 'bc'] }) }),
);

async function batch(): Promise<RecordBatch> {
  for await (const each of arrowBatches(tfrecord(records), spec)) return each;
  throw new Error('no batch');
}

/** All data of a batch, with that of lists. */
const allData = (data: Data): Data[] => [data, ...data.children.flatMap((child) => allData(child))];

function outcome(table: Table | RecordBatch): void {
  try {
    for (const record of fromArrow(table)) expect(record.length).toBeLessThan(100_000);
  } catch (error) {
    const { code } = error as { code?: string };
    expect(error instanceof TFRecordError || code?.startsWith('ERR_') === true ? '' : error).toBe('');
  }
}

test('sizes, offsets and bits that were changed', async () => {
  const whole = await batch();
  const file = tableToIPC(new Table([whole]));
  const count = allData(whole.data as Data).length;
  const numbers = fc.oneof(fc.integer({ min: -2, max: 20 }), fc.integer());
  fc.assert(
    fc.property(fc.integer({ min: 1, max: count - 1 }), fc.nat(20), numbers, fc.nat(3), (which, at, value, what) => {
      const copy = tableFromIPC(file.slice()).batches[0]!;
      const data = allData(copy.data as Data)[which]! as { -readonly [K in keyof Data]: Data[K] };
      const { valueOffsets, nullBitmap, values } = data as {
        valueOffsets?: Int32Array;
        nullBitmap?: Uint8Array;
        values?: Uint8Array;
      };
      if (what === 0) data.length = Math.max(0, value);
      else if (what === 1 && valueOffsets !== undefined) valueOffsets[at % valueOffsets.length] = value;
      else if (what === 2) data.nullBitmap = (nullBitmap ?? new Uint8Array(1)).subarray(0, at);
      else if (values !== undefined) data.values = values.subarray(0, at) as never;
      outcome(copy);
    }),
    { numRuns: 300 },
  );
});
