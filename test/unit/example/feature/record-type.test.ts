/** Errors name the type of records that are not Examples. If parsing finds no error, one warning does. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import {
  Dataset,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  Event,
  fixedLen,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  ragged,
  readExamples,
  recordType,
  varLen,
  type Spec,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { pieces, tfrecord } from '../../../support/records/tfrecord';
import { field } from '../../../support/examples/wire';

const example = encodeExample({ a: int64(1) });
const sequence = encodeSequenceExample({ context: { c: int64(1) }, featureLists: { a: [int64(1)] } });
const event = Event.encode({ wallTime: 1.6e9, step: 3n, fileVersion: 'brain.Event:2' });
/** Legal protobuf: a newer writer may know more fields. */
const newer = Uint8Array.from([...example, ...field(9, [1, 2, 3])]);
const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const emit = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterAll(() => {
  emit.mockRestore();
});

/** Warnings of wrong types since the last call. */
function warned(): unknown[] {
  const texts = emit.mock.calls.filter(([, options]) => JSON.stringify(options).includes('TFR_RECORD_TYPE'));
  emit.mockClear();
  return texts.map(([text]) => text);
}

test('recordType tells each type', () => {
  expect([example, sequence, event, newer, new Uint8Array(0), Buffer.from('text')].map(recordType)).toEqual([
    'Example',
    'SequenceExample',
    'Event',
    'unknown',
    'Example',
    'unknown',
  ]);
  // A SequenceExample that has only a context has the bytes of an Example.
  expect(recordType(encodeSequenceExample({ context: { c: int64(1) } }))).toBe('Example');
  expect(() => recordType('text' as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
});

test('decodeExample and decodeSequenceExample refuse what would lose values', () => {
  const refused = (action: () => unknown, message: RegExp): void => {
    const error = { code: 'TFR_EXAMPLE', message: expect.stringMatching(message) as string };
    expect(action).toThrow(expect.objectContaining(error));
  };
  refused(() => decodeExample(event), /an Event of TensorBoard.*Event\.decode/);
  refused(() => decodeExample(sequence), /a SequenceExample.*decodeSequenceExample/);
  refused(() => decodeSequenceExample(event), /an Event/);
  expect(decodeExample(newer)).toEqual(decodeExample(example));
  expect(Object.keys(decodeSequenceExample(example).context)).toEqual(['a']);
});

test.each([
  ['a SequenceExample', sequence, /This is a SequenceExample/],
  ['an Event', event, /This is an Event/],
] as const)('a required feature of %s: the error names the type, not varLen', async (name, record, message) => {
  const spec = { a: fixedLen([], 'int64') };
  const error = expect.objectContaining({
    code: 'TFR_FEATURE',
    message: expect.stringMatching(message) as string,
  }) as Error;
  expect(() => parseExample([record], spec)).toThrow(error);
  expect(() => parseSingleExample(record, spec)).toThrow(error);
  const file = folder.at(name);
  writeFileSync(file, tfrecord([record]));
  for (const source of [file, tfrecord([record]), pieces(tfrecord([record]), 7)]) {
    await expect(readExamples(source, spec)[Symbol.asyncIterator]().next()).rejects.toThrow(error);
  }
  warned();
});

test.each([
  ['a SequenceExample of lists', sequence, /This is a SequenceExample/],
  ['an Event by varLen', event, /This is an Event/],
] as const)('%s: one warning', async (name, record, message) => {
  const spec = (): Spec => ({ z: varLen('int64'), d: fixedLen([], 'int64', { default: 1 }) });
  const one = [expect.stringMatching(message)];
  const list = spec();
  for (let i = 0; i < 3; i++) parseExample([record, record], list);
  expect(warned()).toEqual(one);
  const single = spec();
  for (let i = 0; i < 3; i++) parseSingleExample(record, single);
  expect(warned()).toEqual(one);
  const file = folder.at(name);
  writeFileSync(file, tfrecord([record, record]));
  const bytes = tfrecord([record, record]);
  for (const source of [file, bytes, pieces(bytes, 7), pieces(gzipSync(bytes), 100)]) {
    let rows = 0;
    for await (const row of readExamples(source, spec())) rows += Number('z' in row);
    expect(rows).toBe(2);
    expect(warned()).toEqual(one);
  }
});

test('a ragged feature that a SequenceExample cannot compose: the error names the type', async () => {
  const record = encodeSequenceExample({ context: { v: int64(1) }, featureLists: { a: [int64(1)] } });
  const partitions = [{ by: 'rowSplits', key: 'p' }] as const;
  const spec = (): Spec => ({ r: ragged({ dtype: 'int64', valueKey: 'v', partitions }) });
  const error = expect.objectContaining({
    code: 'TFR_FEATURE',
    message: expect.stringMatching(/This is a SequenceExample/) as string,
  }) as Error;
  expect(() => parseExample([record], spec())).toThrow(error);
  expect(() => parseSingleExample(record, spec())).toThrow(error);
  const file = folder.at('ragged');
  writeFileSync(file, tfrecord([record]));
  await expect(readExamples(file, spec())[Symbol.asyncIterator]().next()).rejects.toThrow(error);
  await expect(Dataset.tfrecord(file).parse(spec()).iterate().next()).rejects.toThrow(error);
  await expect(Dataset.tfrecord(file).batch(2).parse(spec()).iterate().next()).rejects.toThrow(error);
  warned();
});

test('a dataset that parses records of another type warns once', async () => {
  const file = folder.at('of a dataset');
  writeFileSync(file, tfrecord(Array<Uint8Array>(2000).fill(sequence)));
  for (const make of [() => Dataset.tfrecord(file), () => Dataset.tfrecord(file).shuffle(10)]) {
    const spec = { z: varLen('int64') } as const;
    for await (const batch of make().batch(512).parse(spec)) expect(batch).toBeDefined();
    expect(warned()).toEqual([expect.stringMatching(/This is a SequenceExample/)]);
  }
});

test('no warning of Examples, of newer ones, of empty ones, of contexts that are read', async () => {
  const spec = { a: varLen('int64') };
  for (const record of [example, newer, new Uint8Array(0)]) {
    parseExample([record], { ...spec });
    parseSingleExample(record, { ...spec });
  }
  parseSequenceExample([sequence, example], { context: { c: varLen('int64') } });
  const file = folder.at('empty');
  writeFileSync(file, tfrecord([new Uint8Array(0), example]));
  for await (const row of readExamples(file, { ...spec })) expect(row).toBeDefined();
  expect(warned()).toEqual([]);
});
