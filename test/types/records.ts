/**
 * The types of the record API for a CommonJS user. Nothing here runs: it must compile, and each `@ts-expect-error` must
 * mark an error.
 */
import { expectTypeOf } from 'expect-type';
import {
  Dataset,
  IndexedFiles,
  RecordBatch,
  RecordDecoderStream,
  RecordIndex,
  RecordReader,
  RecordWriter,
  ShardedWriter,
  TFRecordError,
  countRecords,
  crc32c,
  Event,
  exampleListParser,
  ExampleListWithContext,
  fixedLen,
  loadMessageTypes,
  MessageTypes,
  maskCrc32c,
  openIndexed,
  openIndexedFiles,
  readRecords,
  readMessages,
  readRecordsSync,
  unmaskCrc32c,
  writeRecords,
  type Bytes,
  type ErrorAction,
  type EventMessage,
  type ExampleListWithContextMessage,
  type MessageReader,
  type PlainMessage,
  type OnError,
  type Origin,
  type PlacedRecord,
  type ReadOptions,
  type RecordReadOptions,
  type ReadStats,
  type RecordSource,
  type TFRecordErrorCode,
  type WriteOptions,
  type WriteReport,
} from 'tfrecord-native';

declare const bytes: Uint8Array;
declare const shared: Uint8Array<SharedArrayBuffer>;
declare const chunks: AsyncIterable<Uint8Array>;
declare const web: ReadableStream<Uint8Array>;
declare const node: NodeJS.ReadableStream;
declare const error: TFRecordError;
declare const reader: RecordReader;
declare const batch: RecordBatch;
declare const writer: RecordWriter;
declare const index: RecordIndex;
declare const files: IndexedFiles;

// ---- what is handed out ------------------------------------------------------------------------------------------
expectTypeOf<Bytes>().toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf(readRecords('a.tfrecord')).toEqualTypeOf<AsyncIterableIterator<Bytes>>();
expectTypeOf(readRecordsSync('a.tfrecord')).toEqualTypeOf<IterableIterator<Bytes>>();
expectTypeOf(countRecords('a.tfrecord')).toEqualTypeOf<Promise<number>>();
expectTypeOf(RecordReader.open('a.tfrecord')).toEqualTypeOf<Promise<RecordReader>>();
expectTypeOf(reader[Symbol.asyncIterator]()).toEqualTypeOf<AsyncIterableIterator<Bytes>>();
expectTypeOf(reader.batches()).toEqualTypeOf<AsyncIterableIterator<RecordBatch>>();
expectTypeOf(reader.origin).toEqualTypeOf<Origin | undefined>();
expectTypeOf(reader.stats).toEqualTypeOf<ReadStats>();
expectTypeOf(reader.stats.totalBytes).toEqualTypeOf<number | undefined>();
expectTypeOf(batch.at(-1)).toEqualTypeOf<Bytes | undefined>();
expectTypeOf(batch.origin(0)).toEqualTypeOf<Origin | undefined>();
expectTypeOf([...batch]).toEqualTypeOf<Bytes[]>();
expectTypeOf(writer.write(bytes)).toEqualTypeOf<Promise<void> | undefined>();
expectTypeOf(writer.writeBatch(batch)).toEqualTypeOf<Promise<void> | undefined>();
expectTypeOf(writer.close()).toEqualTypeOf<Promise<WriteReport>>();
expectTypeOf(writeRecords('a.tfrecord', [bytes])).toEqualTypeOf<Promise<WriteReport>>();
expectTypeOf(crc32c(bytes)).toEqualTypeOf<number>();
expectTypeOf(unmaskCrc32c(maskCrc32c(crc32c(bytes, 1)))).toEqualTypeOf<number>();

expectTypeOf(RecordIndex.scan('a.tfrecord')).toEqualTypeOf<RecordIndex>();
expectTypeOf(RecordIndex.load('a.tfindex', bytes)).toEqualTypeOf<Promise<RecordIndex>>();
expectTypeOf(RecordIndex.import('a.gzi', 'a.gz', { keys: 'id' })).toEqualTypeOf<Promise<RecordIndex>>();
expectTypeOf(openIndexed('a', { save: true, keys: 'id' })).toEqualTypeOf<Promise<RecordIndex>>();
expectTypeOf(openIndexedFiles(['a', 'b'])).toEqualTypeOf<Promise<IndexedFiles>>();
for (const either of [index, files]) {
  expectTypeOf(either.records).toEqualTypeOf<number>();
  expectTypeOf(either.at(-1)).toEqualTypeOf<Promise<Bytes | undefined>>();
  expectTypeOf(either.readBatch(new Set([1, 2]))).toEqualTypeOf<Promise<RecordBatch>>();
  expectTypeOf(either.slice(1, -1)).toEqualTypeOf<AsyncGenerator<RecordBatch, void, undefined>>();
  expectTypeOf(either.find(5n)).toEqualTypeOf<Promise<number[]>>();
}
expectTypeOf(index.read(0, 5)).toEqualTypeOf<Promise<PlacedRecord[]>>();
// @ts-expect-error a stream cannot be read from any place
void openIndexedFiles(node);
// @ts-expect-error an index has no key of this type
void index.find({});
// @ts-expect-error an unknown option
void openIndexed('a', { rebuild: true });

// ---- every source, every target ------------------------------------------------------------------------------------
for (const source of [
  'a',
  new URL('file:///a'),
  ['a', 'b'],
  [new URL('file:///a')],
  bytes,
  new Blob([]),
  chunks,
  web,
  node,
])
  void countRecords(source satisfies RecordSource);
void countRecords([bytes, bytes]);
void countRecords(shared);
readRecordsSync(bytes);
readRecordsSync(['a', 'b']);
// @ts-expect-error a stream cannot be read synchronously
readRecordsSync(node);
// @ts-expect-error a number is no source
void countRecords(1);
// @ts-expect-error a list is of paths or of chunks, not both
void countRecords(['a', bytes]);
void RecordWriter.open(process.stdout);
void RecordWriter.open(new WritableStream<Uint8Array>());
void writeRecords(process.stdout, ['text', bytes]);
void writeRecords(new WritableStream<Uint8Array>(), new Set(['text']));
void writeRecords('a', batch);
void writeRecords('a', [batch, 'text', bytes]);
void writeRecords('a', reader.batches());
void writeRecords('a', reader);
// @ts-expect-error records are bytes or text
void writeRecords('a', [1]);
void writer.write('text');
// @ts-expect-error a record is bytes or text
void writer.write([1, 2, 3]);
// @ts-expect-error writeBatch writes a batch
void writer.write(batch);
// @ts-expect-error a list is not a batch: write() each record, or all with writeRecords()
void writer.writeBatch([bytes]);
// @ts-expect-error nor is a record
void writer.writeBatch(bytes);
// @ts-expect-error the writer wants a target
void RecordWriter.open();

// ---- options ---------------------------------------------------------------------------------------------------------
// With exactOptionalPropertyTypes an explicit undefined is still welcome.
const none: ReadOptions = { compression: undefined, onError: undefined, signal: undefined, maxRecordBytes: undefined };
void none;
readRecords('a', { compression: 'auto', verify: 'length', onError: 'skip', batchBytes: 65536, readAhead: 1 });
readRecords('a', { onError: (e) => (e.code === 'TFR_TRUNCATED' ? 'stop' : 'throw') });
readRecords('a', { onError: { action: 'skip', max: 3, maxRate: 0.01, report: (e) => void e.record } });
// @ts-expect-error compression is named in lower case
readRecords('a', { compression: 'GZIP' });
readRecords('a', { transient: true } satisfies RecordReadOptions);
readRecordsSync('a', { transient: false, batchBytes: 65536 });
void RecordReader.open('a', { transient: undefined });
// @ts-expect-error a boolean
readRecords('a', { transient: 'yes' });
// @ts-expect-error nothing is handed out
void countRecords('a', { transient: true });
// @ts-expect-error a stream queues records
new RecordDecoderStream({ transient: true });
// @ts-expect-error an option of iterate()
Dataset.tfrecord('a', { transient: true });
// @ts-expect-error an unknown option
readRecords('a', { bufferSize: 1 });
// @ts-expect-error nothing to report to unless skipping
readRecords('a', { onError: { action: 'stop' } });
// @ts-expect-error the function decides, and says so
readRecords('a', { onError: () => 'ignore' });
expectTypeOf<ErrorAction>().toEqualTypeOf<'throw' | 'skip' | 'stop'>();
expectTypeOf<ErrorAction>().toExtend<OnError>();
readRecords('a', { onError: 'salvage' });
readRecords('a', {
  onError: { action: 'salvage', report: ({ region }) => void (region?.end ?? region?.compressedEnd) },
});
// @ts-expect-error the search comes before a function is asked
readRecords('a', { onError: () => 'salvage' });
const write: WriteOptions = {
  compression: 'gzip',
  level: 9,
  threads: 2,
  atomic: false,
  signal: AbortSignal.timeout(1),
};
void writeRecords(new URL('file:///a'), chunks, write);
// @ts-expect-error the level is a number
void writeRecords('a', [], { level: 'best' });

// ---- errors ------------------------------------------------------------------------------------------------------------
expectTypeOf(error).toExtend<Error>();
expectTypeOf<'TFR_TRUNCATED'>().toExtend<TFRecordErrorCode>();
expectTypeOf(error.record).toEqualTypeOf<number | undefined>();
if (error.code === 'ENOENT' || error.code === 'TFR_COMPRESSION') void error.compressedOffset;
// @ts-expect-error fields are read-only
error.record = 1;
// @ts-expect-error so are the statistics
reader.stats.records = 1;

// ---- disposal ------------------------------------------------------------------------------------------------------------
export async function scoped(): Promise<void> {
  await using source = await RecordReader.open('a');
  await using target = await RecordWriter.open('b');
  for await (const record of source) {
    expectTypeOf(record).toEqualTypeOf<Bytes>();
    await target.write(record);
  }
  // Without `close` the end of the block gives the file up.
  expectTypeOf(await target.close()).toEqualTypeOf<WriteReport>();
}

void ShardedWriter.open('a.tfrecord', { shards: 3, shardBy: (record) => record.length });
void ShardedWriter.open(new URL('file:///a'), { partitionBy: ['year', 'label'], level: 3 });
// @ts-expect-error Which file a record goes to must be said.
void ShardedWriter.open('a.tfrecord');
// @ts-expect-error Sets are not appended to.
void ShardedWriter.open('a.tfrecord', { shards: 3, append: true });

export async function messages(): Promise<void> {
  const types = await loadMessageTypes('a.proto', { roots: ['.', 'protos'] });
  expectTypeOf(readMessages('a', types.type('A'))).toEqualTypeOf<MessageReader<PlainMessage>>();
  expectTypeOf(readMessages('a', types.type<{ id: bigint }>('A'))).toEqualTypeOf<MessageReader<{ id: bigint }>>();
  expectTypeOf(readMessages('a', Event, { onError: 'skip' })).toEqualTypeOf<MessageReader<EventMessage>>();
  expectTypeOf(readMessages('a', ExampleListWithContext)).toEqualTypeOf<MessageReader<ExampleListWithContextMessage>>();
  expectTypeOf(readMessages('a', { decode: (bytes) => ({ size: bytes.length }) })).toEqualTypeOf<
    MessageReader<{ size: number }>
  >();
  const lists = exampleListParser({
    context: { q: fixedLen([], 'text') },
    examples: { score: fixedLen([], 'float32') },
  });
  for await (const { context, examples } of readMessages('a', lists)) {
    expectTypeOf(context.q).toEqualTypeOf<string>();
    expectTypeOf(examples[0]!.score).toEqualTypeOf<number>();
    // @ts-expect-error -- no such feature
    examples[0]!.other;
  }
  expectTypeOf(lists.parseBatch([bytes]).examples.score).toEqualTypeOf<Float32Array<ArrayBuffer>>();
  // @ts-expect-error -- decodes nothing
  readMessages('a', {});
  // @ts-expect-error -- no such option
  await loadMessageTypes('a.proto', { root: '.' });
  // @ts-expect-error -- loadMessageTypes makes them
  new MessageTypes();
}
