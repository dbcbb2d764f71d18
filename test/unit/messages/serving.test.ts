import {
  Example,
  exampleListParser,
  ExampleListWithContext,
  fixedLen,
  PredictionLog,
  readMessages,
  varLen,
} from '../../../lib';
import { tfrecord } from '../../support/records/tfrecord';
import { failure } from '../../support/thrown';

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
    expect((error as Error).message).toMatch(/^Record 1 of <bytes>: Example 1 of the list: /);
    const cut = list('a', 1).subarray(0, 9);
    expect(() => parser.parse(cut)).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    expect(() => parser.parseBatch([cut])).toThrow(expect.objectContaining({ code: 'TFR_DECODE' }));
    expect(() => parser.parse('a' as never)).toThrow(TypeError);
    expect(() => exampleListParser({ example: {} } as never)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }),
    );
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
