/** What programs with the oldest TypeScript use, which check no declarations of packages. Nothing here runs. */
import {
  Dataset,
  decodeExample,
  encodeExample,
  exampleEncoder,
  fixedLen,
  int64,
  parseExample,
  parseSingleExample,
  readExamples,
  readRecords,
  RecordWriter,
  TFRecordError,
  varLen,
} from 'tfrecord-native';

const spec = { id: fixedLen([], 'int64'), name: fixedLen([], 'text'), tags: varLen('bytes') };
const record = exampleEncoder(spec)({ id: 7, name: 'a', tags: ['b'] });

const row = parseSingleExample(record, spec);
const id: bigint = row.id;
const name: string = row.name;
const tag: Uint8Array | undefined = row.tags.at(0);
// @ts-expect-error the spec has no such feature
row.nothing;
const { id: ids } = parseExample([record], spec, { int64: 'number' });
const numbers: Float64Array = ids;
const plain: { id: number; name: string } = row.toObject();

for await (const { id: each } of readExamples('f', spec)) each satisfies bigint;
for await (const bytes of readRecords('f', { onError: 'skip' })) bytes satisfies Uint8Array;
for await (const batch of Dataset.tfrecord('f').parse(spec).batch(8)) batch.name satisfies string[];
const writer = await RecordWriter.open('f', { compression: 'gzip' });
await writer.write(encodeExample({ a: int64(1) }));
// @ts-expect-error no such option
await RecordWriter.open('f', { compress: 'gzip' });
const error: unknown = new TFRecordError('TFR_SPEC', 'm');
export const found = [id, name, tag, numbers, plain, error, decodeExample(record)['id']];
