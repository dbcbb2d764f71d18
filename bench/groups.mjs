// The groups of the benchmark. A group is one job on one file; its contenders run interleaved. `recordBytes` is the size
// of a record, for rates in GB/s; default: that of the records of the file.
//
// A goal compares one of our contenders with another one: `atLeast` is the smallest ratio of their speeds. `atMost` is the
// largest ratio of file sizes (with `size`), of processor times (`processor`) or of memory peaks (`memory`). With `rate`,
// `atLeast` is in million records per second. With `latency`, the limit is in milliseconds. `processorSeconds` is the most
// processor time that a pass may take, `medianSeconds` the most that its median may take by the clock; `true` only shows it.

import { COMMAND_GROUPS } from './command-groups.mjs';
import { CONVERT_GROUPS } from './convert-groups.mjs';
import { DATASET_GROUPS } from './dataset-groups.mjs';
import { ENCODE_GROUPS } from './encode-groups.mjs';
import { INDEX_GROUPS } from './index-groups.mjs';
import { LINE_GROUPS } from './line-groups.mjs';
import { PARSE_GROUPS } from './parse-groups.mjs';
import { SALVAGE_GROUPS } from './salvage-groups.mjs';

const EAGER_RECORDS = 20_000;

const ours = (name, trial) => ({ name, kind: 'ours', trial });
const tf = (name, work, ...rest) => ({ name, kind: 'tf', trial: { work, rest } });
const stream = (work) => ({ name: 'tfrecord-stream', kind: 'stream', trial: { work } });
const floor = (name, program, ...rest) => ({ name, kind: 'floor', trial: { program, rest } });

const BATCH = 'TensorFlow, TFRecordDataset.batch(1024)';
const EAGER = `TensorFlow, eager loop (first ${EAGER_RECORDS.toLocaleString('en')})`;
const ITERATOR = 'TensorFlow, tf_record_iterator';
const WRITER = 'TensorFlow, TFRecordWriter';
const REUSED = 'C++ floor, one thread, one buffer';
const FRESH = 'C++ floor, two threads, fresh buffers';
const KERNEL = 'C++ floor, two threads, pages fresh from the kernel';
const WRITE_FLOOR = 'C++ floor, one thread';
const BATCHES = 'ours, batches()';
const VIEWS = 'ours, batches(), every record as a view';
const ONE = 'ours, for await';
const BATCH_SIZES = [1024, 4096];
const WRITE_BATCH = (size) => `ours, writeBatch of ${size.toLocaleString('en')} encoded records, atomic: false`;
const WRITE_EACH = (size) => `ours, write of each record of ${size.toLocaleString('en')}, atomic: false`;
const TRANSIENT = `${ONE}, transient`;
const SYNC = 'ours, readRecordsSync';
const SHARDED = 'ours, ShardedWriter, write of each record';
const SHARDED_BATCH = 'ours, ShardedWriter, writeBatch of 1,024 encoded records';
const SHARDED_BY = `${SHARDED_BATCH}, by the hash of a feature`;
const ONE_WRITER = 'ours, one RecordWriter, atomic (synced and renamed)';
const TEN_WRITERS = 'TensorFlow, ten TFRecordWriters in turn';
const STREAM_BATCH = 'ours, writeBatch of 1,024 encoded records to a stream';
const STREAM_EACH = 'ours, write of each record to a stream';
const ENCODER = 'ours, createRecordEncoder';
const WEB_ENCODER = 'ours, RecordEncoderStream';

const floors = [
  floor(REUSED, 'read_floor'),
  floor(FRESH, 'read_threads_floor', 'malloc'),
  floor(KERNEL, 'read_threads_floor', 'mmap'),
];
const lanes = [
  ours(BATCHES, { work: 'batches' }),
  ours(VIEWS, { work: 'views' }),
  ours(ONE, { work: 'one' }),
  ours(SYNC, { work: 'sync' }),
];
const inflated = [
  ours(`${BATCHES}, ISA-L`, { work: 'batches' }),
  ours(`${BATCHES}, zlib`, { work: 'batches', isal: false }),
  ours(`${ONE}, ISA-L`, { work: 'one' }),
];

export const GROUPS = [
  {
    id: 'small',
    title: 'Reading small Examples, plain (200,000 of 256 to 278 bytes)',
    file: 'examples.tfrecord',
    contenders: [...lanes, tf(BATCH, 'batch'), tf(EAGER, 'eager'), tf(ITERATOR, 'iterator'), stream('read'), ...floors],
    goals: [
      { ours: BATCHES, other: BATCH, atLeast: 10 },
      { ours: VIEWS, other: BATCH, atLeast: 10 },
      { ours: ONE, other: EAGER, atLeast: 100 },
      { ours: ONE, other: ITERATOR, atLeast: 3 },
      { ours: BATCHES, other: FRESH },
      { ours: ONE, other: 'tfrecord-stream' },
    ],
  },
  {
    id: 'tiny',
    title: 'Reading records of 100 bytes, plain (1,000,000)',
    file: 'tiny.tfrecord',
    contenders: [...lanes, tf(BATCH, 'batch'), tf(ITERATOR, 'iterator'), stream('read'), ...floors],
    goals: [
      { ours: BATCHES, other: BATCH, atLeast: 10 },
      { ours: ONE, other: ITERATOR, atLeast: 3 },
      { ours: BATCHES, other: FRESH },
    ],
  },
  {
    id: 'large',
    title: 'Reading records of 100 kB, plain (2,000)',
    file: 'large.tfrecord',
    contenders: [
      ...lanes,
      ours(TRANSIENT, { work: 'one', options: { transient: true } }),
      tf(BATCH, 'batch'),
      tf(ITERATOR, 'iterator'),
      stream('read'),
      ...floors,
    ],
    goals: [
      { ours: BATCHES, other: ITERATOR, atLeast: 1.6 },
      { ours: BATCHES, other: FRESH, atLeast: 0.9 },
      { ours: ONE, other: REUSED, processor: true, atMost: 2.2 },
      { ours: TRANSIENT, other: REUSED, processor: true, atMost: 1.35 },
      { ours: BATCHES, other: KERNEL },
    ],
  },
  {
    id: 'small-gzip',
    title: "Reading small Examples, GZIP (TensorFlow's file: one member, 0.31 of the size)",
    file: 'examples.tfrecord.gz',
    contenders: [...inflated, tf(BATCH, 'batch'), tf(ITERATOR, 'iterator'), stream('read')],
    goals: [
      { ours: `${BATCHES}, ISA-L`, other: BATCH, atLeast: 4 },
      { ours: `${BATCHES}, zlib`, other: BATCH, atLeast: 3 },
      { ours: `${BATCHES}, ISA-L`, other: ITERATOR },
    ],
  },
  {
    id: 'tiny-gzip',
    title: 'Reading records of 100 bytes, GZIP (0.69 of the size)',
    file: 'tiny.tfrecord.gz',
    contenders: [...inflated, tf(BATCH, 'batch'), tf(ITERATOR, 'iterator')],
    goals: [{ ours: `${BATCHES}, ISA-L`, other: BATCH }],
  },
  {
    id: 'large-gzip',
    title: 'Reading records of 100 kB, GZIP (stored blocks: they do not compress)',
    file: 'large.tfrecord.gz',
    contenders: [...inflated, tf(ITERATOR, 'iterator')],
    goals: [{ ours: `${BATCHES}, ISA-L`, other: ITERATOR }],
  },
  ...[6, 1].map((level) => ({
    id: `own-gzip-${level}`,
    title: `Reading small Examples, GZIP that this package wrote (members of 1 MiB, level ${level})`,
    file: `examples.own-${level}.tfrecord.gz`,
    contenders: [...lanes.filter(({ name }) => name !== VIEWS), tf(BATCH, 'batch'), tf(ITERATOR, 'iterator')],
    goals: [
      { ours: BATCHES, other: BATCH },
      { ours: BATCHES, other: ITERATOR },
    ],
  })),
  {
    id: 'write',
    title: 'Writing small Examples, plain',
    file: 'examples.tfrecord',
    target: 'written.tfrecord',
    contenders: [
      ours('ours, atomic: false', { work: 'write', options: { atomic: false } }),
      ours('ours, atomic (synced and renamed)', { work: 'write', options: {} }),
      ...BATCH_SIZES.flatMap((size) => [
        ours(WRITE_BATCH(size), { work: 'writeBatches', size, options: { atomic: false } }),
        ours(WRITE_EACH(size), { work: 'writeBatches', each: true, size, options: { atomic: false } }),
      ]),
      tf(WRITER, 'write', '', ''),
      stream('write'),
      floor(WRITE_FLOOR, 'write_floor'),
    ],
    goals: [
      { ours: 'ours, atomic: false', other: WRITER, atLeast: 6 },
      { ours: 'ours, atomic: false', other: WRITE_FLOOR, atLeast: 0.8 },
      { ours: 'ours, atomic (synced and renamed)', other: WRITER },
      ...BATCH_SIZES.map((size) => ({ ours: WRITE_BATCH(size), other: WRITE_EACH(size), atLeast: 1.3 })),
    ],
  },
  {
    id: 'write-shards',
    title: 'Writing small Examples to 10 plain files in turn',
    file: 'examples.tfrecord',
    target: 'written-shards',
    contenders: [
      ours(SHARDED, { work: 'writeShards', options: { shards: 10 } }),
      ours(SHARDED_BATCH, { work: 'writeShards', size: 1024, options: { shards: 10 } }),
      ours(SHARDED_BY, { work: 'writeShards', size: 1024, options: { shards: 10, shardBy: 'user_id' } }),
      ours(ONE_WRITER, { work: 'write', options: {} }),
      tf(TEN_WRITERS, 'shards', '', ''),
    ],
    goals: [SHARDED, SHARDED_BATCH, SHARDED_BY].flatMap((name) => [
      { ours: name, other: TEN_WRITERS },
      { ours: name, other: ONE_WRITER },
    ]),
  },
  {
    id: 'write-gzip',
    title: 'Writing small Examples, GZIP',
    file: 'examples.tfrecord',
    target: 'written.tfrecord.gz',
    contenders: [
      ours('ours, level 6', { work: 'write', options: { atomic: false } }),
      ours('ours, level 1', { work: 'write', options: { atomic: false, level: 1 } }),
      tf(WRITER, 'write', 'GZIP', ''),
      tf(`${WRITER}, level 1`, 'write', 'GZIP', '1'),
    ],
    goals: [
      { ours: 'ours, level 6', other: WRITER, atLeast: 4 },
      { ours: 'ours, level 6', other: WRITER, size: true, atMost: 1.01 },
      { ours: 'ours, level 1', other: WRITER, atLeast: 10 },
    ],
  },
  ...[
    ['', 'plain', {}],
    ['-gzip', 'GZIP', { compression: 'gzip' }],
  ].map(([suffix, kind, options]) => ({
    id: `encoder-stream${suffix}`,
    title: `Writing small Examples through streams that encode, ${kind}`,
    file: 'examples.tfrecord',
    target: 'written',
    contenders: [
      ours(STREAM_BATCH, { work: 'writeBatches', size: 1024, streamed: true, options }),
      ours(STREAM_EACH, { work: 'write', streamed: true, options }),
      ...[
        [ENCODER, false],
        [WEB_ENCODER, true],
      ].flatMap(([name, web]) => [
        ours(`${name}, batches of 1,024`, { work: 'writeStream', size: 1024, web, options }),
        ours(`${name}, records`, { work: 'writeStream', web, options }),
      ]),
    ],
    goals: [ENCODER, WEB_ENCODER].flatMap((name) => [
      { ours: `${name}, batches of 1,024`, other: STREAM_BATCH, atLeast: 0.8 },
      // No bound: a stream of Node's costs more for each record than writing it does.
      { ours: `${name}, records`, other: STREAM_EACH },
    ]),
  })),
  {
    id: 'write-much',
    title: 'Writing 1 GB of records of 1,000 bytes (for its memory)',
    target: 'written.tfrecord',
    rounds: 1,
    contenders: [
      ours('ours, plain', { work: 'writeMuch', count: 1_000_000, bytes: 1_000, options: { atomic: false } }),
      ours('ours, GZIP', {
        work: 'writeMuch',
        count: 1_000_000,
        bytes: 1_000,
        options: { atomic: false, compression: 'gzip' },
      }),
    ],
    goals: [],
  },
  ...INDEX_GROUPS,
  ...SALVAGE_GROUPS,
  // Two seconds, because V8 goes on compiling these for one second.
  ...[...PARSE_GROUPS, ...ENCODE_GROUPS, ...DATASET_GROUPS, ...LINE_GROUPS, ...CONVERT_GROUPS, ...COMMAND_GROUPS].map(
    (group) => ({
      seconds: 2,
      ...group,
    }),
  ),
  {
    id: 'latency',
    title: 'fs.stat while four readers are busy',
    file: 'examples.tfrecord.gz',
    rounds: 1,
    contenders: [{ name: 'ours', kind: 'latency', trial: {} }],
    goals: [{ ours: 'ours', latency: true, atMostMs: 5 }],
  },
  ...[
    ['write', 'await writer.write(record)'],
    ['writeRecords', 'writeRecords'],
    ['writers', 'ten writers'],
  ].map(([work, name]) => ({
    id: `latency-${work}`,
    title: `Delay of the event loop while 2 M records are written by ${name}`,
    target: 'written.tfrecord',
    rounds: 1,
    contenders: [{ name: 'ours', kind: 'latency-writing', trial: { work } }],
    goals: [{ ours: 'ours', latency: true, p99AtMostMs: 50 }],
  })),
];
