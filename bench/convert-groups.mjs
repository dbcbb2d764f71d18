// Groups of conversions. See groups.mjs. A contender's target is its own, for its extension is the format.

const ours = (name, trial) => ({ name, kind: 'convert', trial });
const tf = (name, work) => ({ name, kind: 'tf-convert', trial: { work, rest: [] } });

const PARQUET = 'ours, convert to Parquet';
const TF_PARQUET = 'TensorFlow, parse_example of 4,096, pyarrow';
const TF_ONE = 'TensorFlow, one by one (first 20,000)';
const TF_ITERATOR = 'TensorFlow, tf_record_iterator (first 50,000)';
const LINES = 'ours, convert to JSON Lines';
const FROM_LINES = 'ours, convert of JSON Lines';
const TF_ROWS = 'TensorFlow, json.loads, TFRecordWriter (first 20,000)';
const ARROW = 'ours, arrowBatches';
const COPY = 'a copy of the file';
const RESHARD = 'ours, convert to 4 shards';
const INFER = 'ours, inferSchema';
const STATISTICS = 'ours, statistics';
const RECOMPRESS = 'ours, convert to GZIP';
const DEFLATE = "Node's zlib alone, level 6, two threads";

const reshard = (id, title, file, bound) => ({
  id,
  title,
  file,
  target: 'converted.tfrecord',
  contenders: [
    ours(RESHARD, { work: 'convert', options: { shards: 4 }, target: 'converted.tfrecord' }),
    ours(COPY, { work: 'copy', target: 'converted.tfrecord' }),
  ],
  goals: [{ ours: RESHARD, other: COPY, atLeast: bound }],
});

export const CONVERT_GROUPS = [
  {
    id: 'to-parquet',
    title: 'Small Examples to Parquet, plain (200,000 of ten features)',
    file: 'examples.tfrecord',
    target: 'converted.parquet',
    contenders: [
      ours(PARQUET, { work: 'convert', spec: 'examples', target: 'converted.parquet' }),
      tf(TF_PARQUET, 'parquet-batches'),
      tf(TF_ONE, 'parquet-one'),
      tf(TF_ITERATOR, 'parquet-iterator'),
    ],
    goals: [
      { ours: PARQUET, other: TF_PARQUET, atLeast: 4 },
      { ours: PARQUET, other: TF_ONE, atLeast: 30 },
    ],
  },
  {
    id: 'images-to-parquet',
    title: 'Pictures to Parquet (1,000 of 100 KB)',
    file: 'images.tfrecord',
    target: 'converted.parquet',
    contenders: [
      ours(PARQUET, { work: 'convert', spec: 'images', target: 'converted.parquet' }),
      tf('TensorFlow, parse_example of 64, pyarrow', 'images-batches'),
    ],
    goals: [{ ours: PARQUET, other: 'TensorFlow, parse_example of 64, pyarrow', atLeast: 2 }],
  },
  {
    id: 'to-arrow',
    title: 'Small Examples to Arrow batches in memory',
    file: 'examples.tfrecord',
    contenders: [
      ours(ARROW, { work: 'arrow', spec: 'examples' }),
      tf(TF_PARQUET.replace('pyarrow', 'Arrow arrays'), 'arrow-batches'),
    ],
    goals: [{ ours: ARROW, other: TF_PARQUET.replace('pyarrow', 'Arrow arrays'), atLeast: 4 }],
  },
  {
    id: 'to-jsonl',
    title: 'Small Examples to JSON Lines, GZIP',
    file: 'examples.tfrecord.gz',
    target: 'converted.jsonl',
    contenders: [
      ours(LINES, { work: 'convert', target: 'converted.jsonl' }),
      tf(TF_ONE, 'jsonl-one'),
      tf(TF_ITERATOR, 'jsonl-iterator'),
    ],
    goals: [{ ours: LINES, other: TF_ONE, atLeast: 30 }],
  },
  {
    id: 'from-jsonl',
    title: 'JSON Lines of small Examples to TFRecord, plain',
    file: 'examples.tfrecord',
    target: 'converted.tfrecord',
    contenders: [ours(FROM_LINES, { work: 'from-jsonl', target: 'converted.tfrecord' }), tf(TF_ROWS, 'from-jsonl')],
    goals: [{ ours: FROM_LINES, other: TF_ROWS, atLeast: 10 }],
  },
  reshard('reshard', 'Resharding small Examples, plain', 'examples.tfrecord', 0.3),
  reshard('reshard-images', 'Resharding pictures, plain', 'photos.tfrecord', 0.6),
  {
    id: 'recompress',
    title: 'Small Examples, plain, to GZIP',
    file: 'examples.tfrecord',
    target: 'converted.tfrecord.gz',
    contenders: [
      ours(RECOMPRESS, { work: 'convert', target: 'converted.tfrecord.gz' }),
      ours(DEFLATE, { work: 'deflate' }),
    ],
    goals: [{ ours: RECOMPRESS, other: DEFLATE, atLeast: 0.7 }],
  },
  {
    id: 'infer',
    title: 'The schema of small Examples',
    file: 'examples.tfrecord',
    contenders: [ours(INFER, { work: 'infer' })],
    goals: [{ ours: INFER, rate: true, atLeast: 1 }],
  },
  {
    id: 'statistics',
    title: 'Statistics of small Examples',
    file: 'examples.tfrecord',
    contenders: [ours(STATISTICS, { work: 'statistics' })],
    goals: [{ ours: STATISTICS, rate: true, atLeast: 0.5 }],
  },
  {
    id: 'sql',
    title: 'SQL over gzipped small Examples: one feature of ten',
    file: 'examples.tfrecord.gz',
    contenders: [
      ours('ours, one feature', { work: 'sql', query: 'SELECT count(label) FROM FILE' }),
      // Reading and inflating alone: no query can take less.
      ours('ours, no feature', { work: 'sql', query: 'SELECT count(*) FROM FILE' }),
      ours('ours, all features', { work: 'sql', query: 'SELECT count(COLUMNS(*)) FROM FILE' }),
    ],
    goals: [{ ours: 'ours, one feature', other: 'ours, all features', atLeast: 3 }],
  },
];
