/**
 * Calls every exported function, constructor and method with arguments that nobody means: it accepts them, or its error
 * has a code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as lib from '../../../lib';

const { DenseTensor, RaggedTensor, SparseTensor, Dataset } = lib;
type Call = (...values: unknown[]) => unknown;

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'tfr-odd-'));
const emit = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
// Text is the name of a file, also of one to write.
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(home);
  // Windows removes no file that a writer has open, and some were never closed.
  if (process.platform !== 'win32') rmSync(folder, { recursive: true });
  emit.mockRestore();
});

/** The caller's own error passes through. */
const mine = (): never => {
  throw Object.assign(new Error('mine'), { code: 'MINE' });
};
const traps = { get: mine, has: mine, ownKeys: mine, getPrototypeOf: mine, getOwnPropertyDescriptor: mine };
const gone = (): Uint8Array => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
};
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cyclic: unknown[] = [];
cyclic.push(cyclic, cyclic);
const Resizable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;

const ODD: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => NaN,
  '-0': () => -0,
  '2**53': () => 2 ** 53,
  '1e308': () => 1e308,
  'a fraction': () => -1.5,
  'a bigint': () => 2n ** 64n,
  true: () => true,
  'empty text': () => '',
  text: () => 'abc',
  'half a pair': () => '\ud800',
  'a null byte': () => 'a\0b',
  'long text': () => 'x'.repeat(100_000),
  'a symbol': () => Symbol('odd'),
  'a function': () => () => undefined,
  'an empty list': () => [],
  holes: () => [, 1, ,],
  'a list of null': () => [null],
  'a list of undefined': () => [undefined],
  'a list of a symbol': () => [Symbol('odd')],
  'a cyclic list': () => cyclic,
  'no prototype': () => Object.create(null) as object,
  frozen: () => Object.freeze({ a: 1 }),
  'a constructor of null': () => ({ constructor: null }),
  'a throwing constructor': () => ({
    get constructor() {
      return mine();
    },
  }),
  'a throwing toString': () => ({ toString: mine }),
  'a proxy that throws': () => new Proxy({}, traps),
  'a revoked proxy': revoked,
  'a proxy of bytes': () => new Proxy(Uint8Array.of(1, 2, 3), {}),
  'a date': () => new Date(NaN),
  'a map': () => new Map([['a', 1]]),
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'shared memory': () => new SharedArrayBuffer(8),
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(8)),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  bytes: () => Uint8Array.of(1, 2, 3),
  'resizable bytes': () => new Uint8Array(new Resizable(8, { maxByteLength: 16 })),
  'detached bytes': gone,
  floats: () => Float32Array.of(NaN, 1),
  int32s: () => Int32Array.of(5, -1),
  'clamped bytes': () => new Uint8ClampedArray(2),
  'a promise': () => Promise.resolve(1),
  'a generator': () => [1].values(),
  'a URL': () => new URL('ftp://localhost/'),
  'an endless list': () => ({ length: 2 ** 53 }),
  'an iterable that throws': () => ({ [Symbol.iterator]: mine }),
  'an iterator that is none': () => ({ [Symbol.iterator]: 5 }),
  'a boxed bigint': () => Object(1n) as object,
};

const record = lib.encodeExample({ a: lib.int64(1) });
const spec = { a: lib.fixedLen([], 'int64') };
const dense = (): unknown => new DenseTensor('int64', [2], new BigInt64Array(2));
const sparseParts = { values: new BigInt64Array(1), denseShape: [3], indices: new BigInt64Array(1) };
const columns = { a: BigInt64Array.of(1n) };
/** Arguments that are right, of which one at a time, or a member of one, is replaced. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  countRecords: [record, {}],
  crc32c: [record, 0],
  maskCrc32c: [1],
  unmaskCrc32c: [1],
  readRecords: [record, {}],
  readMessages: [record, lib.Example, {}],
  readEvents: ['no-logs', {}],
  loadMessageTypes: ['none.proto', { roots: '.' }],
  MessageTypes: [],
  exampleListParser: [{ context: spec, examples: spec }, {}],
  remoteOptions: [{}],
  readRecordsSync: [record, {}],
  writeRecords: ['written', [record], { atomic: false }],
  RecordBatch: [],
  IndexedFiles: [],
  openIndexed: [record, {}],
  openIndexedFiles: ['there-is-none', {}],
  RecordIndex: [],
  RecordReader: [],
  RecordWriter: [],
  ShardedWriter: [],
  Dataset: [],
  defineSource: [{ open: () => undefined, read: () => undefined }],
  decodeCompressed: [[record], {}],
  decodeCsv: [['1,2'], [0, 0], {}],
  decodeJsonExample: [['{}']],
  decodePaddedRaw: [['abcd'], 'uint8', 4, {}],
  decodeRaw: [['abcd'], 'uint8', {}],
  parseTensor: [lib.serializeTensor(dense() as never), 'int64'],
  serializeTensor: [dense()],
  bytes: ['a'],
  BytesArray: [new Uint8Array(2), Int32Array.of(0, 2)],
  decodeExample: [record, {}],
  decodeSequenceExample: [record, {}],
  DenseTensor: ['int64', [2], new BigInt64Array(2)],
  NullableColumn: ['int64', new BigInt64Array(2), new Uint8Array(1)],
  encodeExample: [{ a: 1n }],
  encodeExamples: [columns, spec, {}],
  exampleToObject: [record, {}],
  encodeRecords: [[record], {}],
  createRecordDecoder: [{}],
  createRecordEncoder: [{}],
  encodeSequenceExample: [{ context: { a: 1n }, featureLists: { a: [1n] } }],
  exampleEncoder: [spec],
  exampleParser: [spec, {}],
  fixedLen: [[], 'int64', {}],
  fixedLenSequence: [[], 'int64', {}],
  float: [1],
  int64: [1],
  parseExample: [[record], spec, {}],
  parseSequenceExample: [[record], { context: spec }, {}],
  parseSingleExample: [record, spec, {}],
  parseSingleSequenceExample: [record, { context: spec }, {}],
  ragged: [{ dtype: 'int64' }],
  RaggedTensor: [dense(), [Int32Array.of(0, 2)]],
  readExamples: [record, spec, {}],
  RecordDecoderStream: [{}],
  RecordEncoderStream: [{}],
  readSequenceExamples: [record, { context: spec }, {}],
  recordType: [record],
  rowsOf: [columns, spec],
  sequenceExampleParser: [{ context: spec }, {}],
  sequenceExampleToObject: [record, {}],
  sequenceSpecFromJSON: [{}],
  sparse: [{ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }],
  SparseTensor: ['int64', sparseParts],
  specFromJSON: [lib.specToJSON(spec)],
  specToJSON: [spec],
  varLen: ['int64'],
};
/** An error is made as JavaScript makes one. Messages are protobuf's classes; their tests are messages.test.ts. */
const OTHERS =
  'TFRecordError BytesList Event Example Feature FeatureList FeatureLists Features FloatList Int64List SequenceExample ' +
  'ExampleListWithContext PredictionLog';

/** Objects whose methods are called. Those of BytesArray convert their arguments as typed arrays do. */
const OBJECTS: Readonly<Record<string, () => object>> = {
  DenseTensor: () => dense() as object,
  NullableColumn: () => lib.NullableColumn.from('int64', [1, null]),
  RaggedTensor: () => new RaggedTensor(dense() as never, [Int32Array.of(0, 2)]),
  SparseTensor: () => new SparseTensor('int64', sparseParts),
  Dataset: () => Dataset.range(3),
};

/** `right`, in which `value` stands for each argument, each member of one, each first element of one. */
function* replaced(right: readonly unknown[], value: unknown): Generator<readonly unknown[]> {
  for (const [i, argument] of right.entries()) {
    yield right.with(i, value);
    if (typeof argument !== 'object' || argument === null || ArrayBuffer.isView(argument)) continue;
    if (Array.isArray(argument)) yield right.with(i, [value]);
    else for (const name of [...Object.keys(argument), 'a']) yield right.with(i, { ...argument, [name]: value });
  }
}

const isClass = (value: unknown): boolean => typeof value === 'function' && /^class\b/.test(String(value));
const methodsOf = (object: object): string[] =>
  Object.getOwnPropertyNames(object).filter((name) => {
    if (name === 'constructor') return false;
    return typeof Object.getOwnPropertyDescriptor(object, name)?.value === 'function';
  });

function* calls(): Generator<[name: string, call: Call, right: readonly unknown[]]> {
  const all = lib as unknown as Record<string, Call & (new (...values: unknown[]) => unknown)>;
  for (const [name, right] of Object.entries(RIGHT)) {
    const exported = all[name]!;
    if (!isClass(exported)) {
      yield [name, exported, right];
      continue;
    }
    yield [`new ${name}`, (...values) => new exported(...values), right.length === 0 ? [undefined] : right];
    for (const method of methodsOf(exported)) {
      const statics = exported as unknown as Record<string, Call>;
      yield [`${name}.${method}`, (...values) => statics[method]!(...values), [undefined]];
    }
  }
  for (const [name, make] of Object.entries(OBJECTS)) {
    for (const method of methodsOf(Object.getPrototypeOf(make()) as object)) {
      const call: Call = (...values) => (make() as Record<string, Call>)[method]!(...values);
      yield [`${name}.prototype.${method}`, call, [undefined, undefined]];
    }
  }
}

test('every export is called', () => {
  expect(Object.keys(lib).sort()).toEqual([...Object.keys(RIGHT), ...OTHERS.split(' ')].sort());
});

test('errors for odd arguments have codes, and nothing hangs', async () => {
  const uncoded = new Set<string>();
  const pending: Promise<unknown>[] = [];
  const judge = (where: string, error: unknown): void => {
    if ((error as { code?: unknown } | null)?.code === undefined) uncoded.add(`${where}: ${String(error)}`);
  };
  /** The first step of what is read. */
  const step = (where: string, result: unknown): void => {
    if (typeof result !== 'object' || result === null || ArrayBuffer.isView(result)) return;
    // A stream is read when it has ended.
    if (result instanceof Duplex) result.end();
    const { next, then } = result as { next?: unknown; then?: unknown };
    if (typeof then === 'function') {
      pending.push((result as Promise<unknown>).catch((error: unknown) => judge(where, error)));
    } else if (Symbol.asyncIterator in result) {
      const iterator = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      const stepped = iterator.next().then(() => iterator.return?.());
      pending.push(stepped.catch((error: unknown) => judge(`${where}, next()`, error)));
    } else if (typeof next === 'function') (result as Iterator<unknown>).next();
  };
  const rows = (encoder: unknown, value: unknown): void => {
    for (const row of [value, { a: value }]) {
      try {
        (encoder as Call)(row);
      } catch (error) {
        judge('the function of exampleEncoder', error);
      }
    }
  };
  const encoder = lib.exampleEncoder(spec);
  for (const [name, call, right] of calls()) {
    for (const [odd, make] of Object.entries(ODD)) {
      if (name === 'bytes') rows(encoder, make());
      for (const values of replaced(right, make())) {
        try {
          step(`${name}(${odd})`, call(...values));
        } catch (error) {
          judge(`${name}(${odd})`, error);
        }
      }
    }
  }
  await Promise.all(pending);
  expect([...uncoded]).toEqual([]);
});
