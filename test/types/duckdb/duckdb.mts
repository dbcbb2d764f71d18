/** Types of `tfrecord-native/duckdb`. */
import { DuckDBConnection } from '@duckdb/node-api';
import { expectTypeOf } from 'expect-type';

import { fixedLen, varLen, type SequenceExampleSpec, type Spec, type TFRecordError } from 'tfrecord-native';
import {
  registerEvents,
  registerTFRecord,
  type RegisterEventsOptions,
  type RegisterOptions,
} from 'tfrecord-native/duckdb';

const spec = { id: fixedLen([], 'int64'), tags: varLen('text') };
const connection = await DuckDBConnection.create();

expectTypeOf(registerTFRecord(connection)).toEqualTypeOf<void>();
registerTFRecord(connection, { spec, name: 'read_them', compression: 'gzip', verify: 'none', maxRecordBytes: 1000 });
registerTFRecord(connection, { spec: { context: spec, sequence: { tags: varLen('text') } } });
registerTFRecord(connection, { onError: (error: TFRecordError) => (error.record === 0 ? 'throw' : 'skip') });
// With `exactOptionalPropertyTypes`, too.
const ofLogs: RegisterEventsOptions = { name: 'logs', onError: 'skip', compression: 'gzip', verify: 'none' };
expectTypeOf(registerEvents(connection, ofLogs)).toEqualTypeOf<void>();
registerTFRecord(connection, { spec: undefined, name: undefined, onError: undefined });
expectTypeOf<RegisterOptions['spec']>().toEqualTypeOf<Spec | SequenceExampleSpec | undefined>();
expectTypeOf<RegisterOptions['name']>().toEqualTypeOf<string | undefined>();

// @ts-expect-error -- no connection
registerTFRecord('a.duckdb');
// @ts-expect-error -- no spec
registerTFRecord(connection, { spec: { id: 'int64' } });
// @ts-expect-error -- unknown option
registerTFRecord(connection, { readAhead: 2 });
// @ts-expect-error -- unknown choice
registerTFRecord(connection, { compression: 'zstd' });
