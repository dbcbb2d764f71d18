/** Types of `tfrecord-native/arrow`. */
import { RecordBatch, Schema, tableFromIPC, type Table } from 'apache-arrow';
import { expectTypeOf } from 'expect-type';

import { fixedLen, parseExample, varLen, type RecordBatch as Records } from 'tfrecord-native';
import { arrowBatches, arrowSchema, fromArrow, toArrow } from 'tfrecord-native/arrow';

const spec = { id: fixedLen([], 'int64'), tags: varLen('text') };

expectTypeOf(arrowSchema(spec)).toEqualTypeOf<Schema>();
expectTypeOf(arrowSchema({ context: spec, sequence: { tags: varLen('text') } })).toEqualTypeOf<Schema>();
for await (const batch of arrowBatches('train-*', spec, { rows: 10, onError: 'skip' })) {
  expectTypeOf(batch).toEqualTypeOf<RecordBatch>();
}
arrowBatches({ byteLength: 7, slice: async (start: number, end: number) => new Uint8Array(end - start) }, spec);
// @ts-expect-error -- slice gives bytes
arrowBatches({ byteLength: 7, slice: () => 'text' }, spec);
expectTypeOf(toArrow(parseExample([], spec))).toEqualTypeOf<RecordBatch>();
const table: Table = tableFromIPC(new Uint8Array());
expectTypeOf(fromArrow(table)).toEqualTypeOf<Records>();
expectTypeOf(fromArrow(table.batches[0]!, spec, { rounding: true })).toEqualTypeOf<Records>();

// @ts-expect-error -- no spec
arrowBatches('train-*');
// @ts-expect-error -- no batch
toArrow(5);
// @ts-expect-error -- unknown option
fromArrow(table, spec, { round: true });
