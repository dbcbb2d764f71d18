// Groups of indexes, of reading records by their numbers, and of files that a server has: see groups.mjs. The server takes
// part of the two cores; TensorFlow reads no URL.

const ours = (name, work, more) => ({ name, kind: 'by-number', trial: { work, ...more } });
const remote = (name, work) => ours(name, work, { served: true });
const tf = (name, work) => ({ name, kind: 'tf', trial: { work, rest: [] } });

const SCAN = 'ours, RecordIndex.scan';
const COUNT = 'ours, countRecords';
const RANDOM = 'ours, readBatch of 1,024 random numbers';
const AT = 'ours, at(a random number)';
const SLICE = 'ours, slice() by an index';
const BATCHES = 'ours, batches() of the file';
const URL_BATCHES = 'ours, batches() of http://';
const URL_RANDOM = 'ours, readBatch of 1,024 random numbers of http://';
const FETCH = 'Node, fetch of the same bytes';
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
  {
    id: 'index-in-order',
    title: 'Records of 100 bytes in order, GZIP of one member, from the checkpoints of an index',
    file: 'tiny.tfrecord.gz',
    contenders: [ours(SLICE, 'slice'), ours(BATCHES, 'batches'), tf(TF_ORDER, 'batch')],
    goals: [
      { ours: SLICE, other: BATCHES, atLeast: 1.6 },
      { ours: SLICE, other: TF_ORDER },
    ],
  },
  {
    id: 'remote',
    title: 'Small Examples of a server on loopback',
    file: 'examples.tfrecord',
    contenders: [
      remote(URL_BATCHES, 'batches'),
      remote(FETCH, 'fetch'),
      remote(URL_RANDOM, 'random'),
      ours(BATCHES, 'batches'),
    ],
    goals: [
      { ours: URL_BATCHES, other: FETCH },
      { ours: URL_BATCHES, other: BATCHES },
    ],
  },
  byNumber('by-number-gzip', 'Small Examples in random order, GZIP of one member', 'examples.tfrecord.gz', []),
];
