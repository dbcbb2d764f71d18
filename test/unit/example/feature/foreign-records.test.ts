/** A record that is no Example is refused wherever Examples are read: it is never read as an empty one. */
import {
  Dataset,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  exampleToObject,
  fixedLen,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  readExamples,
  readSequenceExamples,
  recordType,
  sequenceExampleToObject,
  varLen,
} from '../../../../lib';
import { inferSchema, statistics } from '../../../../lib/schema';
import * as foreign from '../../../support/examples/foreign-records';
import { entry, exampleOf, field, int64s, KINDLESS, record, tag, text } from '../../../support/examples/wire';
import { Folder } from '../../../support/records/record-files';
import { pieces, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const optional = { a: varLen('int64'), d: fixedLen([], 'int64', { default: 1 }) } as const;
const lists = { context: { c: varLen('int64') }, sequence: { s: varLen('int64') } } as const;

function refusal(message: RegExp): Error {
  return expect.objectContaining({ code: 'TFR_EXAMPLE', message: expect.stringMatching(message) as string }) as Error;
}

async function all(elements: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const element of elements) found.push(element);
  return found;
}

test('recordType names them', () => {
  const { listWithContext, listOfOne, contextOnly, predictLog, classifyLog, callVariants, otherMessage } = foreign;
  expect([listWithContext, listOfOne, contextOnly].map(recordType)).toEqual(
    Array<string>(3).fill('ExampleListWithContext'),
  );
  expect([predictLog, classifyLog].map(recordType)).toEqual(['PredictionLog', 'PredictionLog']);
  expect([callVariants, otherMessage].map(recordType)).toEqual(['unknown', 'unknown']);
});

test.each(foreign.foreignRecords)('%s: every function that takes a record refuses it', (_, message, bytes) => {
  for (const call of [
    () => parseSingleExample(bytes, optional),
    () => parseSingleExample(bytes, { a: fixedLen([], 'int64') }),
    () => parseExample([bytes], optional),
    () => parseExample([bytes], { a: fixedLen([], 'int64') }),
    () => decodeExample(bytes),
    () => exampleToObject(bytes),
  ]) {
    expect(call).toThrow(refusal(message));
    expect(call).toThrow(refusal(/readMessages/));
  }
  // As a SequenceExample, a message may be malformed.
  const sequence = bytes === foreign.callVariants ? /malformed|at byte 22/ : message;
  for (const call of [
    () => parseSequenceExample([bytes], lists),
    () => decodeSequenceExample(bytes),
    () => sequenceExampleToObject(bytes),
  ]) {
    expect(call).toThrow(refusal(sequence));
  }
});

test.each(foreign.foreignRecords)('%s: every reader refuses it, and names its place', async (name, message, bytes) => {
  const whole = tfrecord([encodeExample({ a: int64(7) }), encodeExample({ other: int64(1) }), bytes, bytes]);
  const file = folder.put(name, whole);
  const place = { code: 'TFR_EXAMPLE', record: 2, message: expect.stringMatching(message) as string };
  const offset = tfrecord([encodeExample({ a: int64(7) }), encodeExample({ other: int64(1) })]).length;
  const inFile = expect.objectContaining({ ...place, file, offset }) as Error;
  await expect(all(readExamples(file, optional))).rejects.toThrow(inFile);
  await expect(all(readExamples(file, optional).batches(4))).rejects.toThrow(inFile);
  await expect(all(readExamples(whole, optional))).rejects.toMatchObject({ ...place, offset });
  await expect(all(readExamples(pieces(whole, 7), optional))).rejects.toMatchObject({ ...place, offset });
  const sequence = bytes === foreign.callVariants ? /malformed/ : message;
  await expect(all(readSequenceExamples(file, lists))).rejects.toThrow(refusal(sequence));
  await expect(Dataset.tfrecord(file).parse(optional).toArray()).rejects.toThrow(inFile);
  await expect(Dataset.tfrecord(file).batch(4).parse(optional).toArray()).rejects.toThrow(inFile);
  const surveyed = { ...place, file, offset, message: expect.stringMatching(sequence) as string };
  await expect(inferSchema(file)).rejects.toMatchObject(surveyed);
  await expect(statistics(file)).rejects.toMatchObject(surveyed);
});

test('the rows before it are delivered, and onError decides about it', async () => {
  const row = encodeExample({ a: int64(7) });
  const whole = tfrecord([row, foreign.predictLog, row, foreign.otherMessage, row]);
  const rows: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const { a } of readExamples(whole, { a: fixedLen([], 'int64') })) rows.push(a);
  };
  await expect(read()).rejects.toMatchObject({ record: 1 });
  expect(rows).toEqual([7n]);
  const skipping = readExamples(whole, optional, { onError: { action: 'skip', maxRate: 1 } });
  expect(await all(skipping)).toHaveLength(3);
  expect(skipping.stats.skipped).toBe(2);
});

test('a batch names the first of them', () => {
  const row = encodeExample({ a: int64(7) });
  expect(() => parseExample([row, row, foreign.listOfOne, foreign.predictLog], optional)).toThrow(
    expect.objectContaining({ code: 'TFR_EXAMPLE', record: 2, found: 'an ExampleListWithContext of TF-Ranking' }),
  );
});

test.each([
  ['no bytes', new Uint8Array(0)],
  ['no features', Uint8Array.of(0x0a, 0)],
  ['features that nobody asked for', exampleOf({ b: int64s(1) })],
  ['features without a kind', exampleOf({ b: KINDLESS, c: KINDLESS })],
  ['an unknown field inside Features', record(field(1, [...tag(7, 0), 1], entry('b', int64s(1))))],
  ['an unknown field inside an entry', record(field(1, field(1, field(1, text('b')), field(7), field(2, int64s(1)))))],
  ['an unknown field inside a Feature', record(field(1, entry('b', [...field(9, [1]), ...int64s(1)])))],
  ['an unknown field inside a list', record(field(1, entry('b', field(3, field(5, [1]), field(1, [4])))))],
  ['an unknown field on top', record([...exampleOf({ b: int64s(1) })], field(9, [1, 2, 3]))],
  ['an unknown field before the features', record(field(9, [1, 2, 3]), [...exampleOf({ b: int64s(1) })])],
  ['a name that is not UTF-8', record(field(1, field(1, field(1, [0xe4]), field(2, int64s(1)))))],
  ['a name with control characters', exampleOf({ 'a\nb': int64s(1) })],
  ['entries without values', record(field(1, field(1, field(1, text('b'))), field(1, field(1, text('c')))))],
])('an Example stays one: %s', async (_, bytes) => {
  expect(parseExample([bytes, bytes], optional).a.denseShape).toEqual([2, 0]);
  expect(parseSingleExample(bytes, optional).d).toBe(1n);
  expect(await all(readExamples(tfrecord([bytes]), optional))).toHaveLength(1);
  expect(await all(readSequenceExamples(tfrecord([bytes]), lists))).toHaveLength(1);
});
