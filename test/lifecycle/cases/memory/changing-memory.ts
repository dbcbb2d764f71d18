/**
 * Calls the functions of the package, one after another, with shared memory that a worker changes meanwhile. Arguments:
 * milliseconds for each function; names of functions (default: all). Prints every outcome that is neither a value nor
 * an error of ours.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

import { argument, say } from '../../../support/running/case';
import { tfrecord } from '../../../support/records/tfrecord';
import {
  bytes,
  BytesArray,
  countRecords,
  crc32c,
  Dataset,
  decodeCompressed,
  decodeCsv,
  decodeExample,
  decodeJsonExample,
  decodePaddedRaw,
  decodeRaw,
  decodeSequenceExample,
  encodeExample,
  encodeExamples,
  Example,
  fixedLen,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseTensor,
  ragged,
  readExamples,
  RecordBatch,
  readRecords,
  readRecordsSync,
  SequenceExample,
  serializeTensor,
  varLen,
  writeRecords,
} from '../../../../lib';

const MS = Number(argument(0));
const [, ...wanted] = process.argv.slice(2);
/** Codes of errors that users may meet. */
const OURS = /^(TFR_|ERR_INVALID_ARG|ERR_OUT_OF_RANGE|ENOMEM)/;

const example = encodeExample({
  numbers: int64(Array.from({ length: 300 }, (_, i) => i * 99)),
  floats: float(new Float32Array(500).fill(0.5)),
  texts: bytes(Array.from({ length: 20 }, (_, i) => 'ä'.repeat(i * 9))),
});
const sequence = SequenceExample.encode({
  context: { feature: {} },
  featureLists: { featureList: { a: { feature: [{ int64List: { value: [1n, 300n, 70_000n] } }] } } },
});
const spec = { numbers: varLen('int64'), floats: varLen('float32'), texts: varLen('bytes') };
const lists = { sequence: { a: ragged({ dtype: 'int64' }) } };
const tensor = serializeTensor({
  dtype: 'bytes',
  shape: [20],
  data: Array.from({ length: 20 }, (_, i) => 'ä'.repeat(i)),
});
const json = Buffer.from(JSON.stringify({ features: { feature: { a: { bytesList: { value: ['w6TDpMOk'] } } } } }));
const records = Array.from({ length: 40 }, () => example);
const file = tfrecord(records);

type Call = (shared: Uint8Array) => unknown;

/** The batch over the bytes of `count` records side by side, in memory that other threads write to. */
function batchOver(shared: Uint8Array, count: number): RecordBatch {
  const memory = shared.buffer as SharedArrayBuffer;
  return RecordBatch.from({ file: 'shared', firstRecord: 0, base: 0, length: count, memory });
}

async function drain(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of values);
}

async function* chunksOf(shared: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < shared.length; at += 5000) yield shared.subarray(at, at + 5000);
}

const nowhere = (): PassThrough => new PassThrough().resume();

/** The layout of a batch from `share()`: the pairs, then the bytes. */
function sharedLayout(list: readonly Uint8Array[]): Uint8Array {
  let at = 8 * list.length;
  const pairs = new Uint32Array(list.flatMap((record) => [(at += record.length) - record.length, record.length]));
  return Buffer.concat([new Uint8Array(pairs.buffer), ...list]);
}

/** The numbers of one feature; they are the last bytes of the record. */
const NUMBERS = 60_000;
const numbers = encodeExample({ numbers: int64(new BigInt64Array(NUMBERS).fill(1n)) });
const numberLists = SequenceExample.encode({
  context: { feature: {} },
  featureLists: { featureList: { a: { feature: [{ int64List: { value: Array<bigint>(NUMBERS).fill(1n) } }] } } },
});

/**
 * The functions, and the bytes for each. The bytes from `from` on change: they may become malformed, or, if `from` is
 * negative, stay that many varints at the end.
 */
const CALLS: Readonly<Record<string, readonly [call: Call, bytes: Uint8Array, from?: number]>> = {
  'parseExample of a batch of numbers': [
    (shared) => parseExample(batchOver(shared, 1), { numbers: varLen('int64') }),
    sharedLayout([numbers]),
    -NUMBERS,
  ],
  'parseSequenceExample of a batch of numbers': [
    (shared) => parseSequenceExample(batchOver(shared, 1), lists),
    sharedLayout([numberLists]),
    -NUMBERS,
  ],
  'parseExample of one of numbers': [
    (shared) => parseExample([shared], { numbers: varLen('int64') }),
    numbers,
    -NUMBERS,
  ],
  'parseSingleExample of numbers': [
    (shared) => parseSingleExample(shared, { numbers: varLen('int64') }),
    numbers,
    -NUMBERS,
  ],
  'Dataset.parse of a batch of numbers': [
    (shared) => drain(Dataset.from([batchOver(shared, 1)]).parse({ numbers: varLen('int64') })),
    sharedLayout([numbers]),
    -NUMBERS,
  ],
  'decodeExample of numbers': [decodeExample, numbers, -NUMBERS],
  'parseExample of a batch': [(shared) => parseExample(batchOver(shared, 40), spec), sharedLayout(records), 320],
  'parseExample of a list': [(shared) => parseExample([shared], spec), example],
  'parseExample of a long record': [(shared) => parseExample([shared], spec), Buffer.concat(records)],
  'parseSequenceExample of a batch': [
    (shared) => parseSequenceExample(batchOver(shared, 9), lists),
    sharedLayout(Array<Uint8Array>(9).fill(sequence)),
    72,
  ],
  parseSingleExample: [(shared) => parseSingleExample(shared, spec), example],
  'Dataset.parse of a batch': [
    (shared) => drain(Dataset.from([batchOver(shared, 40)]).parse(spec)),
    sharedLayout(records),
    320,
  ],
  'Dataset.parse of records': [(shared) => drain(Dataset.from([shared]).parse(spec).batch(1)), example],
  decodeExample: [decodeExample, example],
  decodeSequenceExample: [decodeSequenceExample, sequence],
  'Example.decode': [(shared) => Example.decode(shared), example],
  decodeCompressed: [(shared) => decodeCompressed(shared, { compression: 'gzip' }), gzipSync(file)],
  decodeRaw: [(shared) => decodeRaw(shared.subarray(0, 64), { outType: 'bool' }), example],
  decodePaddedRaw: [(shared) => decodePaddedRaw(shared, { outType: 'int16', fixedLength: 64 }), example],
  parseTensor: [(shared) => parseTensor(shared), tensor],
  decodeCsv: [(shared) => decodeCsv([shared], { recordDefaults: ['bytes', 'int64'] }), Buffer.from('"ä""b",123456')],
  decodeJsonExample: [decodeJsonExample, json],
  crc32c: [(shared) => crc32c(shared), example],
  readRecords: [(shared) => drain(readRecords(shared)), file],
  'readRecords of gzip': [(shared) => drain(readRecords(shared)), gzipSync(file)],
  'readRecords of chunks': [(shared) => drain(readRecords(chunksOf(shared))), file],
  readRecordsSync: [(shared) => drain(readRecordsSync(shared)), file],
  countRecords: [(shared) => countRecords(shared), file],
  readExamples: [(shared) => drain(readExamples(shared, spec, { verify: 'none' }).batches(8)), file],
  writeRecords: [(shared) => writeRecords(nowhere(), [shared, shared], { compression: 'gzip' }), example],
  encodeExample: [
    (shared) => encodeExample({ a: new BigInt64Array(shared.buffer), b: shared, c: new Float32Array(shared.buffer) }),
    new Uint8Array(800).fill(1),
  ],
  encodeExamples: [
    (shared) => encodeExamples({ a: new BigInt64Array(shared.buffer) as never }, { a: fixedLen([], 'int64') }),
    new Uint8Array(8000).fill(1),
  ],
  serializeTensor: [
    (shared) => serializeTensor({ dtype: 'bool', shape: [shared.length], data: shared }),
    new Uint8Array(800).fill(1),
  ],
  BytesArray: [
    (shared) => {
      const array = new BytesArray(shared as never, Int32Array.of(0, 100, shared.length));
      return [
        array.text(1),
        JSON.stringify(array),
        inspect(array),
        parseTensor(serializeTensor({ dtype: 'bytes', shape: [2], data: array })),
      ];
    },
    Buffer.from('ä'.repeat(900)),
  ],
};

async function race(call: Call, source: Uint8Array, given: number): Promise<{ calls: boolean; others: string[] }> {
  const shared = new Uint8Array(new SharedArrayBuffer(source.length));
  const varints = given < 0;
  const from = varints ? source.length + given : given;
  shared.set(source);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(__dirname, 'changing-worker.js'), {
    workerData: { source, shared, from, varints, stop },
  });
  const ended = once(worker, 'exit');
  await once(worker, 'message');
  const others = new Set<string>();
  let calls = 0;
  for (const until = performance.now() + MS; performance.now() < until; calls++) {
    try {
      await call(shared);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code !== 'string' || !OURS.test(code)) others.add(String((error as Error).stack));
    }
  }
  Atomics.store(stop, 0, 1);
  await ended;
  return { calls: calls > 0, others: [...others] };
}

async function main(): Promise<void> {
  for (const [name, [call, source, from = 0]] of Object.entries(CALLS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { calls, others } = await race(call, source, from);
    say({ name, calls, others });
  }
}

void main();
