// Groups of encoding Examples in memory: see groups.mjs. Columns, rows and messages are made before the clock starts.

const ours = (name, trial) => ({ name, kind: 'encode', trial });
const tf = (name, work, example) => ({ name, kind: 'tf-encode', trial: { work, rest: [example] } });

const COLUMNS = (size) => `ours, encodeExamples of ${size.toLocaleString('en')} rows`;
const REUSING = (size) => `${COLUMNS(size)}, memory reused`;
const ROWS = 'ours, exampleEncoder of objects';
const MESSAGES = 'TensorFlow, SerializeToString of messages';
const VALUES = 'TensorFlow, Example(...).SerializeToString of columns';
const PROTOBUFJS = 'protobufjs, encode of messages';

const group = (id, title, example, sizes) => ({
  id,
  title,
  file: `${example}.tfrecord`,
  contenders: [
    ...sizes.flatMap((size) => [
      ours(COLUMNS(size), { work: 'columns', example, size }),
      ours(REUSING(size), { work: 'columns', example, size, reuse: true }),
    ]),
    ours(ROWS, { work: 'rows', example }),
    tf(MESSAGES, 'messages', example),
    tf(VALUES, 'values', example),
    ours(PROTOBUFJS, { work: 'protobufjs', example }),
  ],
  goals: [
    ...sizes
      .flatMap((size) => [COLUMNS(size), REUSING(size)])
      .map((name) => ({ ours: name, other: MESSAGES, atLeast: 10 })),
    { ours: COLUMNS(sizes[0]), other: VALUES, atLeast: 10 },
    { ours: COLUMNS(sizes[0]), other: PROTOBUFJS },
    { ours: ROWS, other: VALUES },
  ],
});

export const ENCODE_GROUPS = [
  group('encode', 'Encoding small Examples (10 features)', 'examples', [1024, 4096]),
  group('encode-vectors', 'Encoding Examples of float32[512] and int64[256]', 'vectors', [256]),
];
