/** The same package as an ESM user sees it: the same names, the same classes. */
import { expectTypeOf } from 'expect-type';
import * as api from 'tfrecord-native';
import { RecordReader, readRecords, type Bytes } from 'tfrecord-native';

type Cjs = typeof import('tfrecord-native', { with: { 'resolution-mode': 'require' } });

expectTypeOf<keyof typeof api>().toEqualTypeOf<keyof Cjs>();
expectTypeOf<RecordReader>().toEqualTypeOf<Cjs['RecordReader']['prototype']>();
for await (const record of readRecords('a.tfrecord')) expectTypeOf(record).toEqualTypeOf<Bytes>();
// @ts-expect-error there is no default export
import tfrecord from 'tfrecord-native';
void tfrecord;
