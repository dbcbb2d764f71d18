// Groups of the command, from the start of its process to its end. See groups.mjs.

const MILLION = 1_000_000;
const START = 'ours, tfrecord count of one record';
const EMPTY = 'node -e 0';

const ours = (name, args, more) => ({ name, kind: 'command', trial: { args, ...more } });

/** A group with one command. `goal` has the bounds of its goal. */
const job = ({ id, title, file, target, spec, name, args, records = MILLION, goal }) => ({
  id: `command-${id}`,
  title,
  file,
  contenders: [ours(name, args, { target, spec, records })],
  goals: [goal].flat().map((bounds) => ({ ours: name, ...bounds })),
});

export const COMMAND_GROUPS = [
  job({
    id: 'to-jsonl',
    title: 'The command: a million small Examples to JSON Lines, GZIP',
    file: 'million.tfrecord.gz',
    target: 'command.jsonl',
    name: 'ours, tfrecord convert',
    args: ['convert', 'FILE', 'TARGET'],
    goal: { rate: true, atLeast: 0.8 },
  }),
  job({
    id: 'to-parquet',
    title: 'The command: a million small Examples to Parquet, plain, by a spec',
    file: 'million.tfrecord',
    target: 'command.parquet',
    spec: 'examples',
    name: 'ours, tfrecord convert --spec',
    args: ['convert', 'FILE', 'TARGET', '--spec', 'SPEC'],
    goal: { processorSeconds: 0.9 },
  }),
  job({
    id: 'images-to-parquet',
    title: 'The command: two thousand pictures of 100 KB to Parquet, plain, by a spec',
    file: 'images.tfrecord',
    target: 'command.parquet',
    spec: 'images',
    name: 'ours, tfrecord convert --spec',
    args: ['convert', 'FILE', 'FILE', 'TARGET', '--spec', 'SPEC'],
    records: 2000,
    goal: { processorSeconds: 0.3 },
  }),
  job({
    id: 'sql',
    title: 'The command: the sum of one feature of ten of a million small Examples, plain',
    file: 'million.tfrecord',
    name: 'ours, tfrecord sql',
    args: ['sql', "SELECT sum(label) FROM read_tfrecord('FILE')"],
    goal: { processorSeconds: 0.22 },
  }),
  {
    id: 'command-start',
    title: 'The command: its start',
    file: 'one.tfrecord',
    // Some forty passes in five rounds.
    seconds: 0.7,
    contenders: [
      ours(START, ['count', 'FILE'], { records: 1 }),
      { name: EMPTY, kind: 'command', trial: { records: 1 } },
    ],
    goals: [
      { ours: START, medianSeconds: 0.088 },
      { ours: EMPTY, medianSeconds: true },
    ],
  },
];
