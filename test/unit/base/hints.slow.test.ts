/** Every hint of the library: its option is one of the function that failed, and following it changes the outcome. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { DateDay, Table, tableFromArrays, tableToIPC, vectorFromArray } from 'apache-arrow';

import {
  bytes,
  countRecords,
  Dataset,
  decodeCompressed,
  decodeCsv,
  decodeExample,
  encodeExample,
  encodeRecords,
  fixedLen,
  float,
  int64,
  parseTensor,
  readExamples,
  readRecordsSync,
  RecordWriter,
  TFRecordError,
} from '../../../lib';
import { arrowBatches, fromArrow } from '../../../lib/adapters/arrow';
import { convert, mergeParts, type ConvertOptions } from '../../../lib/convert';
import { inferSchema, statistics } from '../../../lib/schema';
import { RecordIndex } from '../../../lib/record';
import { faultError, MAX_RECORD_BYTES, messageOf } from '../../../lib/base';
import { Folder } from '../../support/records/record-files';
import { picture } from '../../support/records/pictures';
import { flipBit } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

type Options = Readonly<Record<string, unknown>>;
type Call = (options: Options) => unknown;

/** A call that fails with a hint. */
interface Case {
  /** The places in lib that make the hint: `file option`. */
  readonly sites: readonly string[];
  readonly call: Call;
  readonly hint: { readonly option: string; readonly value?: string | number | boolean };
  /** The value to follow the hint with, if it has none. */
  readonly value?: unknown;
  /** True if following changes the error, but cannot make the call succeed. */
  readonly stillFails?: boolean;
}

const RECORDS = Array.from({ length: 5 }, (_, i) => encodeExample({ id: int64(i) }));
const WHOLE = Buffer.from(encodeRecords(RECORDS));
const FRAME = WHOLE.length / RECORDS.length;
const FAULTS = 'base/faults.ts';

function put(name: string, content: Uint8Array | string): string {
  return folder.put(name, Buffer.from(content));
}

/** A folder with these files. */
function putAll(name: string, files: Readonly<Record<string, Uint8Array | string>>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(folder.at(`${name}/${file}`)), { recursive: true });
    put(`${name}/${file}`, content);
  }
  return folder.at(name);
}

const withoutSums = Buffer.from(WHOLE);
for (let at = 0; at < withoutSums.length; at += FRAME) withoutSums.fill(0, at + 8, at + 12);

const DAMAGED: readonly (readonly [name: string, path: string, site: string, given: Options, hint: Case['hint']])[] = [
  ['length', put('length', flipBit(WHOLE, 2 * FRAME + 1)), 'onError', {}, { option: 'onError', value: 'stop' }],
  ['data', put('data', flipBit(WHOLE, 2 * FRAME + 15)), 'onError', {}, { option: 'onError', value: 'skip' }],
  ['cut', put('cut', WHOLE.subarray(0, -3)), 'onError', {}, { option: 'onError', value: 'stop' }],
  ['sums', put('sums', withoutSums), 'verify', {}, { option: 'verify', value: 'none' }],
  [
    'size',
    put('whole', WHOLE),
    'maxRecordBytes',
    { maxRecordBytes: 3 },
    { option: 'maxRecordBytes', value: FRAME - 16 },
  ],
  [
    'compression',
    put('gzip', encodeRecords(RECORDS, { compression: 'gzip' })),
    'compression',
    { compression: 'none' },
    { option: 'compression', value: 'auto' },
  ],
];

const ID = { id: fixedLen([], 'int64') };

async function drained(iterable: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of iterable);
}

/** The functions that read records with the options of reading. */
const READERS: Readonly<Record<string, (path: string, options: Options) => unknown>> = {
  countRecords: (path, options) => countRecords(path, options),
  readRecordsSync: (path, options) => [...readRecordsSync(path, options)],
  readExamples: (path, options) => drained(readExamples(path, ID, options)),
  'Dataset.tfrecord': (path, options) => Dataset.tfrecord(path, options).count(),
  inferSchema: (path, options) => inferSchema(path, options),
  statistics: (path, options) => statistics(path, options),
  arrowBatches: (path, options) => drained(arrowBatches(path, ID, options)),
};

let outputs = 0;
function converted(input: string, name: string, options: ConvertOptions = {}): Call {
  return (more) => convert(input, folder.at(`${outputs++}-${name}`), { ...options, ...more });
}

function example(name: string, records: readonly Uint8Array[]): string {
  return put(name, encodeRecords(records));
}

const appended = put('appended', flipBit(WHOLE, 2 * FRAME + 1));
const event = example('event', [Buffer.from('090000000000000040100a', 'hex')]);
const PNG = picture('png', 2, 3);
const dated = put('dated.arrow', tableToIPC(new Table({ d: vectorFromArray([new Date(0)], new DateDay()) }), 'file'));
const rounded = tableFromArrays({ x: Float64Array.of(0.1) });
const exists = put('exists.jsonl', '{"a": 1}\n');
const whole = folder.at('whole');

async function damagedParts(): Promise<string> {
  const output = folder.at('m');
  for (const shard of ['0/2', '1/2']) await convert(whole, output, { shard, force: true });
  writeFileSync(`${output}.part-1-of-2/manifest.json`, '{');
  return output;
}

const CASES: Readonly<Record<string, Case>> = {
  'a limit of onError': {
    sites: ['record/error-policy.ts onError'],
    call: (options) => countRecords(folder.at('data'), { onError: { action: 'skip', max: 0 }, ...options }),
    hint: { option: 'onError' },
    value: 'skip',
  },
  'a record that is too long to write': {
    sites: ['record/write/append-records.ts maxRecordBytes'],
    call: async (options) => {
      await using writer = await RecordWriter.open(folder.at('written'), { maxRecordBytes: 3, ...options });
      await writer.write('abcdef');
    },
    hint: { option: 'maxRecordBytes', value: 6 },
  },
  'decodeExample, numbers': {
    sites: ['example/feature/decoded-feature.ts int64'],
    call: (options) => decodeExample(encodeExample({ a: int64(2n ** 60n) }), { int64: 'number', ...options }),
    hint: { option: 'int64', value: 'bigint' },
  },
  'decodeExample, text': {
    sites: ['example/feature/decoded-feature.ts bytes'],
    call: (options) => decodeExample(encodeExample({ a: bytes(Buffer.from([255])) }), { bytes: 'text', ...options }),
    hint: { option: 'bytes', value: 'bytes' },
  },
  'readExamples, numbers': {
    sites: ['example/parse/parse-fault.ts int64'],
    call: (options) =>
      drained(
        readExamples(example('big', [encodeExample({ id: int64(2n ** 60n) })]), ID, { int64: 'number', ...options }),
      ),
    hint: { option: 'int64', value: 'bigint' },
  },
  'an index that was scanned with fewer checks': {
    sites: ['record/index/index-file.ts verify'],
    call: async (options) => {
      const path = folder.at('whole.index');
      await RecordIndex.scan(whole, { verify: 'length' }).save(path);
      await RecordIndex.load(path, whole, options);
    },
    hint: { option: 'verify', value: 'length' },
  },
  'decodeCompressed: more output': {
    sites: ['decode/compressed.ts maxOutputLength'],
    call: (options) => decodeCompressed(gzipSync('abc'), { compression: 'gzip', maxOutputLength: 2, ...options }),
    hint: { option: 'maxOutputLength' },
    value: 3,
  },
  'decodeCsv: a value is missing': {
    sites: ['decode/csv/decode-csv.ts recordDefaults'],
    call: (options) => decodeCsv([Buffer.from(',b')], { recordDefaults: ['int64', 'bytes'], ...options } as never),
    hint: { option: 'recordDefaults' },
    value: [{ dtype: 'int64', default: 7n }, 'bytes'],
  },
  'Dataset.csv: a value is missing': {
    sites: ['dataset/sources/csv-layout.ts columns'],
    call: (options) => {
      const source = put('missing.csv', 'a,b\n,2\n');
      return Dataset.csv(source, { columns: { a: { dtype: 'int64' } }, ...options }).toArray();
    },
    hint: { option: 'columns' },
    value: { a: { dtype: 'int64', default: 7n } },
  },
  'parseTensor: too much to fill': {
    sites: ['decode/tensor/parse-tensor.ts maxFillBytes'],
    call: (options) => {
      const message = { dtype: 1, tensorShape: { dim: [{ size: 1000n }] }, floatVal: [1] };
      return parseTensor(message as never, { maxFillBytes: 10, ...options });
    },
    hint: { option: 'maxFillBytes' },
    value: 4000,
  },
  'an empty part': {
    sites: ['dataset/stages/mix/mix.ts exhausted'],
    call: (options) =>
      Dataset.sampleFrom([Dataset.range(3), Dataset.range(0)], { exhausted: 'stop', ...options }).toArray(),
    hint: { option: 'exhausted', value: 'drop' },
  },
  'lines that are not UTF-8': {
    sites: ['dataset/sources/text.ts onError()'],
    call: called(Dataset.text(put('latin1.txt', Buffer.from('a\n\xff\nb\n', 'latin1')))),
    hint: { option: 'onError()', value: 'skip' },
  },
  'lines in damaged gzip': {
    sites: ['dataset/sources/cut-records.ts onError()'],
    call: called(Dataset.text(put('cut.txt.gz', gzipSync('a\nb\nc\n').subarray(0, -9)))),
    hint: { option: 'onError()', value: 'stop' },
  },
  'a record of fixed length that is cut': {
    sites: ['dataset/sources/fixed-length.ts onError()'],
    call: called(Dataset.fixedLength(put('fixed', 'abcde'), 2)),
    hint: { option: 'onError()', value: 'stop' },
  },
  'float64 from Arrow': {
    sites: ['arrow/read-values.ts at.roundingOption'],
    call: (options) => fromArrow(rounded.batches[0]!, undefined, options),
    hint: { option: 'rounding', value: true },
  },
  'float64 in an Arrow file': {
    sites: ['arrow/read-values.ts at.roundingOption'],
    call: converted(put('rounded.arrow', tableToIPC(rounded, 'file')), 'a.tfrecord'),
    hint: { option: 'round', value: true },
  },
  'dates in an Arrow file': {
    sites: ['arrow/batch-reading.ts dates'],
    call: converted(dated, 'a.tfrecord'),
    hint: { option: 'dates' },
    value: 'text',
  },
  'several kinds: statistics': {
    sites: ['schema/statistics/collect.ts features'],
    call: (options) =>
      statistics(
        example('mixed', [encodeExample({ a: int64(1), b: int64(1) }), encodeExample({ a: float(1), b: int64(1) })]),
        options,
      ),
    hint: { option: 'features' },
    value: ['b'],
  },
  'several kinds: a table': {
    sites: ['table/survey/table-of-survey.ts features', 'table/column-reading.ts features'],
    call: converted(
      example('mixed-table', [
        encodeExample({ a: int64(1), b: int64(1) }),
        encodeExample({ a: float(1), b: int64(1) }),
      ]),
      'a.arrow',
    ),
    hint: { option: 'features' },
    value: ['b'],
  },
  'an index without keys': {
    sites: ['record/index/index-keys.ts keys'],
    call: (options) => RecordIndex.scan(whole, options).find('3'),
    hint: { option: 'keys' },
    value: 'id',
  },
  'an output that exists': {
    sites: ['io/target/exists-error.ts force'],
    call: (options) => convert(whole, exists, { ...options }),
    hint: { option: 'force', value: true },
  },
  'a feature that no record has': {
    sites: ['convert/transform/feature-choice.ts option'],
    call: converted(whole, 'a.jsonl', { features: ['ids'] }),
    hint: { option: 'features' },
    value: ['id'],
  },
  'a class that is not listed': {
    sites: ['convert/images/classes.ts onError'],
    call: converted(putAll('classes', { 'cat/1.png': PNG, 'dog/1.png': PNG }), 'a.tfrecord', { classes: ['cat'] }),
    hint: { option: 'onError', value: 'skip' },
  },
  'a file that is not a picture': {
    sites: ['convert/images/picture-reader.ts onError'],
    call: converted(putAll('pictures', { 'a/1.png': PNG, 'a/2.png': 'text' }), 'a.tfrecord'),
    hint: { option: 'onError', value: 'skip' },
  },
  'a picture without a line': {
    sites: ['convert/images/labels.ts onError'],
    call: converted(putAll('labelled', { 'a/1.png': PNG, 'a/2.png': PNG }), 'a.tfrecord', {
      labels: put('labels.csv', 'file,label\na/1.png,x\n'),
    }),
    hint: { option: 'onError', value: 'skip' },
  },
  'an Event as a row': {
    sites: ['convert/jsonl/print-other.ts to'],
    call: converted(event, 'a.jsonl'),
    hint: { option: 'to', value: 'protojson' },
  },
  'rows of several kinds': {
    sites: ['convert/jsonl/kinds.ts spec'],
    call: converted(put('kinds.jsonl', '{"a": 1}\n{"a": "x"}\n'), 'a.tfrecord'),
    hint: { option: 'spec' },
    value: { a: fixedLen([], 'float32') },
    stillFails: true,
  },
  'an integer among floats': {
    sites: ['convert/jsonl/encode-row.ts spec'],
    call: converted(put('floats.jsonl', '{"a": 1.5}\n{"a": 16777217}\n'), 'a.tfrecord'),
    hint: { option: 'spec' },
    value: { a: fixedLen([], 'text') },
    stillFails: true,
  },
  'a list in a list': {
    sites: ['convert/jsonl/parse-line.ts spec'],
    call: converted(put('lists.jsonl', '{"a": [[1], [2]]}\n'), 'a.tfrecord'),
    hint: { option: 'spec' },
    value: { a: fixedLen([2, 1], 'int64') },
  },
  'an object in a row': {
    sites: ['convert/jsonl/parse-line.ts exclude'],
    call: converted(put('objects.jsonl', '{"a": {"b": 1}, "c": 1}\n'), 'a.tfrecord'),
    hint: { option: 'exclude' },
    value: ['a'],
  },
  'a name that is not in the spec: rows': {
    sites: ['convert/jsonl/spec-rows.ts exclude'],
    call: converted(put('names.jsonl', '{"id": 1, "b": 2}\n'), 'a.tfrecord', { spec: ID }),
    hint: { option: 'exclude' },
    value: ['b'],
  },
  'a name that is not in the spec: CSV': {
    sites: ['convert/csv/csv-columns.ts exclude'],
    call: converted(put('names.csv', 'id,b\n1,2\n'), 'a.tfrecord', { spec: ID }),
    hint: { option: 'exclude' },
    value: ['b'],
  },
};

/** Follows a hint for a method. */
function called(dataset: Dataset<unknown, unknown>): Call {
  return (options) => {
    const policy = options['onError()'];
    const followed = policy === undefined ? dataset : dataset.onError(policy as 'skip');
    return followed.count();
  };
}

/** Mentions that are in notes, or in the text of a message, and need what a test here has not: no hints, or none to follow. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'base/errors.ts name.slice': 'the name of a wrong option',
  'convert/csv/csv-columns.ts na': 'a note',
  'convert/csv/csv-columns.ts spec': 'a note',
  'convert/csv/csv-output.ts onError': 'a record without features, which csv-advice.slow.test.ts has',
  'convert/csv/header.ts delimiter': 'a note',
  'convert/csv/rounding.ts exact': 'a note',
  'convert/csv/rounding.ts spec': 'a note',
  'convert/detection/box.ts onError': 'a box that does not fit its picture, which tests of COCO have',
  'convert/detection/yolo/yolo-input.ts classes': 'the text',
  'convert/images/classes.ts classes': 'the text',
  'convert/images/picture-reader.ts from': 'a folder of TensorFlow Datasets, which tfds.slow.test.ts has',
  'convert/job/job.ts compression': 'the text',
  'convert/job/job.ts from': 'the text',
  'convert/job/job.ts to': 'a note',
  'convert/job/manifest.ts force': 'the manifest of another job, which convert.slow tests have',
  'convert/options.ts message': 'the text',
  'convert/options.ts partitionBy': 'the text',
  'convert/options.ts resume': 'the text',
  'convert/options.ts split': 'the text',
  'convert/output/target.ts force': 'a second option',
  'convert/output/target.ts resume': 'a job that was interrupted',
  'schema/statistics/part-statistics.ts features': 'the text',
  'schema/statistics/word-tables.ts statistics()': 'the text',
  'sql/parquet-columns.ts dates': 'Parquet, which needs DuckDB',
  'sql/parquet-columns.ts round': 'Parquet, which needs DuckDB',
  'sql/row-filter.ts where': 'the text',
  'table/column-reading.ts exclude': 'a second option',
  'table/column-reading.ts dates': 'a note',
  'table/dates.ts dates': 'nanoseconds, which Parquet has',
  'io/remote/task-errors.ts checkTag': 'an option of remoteOptions(), which reading-urls.test.ts follows',
  'io/remote/task-errors.ts minBytesPerSecond': 'an option of remoteOptions(), which reading-urls.test.ts follows',
  'io/remote/task-errors.ts retries': 'an option of remoteOptions(), which helps if the server recovers',
  'io/remote/task-errors.ts timeout': 'a second option',
};

async function failure(call: Call, options: Options): Promise<unknown> {
  try {
    await call(options);
  } catch (error) {
    return error;
  }
  return undefined;
}

async function follow({ call, hint, value, stillFails = false }: Case): Promise<void> {
  const error = await failure(call, {});
  expect([error]).toEqual([expect.any(TFRecordError)]);
  const { message, hint: given } = error as TFRecordError;
  expect([message, given]).toEqual([message, hint]);
  const after = await failure(call, { [hint.option]: value ?? hint.value });
  if (!stillFails) expect(after).toBeUndefined();
  // An option that does not exist is a TypeError.
  else expect([after, (after as Error).message === message]).toEqual([expect.any(TFRecordError), false]);
}

describe.each(DAMAGED)('%s', (_name, path, _site, given, hint) => {
  test.each(Object.keys(READERS))('%s', (name) =>
    follow({ sites: [], call: (options) => READERS[name]!(path, { ...given, ...options }), hint }),
  );

  // Its option `compression` is that of the outputs.
  if (hint.option === 'compression') return;
  test('convert', () => follow({ sites: [], call: converted(path, 'a.jsonl', given), hint }));
});

test.each(Object.keys(CASES))('%s', (name) => follow(CASES[name]!));

test('what no option helps against has no hint', async () => {
  const tooLong = faultError(
    {
      code: 'TFR_RECORD_TOO_LARGE',
      part: 'length',
      detail: '',
      expected: 100n,
      found: BigInt(MAX_RECORD_BYTES) + 1n,
      record: 0,
      offset: 0,
    },
    { file: 'a' },
  );
  expect(tooLong.hint).toEqual({ option: 'onError', value: 'skip' });
  expect(tooLong.message).not.toContain('maxRecordBytes');
  const largest = faultError(
    { code: 'TFR_RECORD_TOO_LARGE', part: 'length', detail: '', expected: 100n, found: BigInt(MAX_RECORD_BYTES) },
    { file: 'a' },
  );
  expect(largest.hint).toEqual({ option: 'maxRecordBytes', value: MAX_RECORD_BYTES });

  const append = await failure(() => RecordWriter.open(appended, { append: true }), {});
  expect(append).toMatchObject({ code: 'TFR_CORRUPT_LENGTH' });
  expect(append).not.toHaveProperty('hint');
  expect((append as Error).message).not.toContain('onError');

  const dates = await failure(
    () => fromArrow(new Table({ d: vectorFromArray([new Date(0)], new DateDay()) }).batches[0]!),
    {},
  );
  expect(dates).toMatchObject({ code: 'TFR_FEATURE' });
  expect(dates).not.toHaveProperty('hint');

  const merge = await failure(async () => mergeParts(await damagedParts()), {});
  expect(merge).toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  expect(merge).not.toHaveProperty('hint');
  expect(messageOf(merge as Error).reason).toMatch(/is damaged: it is not JSON\.$/);
});

/** The mentions in lib, by the functions that make them: `file option`. */
function sitesIn(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const names =
    /import \{([^}]*)\} from '(?:\.\.?\/)+(?:base|message)(?:\/index)?';/s.exec(text)?.[1]?.split(',') ?? [];
  const makers = names.flatMap((name) => {
    const [made, as = made] = name.trim().split(' as ');
    return ['named', 'setting', 'method'].includes(made!) ? [[made!, as!] as const] : [];
  });
  const file = path.split(/[/\\]lib[/\\]/)[1]!.replaceAll('\\', '/');
  return makers.flatMap(([made, as]) =>
    [...text.matchAll(new RegExp(`(?<!\\w|\\w\\.|#)${as}\\((?:'([^']+)'|([\\w.]+))`, 'g'))].map(([, option, name]) =>
      made === 'method' ? `${file} ${option ?? 'onError'}()` : `${file} ${option ?? name!}`,
    ),
  );
}

test('every mention of an option in lib is tried here, or listed with the reason why not', () => {
  const lib = join(dirname(dirname(dirname(__dirname))), 'lib');
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.d)\.ts$/.test(name));
  const found = files
    .filter((name) => !name.startsWith('cli') && !name.startsWith(join('base', 'message')))
    .flatMap((name) => sitesIn(join(lib, name)));
  const tried = [
    ...DAMAGED.map(([, , site]) => `${FAULTS} ${site}`),
    ...Object.values(CASES).flatMap(({ sites }) => sites),
  ];
  expect([...new Set(found)].sort()).toEqual([...new Set([...tried, ...Object.keys(ELSEWHERE)])].sort());
});
