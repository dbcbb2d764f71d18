/**
 * UTF-8 cannot express a lone surrogate: wherever text becomes bytes, it is refused with a code, not replaced by
 * U+FFFD.
 */
import {
  BytesArray,
  Dataset,
  decodeCompressed,
  decodeCsv,
  decodeJsonExample,
  decodeRaw,
  DenseTensor,
  encodeExample,
  encodeExamples,
  encodeSequenceExample,
  Event,
  Example,
  exampleEncoder,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  ragged,
  readRecords,
  readRecordsSync,
  RecordWriter,
  sequenceSpecFromJSON,
  serializeTensor,
  sparse,
  SparseTensor,
  specFromJSON,
  varLen,
  writeRecords,
} from '../../../lib';
import { Folder } from '../../support/records/record-files';

const HALVES = { 'a first half': 'a\ud800b', 'a second half': '\udc00', 'halves in the wrong order': 'é\udc00\ud800' };
const folder = new Folder();
afterAll(() => {
  folder.remove();
});

async function codeOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
  return 'nothing was thrown';
}

async function collected(records: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** The functions that take text. */
const CALLS: Readonly<Record<string, (half: string) => unknown>> = {
  'RecordWriter.write': async (half) => {
    await using writer = await RecordWriter.open(folder.at('written'));
    await writer.write(half);
  },
  'RecordWriter.write of much text': async (half) => {
    await using writer = await RecordWriter.open(folder.at('written'));
    await writer.write('é'.repeat(2 ** 20) + half);
  },
  writeRecords: (half) => writeRecords(folder.at('written'), ['fine', half]),
  'Dataset.writeTo': (half) => Dataset.from(['fine', half]).writeTo(folder.at('written')),
  'the path of a writer': (half) => RecordWriter.open(folder.at(half)),
  'the path of writeTo': (half) => Dataset.from(['fine']).writeTo(folder.at(half)),
  'a path to read': (half) => collected(readRecords(folder.at(half))),
  'a path to read at once': (half) => [...readRecordsSync(folder.at(half))],
  'a pattern to read': (half) => collected(readRecords(folder.at(`*${half}`))),
  'the folder of a cache': (half) => Dataset.from(['fine']).cache(folder.at(half)),
  'a value of encodeExample': (half) => encodeExample({ a: half }),
  'a list of encodeExample': (half) => encodeExample({ a: ['fine', half] }),
  'a name of encodeExample': (half) => encodeExample({ [half]: int64(1) }),
  'a name of encodeSequenceExample': (half) => encodeSequenceExample({ featureLists: { [half]: [] } }),
  'a row of exampleEncoder': (half) => exampleEncoder({ a: varLen('bytes') })({ a: [half] }),
  'a column of encodeExamples': (half) => encodeExamples({ a: [half] as never }, { a: fixedLen([], 'bytes') }),
  'Example.encode': (half) => Example.encode({ features: { feature: { [half]: {} } } }),
  'Event.encode': (half) => Event.encode({ fileVersion: half }),
  'Event.toText': (half) => Event.toText({ fileVersion: half }),
  'Example.fromText': (half) =>
    Example.fromText(`features { feature { key: "a" value { bytes_list { value: "${half}" } } } }`),
  decodeJsonExample: (half) => decodeJsonExample(`{"features":{"feature":{"${half}":{}}}}`),
  'decodeJsonExample, escaped': (half) => decodeJsonExample(`{"features":{"feature":{${JSON.stringify(half)}:{}}}}`),
  'Example.fromJSON': (half) => Example.fromJSON({ features: { feature: { [half]: {} } } }),
  'BytesArray.from': (half) => BytesArray.from([half]),
  serializeTensor: (half) => serializeTensor(new DenseTensor('bytes', [1], [half] as never)),
  decodeRaw: (half) => decodeRaw(half, { outType: 'uint8' }),
  decodeCompressed: (half) => decodeCompressed([half]),
  'decodeCsv, text': (half) => decodeCsv([half], { recordDefaults: [['']] } as never),
  'decodeCsv, default': (half) => decodeCsv(['fine'], { recordDefaults: [[half]] } as never),
  'padding of toDense': (half) => {
    const indices = new BigInt64Array(0);
    return new SparseTensor('bytes', { values: BytesArray.from([]), denseShape: [1], indices }).toDense(half);
  },
  'a name in a spec': (half) => parseExample([], { [half]: varLen('int64') }),
  'a name in JSON of a spec': (half) => specFromJSON({ [half]: { type: 'varLen', dtype: 'int64' } }),
  'a name in JSON of sequences': (half) =>
    sequenceSpecFromJSON({ context: { [half]: { type: 'varLen', dtype: 'int64' } } }),
  'a default': (half) => fixedLen([], 'bytes', { default: half }),
  'a default of sequences': (half) => fixedLenSequence([], 'bytes', { default: half }),
  'a value key': (half) => ragged({ dtype: 'int64', valueKey: half }),
  'a partition key': (half) => ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: half }] }),
  'an index key': (half) => sparse({ dtype: 'int64', valueKey: 'v', indexKey: half, size: 1 }),
};

describe.each(Object.entries(HALVES))('%s', (_, half) => {
  test.each(Object.entries(CALLS))('%s refuses it', async (name, call) => {
    expect([name, await codeOf(() => call(half))]).toEqual([
      name,
      expect.stringMatching(/^(ERR_INVALID_ARG_\w+|TFR_\w+)$/),
    ]);
  });
});

test('whole pairs are written as their UTF-8', async () => {
  const texts = ['a😀b', '😀', '\uffff', 'é', ''];
  await writeRecords(folder.at('whole'), texts);
  expect([...readRecordsSync(folder.at('whole'))].map((record) => Buffer.from(record).toString())).toEqual(texts);
});
