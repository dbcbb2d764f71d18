/**
 * Sources that are read range by range, `{ byteLength, slice }`, in every function that takes a source (`arrowBatches` is
 * in arrow/arrow.mts). Nothing here runs: it must compile, and each `@ts-expect-error` must mark an error.
 */
import {
  countRecords,
  Dataset,
  fixedLen,
  readExamples,
  readRecords,
  readRecordsSync,
  readSequenceExamples,
  RecordReader,
  type RecordSource,
} from 'tfrecord-native';
import { convert, draftSchema } from 'tfrecord-native/convert';
import { inferSchema, readSchema, statistics, validate, type Schema } from 'tfrecord-native/schema';

declare const bytes: Uint8Array;
declare const buffer: ArrayBuffer;
declare const schema: Schema;

/** A class of the user's, with more members. */
class Remote {
  readonly url = 'https://example.org/a.tfrecord';
  readonly byteLength = 7;
  async slice(start: number, end: number): Promise<ArrayBuffer> {
    return (await fetch(`${this.url}#${start}-${end}`)).arrayBuffer();
  }
}

const spec = { id: fixedLen([], 'int64') };
for (const source of [
  { byteLength: 7, slice: (start: number, end: number) => bytes.subarray(start, end) },
  { byteLength: 7, slice: (start: number, end: number) => buffer.slice(start, end) },
  { byteLength: 7, slice: async (start: number, end: number) => bytes.subarray(start, end) },
  { byteLength: 7, slice: async () => buffer },
  { byteLength: 7, slice: () => bytes, name: 'more members' },
  new Remote(),
]) {
  source satisfies RecordSource;
  readRecords(source);
  void countRecords(source, { onError: 'skip' });
  void RecordReader.open(source);
  readExamples(source, spec);
  readSequenceExamples(source, { context: spec });
  Dataset.tfrecord(source);
  Dataset.text(source);
  Dataset.csv(source, { columns: { a: 0 } });
  Dataset.fixedLength(source, 7);
  void convert(source, 'a.jsonl');
  void draftSchema(source);
  void inferSchema(source);
  void statistics(source);
  void validate(source, schema);

  // @ts-expect-error -- without promises, only paths and bytes can be read
  readRecordsSync(source);
  // @ts-expect-error -- the names of files
  Dataset.files(source);
  // @ts-expect-error -- the path of a schema
  void readSchema(source);
}

// @ts-expect-error -- slice gives bytes, not text
readRecords({ byteLength: 7, slice: (start: number, end: number) => 'text'.slice(start, end) });
// @ts-expect-error -- nor numbers
readRecords({ byteLength: 7, slice: async () => [1, 2] });
// @ts-expect-error -- its size is needed
readRecords({ slice: () => bytes });
// @ts-expect-error -- and a number
readRecords({ byteLength: 7n, slice: () => bytes });
// @ts-expect-error -- its bytes are needed
readRecords({ byteLength: 7 });
// @ts-expect-error -- a range is two numbers
readRecords({ byteLength: 7, slice: (range: string) => bytes.subarray(Number(range)) });
// @ts-expect-error -- an ArrayBuffer has the shape, but is refused: it needs a view
readRecords(buffer);
// @ts-expect-error -- so are other typed arrays
readRecords(new Uint16Array(3));
