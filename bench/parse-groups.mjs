// Groups of parsing Examples by a spec: see groups.mjs.

const ours = (name, trial) => ({ name, kind: 'parse', trial });
const tf = (name, work, ...rest) => ({ name, kind: 'tf-parse', trial: { work, rest } });

const COLUMNS = (size) => `ours, readExamples().batches(${size.toLocaleString('en')})`;
const PARSED = (size) => `TensorFlow, batch(${size.toLocaleString('en')}), parse_example in parallel`;
const SEQUENCES = (size) => `ours, readSequenceExamples().batches(${size.toLocaleString('en')})`;
const PARSED_SEQUENCES = (size) =>
  `TensorFlow, batch(${size.toLocaleString('en')}), parse_sequence_example in parallel`;
const ROWS = 'ours, for await, two features read';
const PROTOBUFJS = 'protobufjs, decode of every record that we read';
/** Returns the same contender with the option `transient`: each step overwrites the memory of the last. */
const transient = ({ name, trial, ...rest }) => ({
  ...rest,
  name: TRANSIENT(name),
  trial: { ...trial, transient: true },
});
const TRANSIENT = (name) => `${name}, transient`;
/** Returns the goal for `name` and for its transient twin. */
const either = (name, other, atLeast) => [name, TRANSIENT(name)].map((each) => ({ ours: each, other, atLeast }));
const STRINGS = 'ours, for await, two strings read';
const TEXT = (name) => `${name}, bytes: 'text'`;
const OBJECTS = 'ours, toObject() of rows';
const SYNC = 'ours, parseExample of batches()';
const SINGLE_OPTIONS = "ours, parseSingleExample, int64: 'number'";
const SEVEN = 'ours, exampleParser, seven single values';

const bySize = [1024, 4096].flatMap((size) => [
  ours(COLUMNS(size), { work: 'columns', size }),
  transient(ours(COLUMNS(size), { work: 'columns', size })),
  tf(PARSED(size), 'examples', String(size)),
]);

/** Returns a group of batches of `size`, ours and TensorFlow's, with each of `specs`: [spec, its description]. */
const parsedBy = (id, title, file, size, specs, atLeast) => {
  const named = specs.map(([spec, what]) => ({
    spec,
    mine: `${COLUMNS(size)}${what}`,
    theirs: `${PARSED(size)}${what}`,
  }));
  return {
    id,
    title,
    file,
    contenders: named.flatMap(({ spec, mine, theirs }) => [
      ours(mine, { work: 'columns', size, spec }),
      transient(ours(mine, { work: 'columns', size, spec })),
      tf(theirs, spec, String(size)),
    ]),
    goals: named.flatMap(({ mine, theirs }) => either(mine, theirs, atLeast)),
  };
};
const LISTS = [
  ['lists', ', fixedLen'],
  ['listsVar', ', varLen'],
];

export const PARSE_GROUPS = [
  {
    id: 'parse',
    title: 'Parsing small Examples, plain (10 features, into columns)',
    file: 'examples.tfrecord',
    contenders: [
      ...bySize,
      ours(SYNC, { work: 'sync' }),
      ours(ROWS, { work: 'rows' }),
      transient(ours(ROWS, { work: 'rows' })),
      ours(PROTOBUFJS, { work: 'protobufjs' }),
    ],
    goals: [
      ...either(COLUMNS(1024), PARSED(1024), 10),
      ...either(COLUMNS(4096), PARSED(4096), 12),
      { ours: COLUMNS(1024), other: PARSED(1024), processor: true, atMost: 0.1 },
      { ours: COLUMNS(1024), other: PROTOBUFJS },
      { ours: ROWS, rate: true, atLeast: 4 },
    ],
  },
  {
    id: 'parse-text',
    title: 'Text (two short strings and a number of each Example), and plain objects of rows of ten single values',
    file: 'examples.tfrecord',
    contenders: [
      ours(COLUMNS(1024), { work: 'columns', size: 1024, spec: 'texts' }),
      ours(TEXT(COLUMNS(1024)), { work: 'columns', size: 1024, spec: 'texts', bytes: 'text' }),
      ours(STRINGS, { work: 'strings' }),
      ours(TEXT(STRINGS), { work: 'strings', bytes: 'text' }),
      ours(OBJECTS, { work: 'objects' }),
    ],
    goals: [
      ...[COLUMNS(1024), STRINGS].map((name) => ({ ours: TEXT(name), other: name, atLeast: 0.5 })),
      { ours: OBJECTS, rate: true, atLeast: 1 },
    ],
  },
  {
    id: 'parse-gzip',
    title: "Parsing small Examples, GZIP (TensorFlow's file: one member)",
    file: 'examples.tfrecord.gz',
    contenders: [
      ours(`${COLUMNS(1024)}, ISA-L`, { work: 'columns', size: 1024 }),
      ours(`${COLUMNS(1024)}, zlib`, { work: 'columns', size: 1024, isal: false }),
      tf(PARSED(1024), 'examples', '1024'),
    ],
    goals: [
      { ours: `${COLUMNS(1024)}, ISA-L`, other: PARSED(1024), atLeast: 5 },
      { ours: `${COLUMNS(1024)}, zlib`, other: PARSED(1024), atLeast: 3 },
    ],
  },
  {
    id: 'parse-vectors',
    title: 'Parsing Examples of float32[512] and int64[256]',
    file: 'vectors.tfrecord',
    contenders: [
      ours(COLUMNS(128), { work: 'columns', size: 128, spec: 'vectors' }),
      transient(ours(COLUMNS(128), { work: 'columns', size: 128, spec: 'vectors' })),
      tf(PARSED(128), 'vectors', '128'),
    ],
    goals: either(COLUMNS(128), PARSED(128), 3),
  },
  {
    id: 'parse-sequences',
    title: 'Parsing SequenceExamples (context of two features, two feature lists of 5 to 15 steps)',
    file: 'sequences.tfrecord',
    contenders: [
      ...[256, 1024].flatMap((size) => [
        ours(SEQUENCES(size), { work: 'sequences', size }),
        transient(ours(SEQUENCES(size), { work: 'sequences', size })),
        tf(PARSED_SEQUENCES(size), 'sequences', String(size)),
      ]),
      ours('ours, parseSequenceExample of batches()', { work: 'sequencesSync' }),
    ],
    goals: [256, 1024].flatMap((size) => either(SEQUENCES(size), PARSED_SEQUENCES(size), 8)),
  },
  {
    id: 'parse-images',
    title: 'Parsing Examples with 100 kB of bytes (for their memory)',
    file: 'images.tfrecord',
    contenders: [
      ours(COLUMNS(16), { work: 'columns', size: 16, spec: 'images' }),
      transient(ours(COLUMNS(16), { work: 'columns', size: 16, spec: 'images' })),
      ours('ours, for await', { work: 'rows', spec: 'images' }),
      transient(ours('ours, for await', { work: 'rows', spec: 'images' })),
      tf(PARSED(16), 'images', '16'),
    ],
    goals: [{ ours: COLUMNS(16), other: PARSED(16) }],
  },
  parsedBy('parse-photos', 'Parsing Examples with 10 MB of bytes', 'photos.tfrecord', 4, [['images', '']], 1.3),
  parsedBy('parse-wide', 'Parsing Examples of 1,000 features', 'wide.tfrecord', 128, [['wide', '']], 3),
  parsedBy(
    'parse-skewed',
    'Parsing lists of 0 to 9 values, one in 300 of 10,000 (int64 below 2^40, and float32)',
    'skewed.tfrecord',
    1024,
    [
      ['skewed', ', varLen'],
      ['skewedRagged', ', ragged'],
    ],
    3,
  ),
  parsedBy('parse-hashes', 'Parsing 10,000 int64 of 64 bits', 'hashes.tfrecord', 32, LISTS, 3),
  parsedBy('parse-tokens', 'Parsing 10,000 int64 below 50,000', 'tokens.tfrecord', 32, LISTS, 3),
  {
    id: 'parse-single',
    title: 'Parsing records one by one, in memory (8 features, or 7 single values)',
    file: 'examples.tfrecord',
    contenders: [
      ours('ours, parseSingleExample', { work: 'single' }),
      ours(SINGLE_OPTIONS, { work: 'single', options: { int64: 'number' } }),
      ours('ours, exampleParser', { work: 'single', parser: true }),
      ours(SEVEN, { work: 'single', parser: true, spec: 'seven' }),
      tf('TensorFlow, parse_single_example in a pipeline', 'single'),
    ],
    goals: [
      { ours: 'ours, parseSingleExample', rate: true, atLeast: 2 },
      { ours: SINGLE_OPTIONS, rate: true, atLeast: 2 },
      { ours: 'ours, exampleParser', rate: true, atLeast: 2 },
      { ours: SEVEN, rate: true, atLeast: 2.2 },
      { ours: 'ours, parseSingleExample', other: 'TensorFlow, parse_single_example in a pipeline' },
    ],
  },
];
