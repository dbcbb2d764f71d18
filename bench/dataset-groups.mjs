// Groups of input pipelines: see groups.mjs.

const ours = (name, trial) => ({ name, kind: 'dataset', trial });
const tf = (name, work) => ({ name, kind: 'tf-dataset', trial: { work, rest: [] } });

const TUTORIAL = 'ours, 16 shards, interleave 8, shuffle 10,000, parse, batch 1,024, 3 epochs';
const TRANSIENT_TUTORIAL = `${TUTORIAL}, transient`;
const TF_TUTORIAL = 'TensorFlow, the same, in parallel';
const SHUFFLED = 'ours, shuffle(10,000).batch(1,024)';
const EXACT = "ours, shuffle('full').batch(1,024), every record once in any order";
const BLOCKS = 'ours, shuffle({ blockSize: 1,000, blocks: 10 }).batch(1,024)';
const TF_SHUFFLED = 'TensorFlow, shuffle(10,000).batch(1,024)';
const MAPPED = 'ours, map over chunks of numbers';
const HEAVY_MAP = 'ours, map, a function of some 20 µs';
const HEAVY_WORKERS = 'ours, mapWorker, the same in a thread a core';
const AWAITED = 'ours, for await over numbers';

const SHARDS = 'ours, list of files, batches()';
const SHARDS_ALONE = 'ours, a reader for each file, batches()';
const TF_SHARDS = 'TensorFlow, TFRecordDataset(files).batch(1024)';
const LARGE_SHARD = 'ours, one file, batch(1,024)';
const INTERLEAVED = 'ours, interleave of eight, batch(1,024)';
const TF_INTERLEAVED = 'TensorFlow, interleave of eight in parallel, batch(1024)';

export const DATASET_GROUPS = [
  {
    id: 'gzip-shards',
    title: "Reading 32 GZIP shards in order (TensorFlow's: one member of 12 MiB each, small Examples)",
    file: 'examples.tfrecord.gz',
    contenders: [
      ours(SHARDS, { work: 'small-shards' }),
      ours(SHARDS_ALONE, { work: 'small-shards-alone' }),
      ours('ours, list of files, for await', { work: 'small-shards-each' }),
      ours('ours, list of files, readExamples, batches(1,024)', { work: 'small-shards-parsed' }),
      tf(TF_SHARDS, 'small-shards'),
    ],
    goals: [
      { ours: SHARDS, other: SHARDS_ALONE, atLeast: 1.4 },
      { ours: SHARDS, other: TF_SHARDS },
    ],
  },
  {
    id: 'gzip-interleave',
    title: 'Interleaving eight GZIP shards (of 20,000 records of 4,000 bytes)',
    file: 'examples.tfrecord.gz',
    recordBytes: 4000,
    contenders: [
      ours(LARGE_SHARD, { work: 'large-shard' }),
      ours(INTERLEAVED, { work: 'large-interleaved' }),
      tf('TensorFlow, one file, batch(1024)', 'large-shard'),
      tf(TF_INTERLEAVED, 'large-interleaved'),
    ],
    goals: [
      { ours: INTERLEAVED, other: LARGE_SHARD, atLeast: 1.6 },
      { ours: INTERLEAVED, other: TF_INTERLEAVED },
    ],
  },
  {
    id: 'dataset',
    title: "A pipeline of the tutorials' kind (three epochs of 200,000 small Examples)",
    file: 'examples.tfrecord',
    contenders: [
      ours(TUTORIAL, { work: 'tutorial' }),
      ours(TRANSIENT_TUTORIAL, { work: 'tutorial', transient: true }),
      tf(TF_TUTORIAL, 'tutorial'),
    ],
    goals: [TUTORIAL, TRANSIENT_TUTORIAL].flatMap((name) => [
      { ours: name, other: TF_TUTORIAL, atLeast: 8 },
      { ours: name, other: TF_TUTORIAL, memory: true, atMost: 0.25 },
    ]),
  },
  {
    id: 'dataset-shuffle',
    title: 'Shuffling small records of one file through a buffer',
    file: 'examples.tfrecord',
    contenders: [
      ours(SHUFFLED, { work: 'shuffled' }),
      ours(EXACT, { work: 'exact' }),
      ours(BLOCKS, { work: 'blocks' }),
      tf(TF_SHUFFLED, 'shuffled'),
    ],
    goals: [
      { ours: SHUFFLED, other: TF_SHUFFLED, atLeast: 8 },
      { ours: EXACT, other: TF_SHUFFLED, atLeast: 1 },
      { ours: BLOCKS, other: TF_SHUFFLED, atLeast: 4 },
    ],
  },
  {
    id: 'dataset-stages',
    title: 'Stages in JavaScript (2,000,000 numbers)',
    file: 'examples.tfrecord',
    contenders: [
      ours('ours, chunks of numbers', { work: 'chunks' }),
      ours(MAPPED, { work: 'mapped' }),
      ours(AWAITED, { work: 'awaited' }),
      ours(HEAVY_MAP, { work: 'heavy-map' }),
      ours(HEAVY_WORKERS, { work: 'heavy-workers' }),
      ours('ours, mapWorker, a function that does nothing, over numbers', { work: 'trivial-workers' }),
      ours('ours, mapWorker, the same, over small records', { work: 'records-workers' }),
    ],
    goals: [
      { ours: MAPPED, rate: true, atLeast: 50 },
      { ours: AWAITED, rate: true, atLeast: 10 },
    ],
  },
];
