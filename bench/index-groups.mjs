// Groups of indexes, and of reading records by their numbers: see groups.mjs.

const ours = (name, work) => ({ name, kind: 'by-number', trial: { work } });
const tf = (name, work) => ({ name, kind: 'tf', trial: { work, rest: [] } });

const SCAN = 'ours, RecordIndex.scan';
const COUNT = 'ours, countRecords';
const RANDOM = 'ours, readBatch of 1,024 random numbers';
const AT = 'ours, at(a random number)';
const TF_ORDER = 'TensorFlow, TFRecordDataset.batch(1024), in order';

const scanned = (id, title, file) => ({
  id,
  title,
  file,
  contenders: [ours(SCAN, 'scan'), ours(COUNT, 'count'), tf(TF_ORDER, 'batch')],
  goals: [
    { ours: SCAN, other: COUNT, atLeast: 0.77 },
    { ours: SCAN, other: TF_ORDER },
  ],
});

const byNumber = (id, title, file, goals) => ({
  id,
  title,
  file,
  contenders: [ours(RANDOM, 'random'), ours(AT, 'at'), tf(TF_ORDER, 'batch')],
  goals: [...goals, { ours: RANDOM, other: TF_ORDER }],
});

export const INDEX_GROUPS = [
  scanned('index', 'Indexing small Examples, plain', 'examples.tfrecord'),
  scanned('index-gzip', 'Indexing small Examples, GZIP of one member', 'examples.tfrecord.gz'),
  byNumber('by-number', 'Small Examples in random order, plain', 'examples.tfrecord', [
    { ours: RANDOM, rate: true, atLeast: 0.5 },
  ]),
  byNumber('by-number-gzip', 'Small Examples in random order, GZIP of one member', 'examples.tfrecord.gz', []),
];
