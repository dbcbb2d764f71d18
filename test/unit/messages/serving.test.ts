import {
  Example,
  exampleListParser,
  ExampleListWithContext,
  fixedLen,
  PredictionLog,
  readMessages,
  RecordReader,
  varLen,
} from '../../../lib';
import { tfrecord } from '../../support/records/tfrecord';
import { failure, thrown } from '../../support/thrown';

const example = (features: Record<string, number | string>): object => ({
  features: {
    feature: Object.fromEntries(
      Object.entries(features).map(([name, value]) => [
        name,
        typeof value === 'string' ? { bytesList: { value: [Buffer.from(value)] } } : { floatList: { value: [value] } },
      ]),
    ),
  },
});
const list = (query: string | undefined, ...scores: number[]): Uint8Array =>
  ExampleListWithContext.encode({
    context: query === undefined ? undefined : example({ query }),
    examples: scores.map((score) => example({ score })),
  });

const parser = exampleListParser({
  context: { query: fixedLen([], 'text', { default: 'none' }) },
  examples: { score: fixedLen([], 'float32') },
});

describe('exampleListParser', () => {
  const records = [list('a', 1, 2), list(undefined), list('b', 3)];

  it('parses lists as rows', async () => {
    const found: unknown[] = [];
    for await (const { context, examples } of readMessages(tfrecord(records), parser)) {
      found.push([context.query, examples.map(({ score }) => score)]);
    }
    expect(found).toEqual([
      ['a', [1, 2]],
      ['none', []],
      ['b', [3]],
    ]);
  });

  it('parses lists as columns', () => {
    const { context, examples, rowSplits } = parser.parseBatch(records);
    expect(context.query).toEqual(['a', 'none', 'b']);
    expect(examples.score).toEqual(Float32Array.of(1, 2, 3));
    expect(rowSplits).toEqual(Int32Array.of(0, 2, 2, 3));
    expect(parser.parseBatch([]).rowSplits).toEqual(Int32Array.of(0));
  });

  it('merges contexts that come in parts, and skips unknown fields', () => {
    const query = Buffer.from(Example.encode(example({ query: 'q' })));
    const other = Buffer.from(Example.encode(example({ other: 1 })));
    const part = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(0x12, bytes.length), bytes]);
    const record = Buffer.concat([part(query), Buffer.of(0x18, 5), part(other)]);
    const both = exampleListParser({
      context: { query: fixedLen([], 'text'), other: varLen('float32') },
      examples: {
        score: varLen('float32'),
      },
    });
    const { context, examples } = both.parse(record);
    expect(context.query).toBe('q');
    expect([...context.other]).toEqual([1]);
    expect(examples).toEqual([]);
  });

  it('names the record, and the part that does not fit', async () => {
    const wrong = ExampleListWithContext.encode({ examples: [example({ score: 1 }), example({ score: 'x' })] });
    const reader = readMessages(tfrecord([list('a', 1), wrong]), parser);
    const error = await failure(async () => {
      for await (const _ of reader);
    });
    expect(error).toMatchObject({ code: 'TFR_FEATURE', feature: 'score', record: 1 });
    expect((error as Error).message).toMatch(/^Record 1 of <bytes>: Example 1 of the list\. Feature "score": expected/);
    const cut = list('a', 1).subarray(0, 9);
    expect(() => parser.parse(cut)).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    expect(() => parser.parseBatch([cut])).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    expect(() => parser.parse('a' as never)).toThrow(TypeError);
    expect(() => exampleListParser({ example: {} } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }),
    );
  });
});

describe('parseBatch of an exampleListParser', () => {
  const good = list('a', 1, 2);
  const wrongItem = ExampleListWithContext.encode({
    examples: [example({ score: 1 }), example({ score: 'x' }), example({ score: 'y' })],
  });
  const wrongContext = ExampleListWithContext.encode({ context: example({ query: 1 }) });
  const noExample = Buffer.of(0x0a, 1, 0xff);
  const cut = good.subarray(0, 9);

  it.each<[records: Uint8Array[], record: number, code: string, message: RegExp]>([
    [
      [good, list(undefined), good, wrongItem],
      3,
      'TFR_FEATURE',
      /^Record 3: Example 1 of the list\. Feature "score": expected 1 float32 value, found bytes/,
    ],
    [
      [good, wrongContext, wrongItem],
      1,
      'TFR_FEATURE',
      /^Record 1: The context of the list\. Feature "query": expected/,
    ],
    [[good, wrongItem, wrongContext], 1, 'TFR_FEATURE', /^Record 1: Example 1 of the list\. /],
    [[good, noExample], 1, 'TFR_EXAMPLE', /^Record 1: Example 0 of the list is not an Example: /],
    [[good, good, cut], 2, 'TFR_DECODE', /^Record 2: The bytes are not an ExampleListWithContext: /],
    [[cut, wrongItem], 0, 'TFR_DECODE', /^Record 0: /],
    [[wrongItem, cut], 0, 'TFR_FEATURE', /^Record 0: Example 1/],
  ])('names the first record that does not fit, and its part: %#', async (records, record, code, message) => {
    const error = thrown(() => parser.parseBatch(records));
    expect(error).toMatchObject({ code, record, message: expect.stringMatching(message) });
    const placed = await failure(async () => {
      for await (const batch of (await RecordReader.open(tfrecord(records))).batches()) parser.parseBatch(batch);
    });
    expect(placed).toMatchObject({
      code,
      record,
      file: '<bytes>',
      offset: expect.any(Number),
      message: expect.stringMatching(new RegExp(`^Record ${record} of <bytes>: .*list`, 'i')),
    });
  });

  it('takes the batches of a reader', async () => {
    const splits: Int32Array[] = [];
    for await (const batch of (await RecordReader.open(tfrecord([good, list('b', 3)]))).batches())
      splits.push(parser.parseBatch(batch).rowSplits);
    expect(splits).toEqual([Int32Array.of(0, 2, 3)]);
  });

  it.each<[what: string, make: () => unknown]>([
    ['a promise', () => Promise.resolve([good])],
    [
      'a generator',
      function* () {
        yield good;
      },
    ],
    ['an object', () => ({})],
    ['a number', () => 5],
    ['a string', () => 'ab'],
    ['null', () => null],
    ['undefined', () => undefined],
    ['bytes', () => good],
    ['strings', () => ['a']],
    ['holes', () => [good, , good]],
    [
      'a revoked Proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable([], {});
        revoke();
        return proxy;
      },
    ],
  ])('refuses %s', (_, make) => {
    const error = thrown(() => parser.parseBatch(make() as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE', message: expect.stringMatching(/records/) });
  });
});

describe('PredictionLog', () => {
  it('has JSON, bytes and the members of the logs', () => {
    const json = {
      logMetadata: { modelSpec: { name: 'm', version: '7' }, samplingConfig: { samplingRate: 0.5 } },
      predictLog: {
        request: { inputs: { x: { dtype: 'DT_FLOAT', floatVal: [1.5] } } },
        response: { outputs: { y: { dtype: 'DT_INT64', int64Val: ['9007199254740993'] } } },
      },
    };
    const bytes = PredictionLog.encode(PredictionLog.fromJSON(json));
    const log = PredictionLog.decode(bytes);
    expect(log.predictLog?.response?.outputs['y']?.int64Val).toEqual([9007199254740993n]);
    expect(log.logMetadata?.modelSpec?.version).toEqual({ value: 7n });
    expect(PredictionLog.toJSON(log)).toEqual(json);
  });
});
