/** `batches(n)` gives the same as parseExample of all good records, for random files, faults and sources. */
import fc from 'fast-check';

import { parseExample, readExamples, type OnError } from '../../../../lib';
import { batchesIn, parsedBatches, plainRow } from '../../../support/examples/example-files';
import { FAULTS, fileOf, SPEC, type RecordKind } from '../../../support/examples/faulty-examples';
import { Folder } from '../../../support/records/record-files';
import { CODECS, compress } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

test('batches(n) is parseExample of all that fit, whatever the data, n, the faults and the source', async () => {
  const kind = fc.oneof(
    { arbitrary: fc.constant<RecordKind>('good'), weight: 12 },
    { arbitrary: fc.constantFrom(...FAULTS), weight: 1 },
  );
  const run = fc.record({
    kinds: fc.oneof(fc.array(kind, { maxLength: 40 }), fc.array(kind, { minLength: 1000, maxLength: 2500 })),
    size: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 51, max: 3000 })),
    codec: fc.constantFrom(...CODECS),
    form: fc.constantFrom('path', 'bytes', 'stream'),
    readAhead: fc.integer({ min: 0, max: 4 }),
    rowsFirst: fc.nat(20),
    dropRemainder: fc.boolean(),
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(run, async ({ kinds, size, codec, form, readAhead, rowsFirst, dropRemainder }) => {
      const { bytes, good } = fileOf(kinds);
      const packed = compress(bytes, codec);
      const path = folder.put(`random-${count++ % 8}`, packed);
      const source = { path, bytes: packed, stream: [packed.subarray(0, 100), packed.subarray(100)] }[form] as string;
      const onError: OnError = { action: 'skip', maxRate: 1 };
      const reader = readExamples(source, SPEC, { onError, readAhead, batchBytes: 4096 });
      const rows = reader[Symbol.asyncIterator]();
      for (let i = 0; i < Math.min(rowsFirst, good.length); i++) {
        const { value } = (await rows.next()) as IteratorYieldResult<object>;
        const one = parseExample([good[i]!], { id: SPEC.id }).id;
        expect(plainRow(value, { id: SPEC.id })).toEqual({ id: Number(one[0]) });
      }
      const rest = good.slice(rowsFirst);
      const expected = parsedBatches(
        dropRemainder ? rest.slice(0, rest.length - (rest.length % size)) : rest,
        SPEC,
        size,
      );
      const found = await batchesIn(reader, size, dropRemainder);
      expect(found.error).toBeUndefined();
      expect(found.rows).toEqual(expected);
      expect(reader.stats.skipped).toBe(kinds.length - good.length);
    }),
    { numRuns: process.env['TFRECORD_FULL'] === '1' ? 400 : 40 },
  );
});
