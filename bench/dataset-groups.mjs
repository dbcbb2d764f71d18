// Groups of input pipelines: see groups.mjs.

const ours = (name, trial) => ({ name, kind: 'dataset', trial });
const tf = (name, work) => ({ name, kind: 'tf-dataset', trial: { work, rest: [] } });

const TUTORIAL = 'ours, 16 shards, interleave 8, shuffle 10,000, parse, batch 1,024, 3 epochs';
const TRANSIENT_TUTORIAL = `${TUTORIAL}, transient`;
const TF_TUTORIAL = 'TensorFlow, the same, in parallel';
const SHUFFLED = 'ours, shuffle(10,000).batch(1,024)';
const TF_SHUFFLED = 'TensorFlow, shuffle(10,000).batch(1,024)';
const MAPPED = 'ours, map over chunks of numbers';
const HEAVY_MAP = 'ours, map, a function of some 20 µs';
const HEAVY_WORKERS = 'ours, mapWorker, the same in a thread a core';
const AWAITED = 'ours, for await over numbers';

export const DATASET_GROUPS = [
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
    contenders: [ours(SHUFFLED, { work: 'shuffled' }), tf(TF_SHUFFLED, 'shuffled')],
    goals: [{ ours: SHUFFLED, other: TF_SHUFFLED, atLeast: 8 }],
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
