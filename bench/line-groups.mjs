// Groups of reading other files: text, CSV, records of fixed length. See groups.mjs.

const ours = (name, trial) => ({ name, kind: 'dataset', trial });
const tf = (name, work) => ({ name, kind: 'tf-dataset', trial: { work, rest: [] } });

const LINES = 'ours, text, for await';
const LINE_CHUNKS = 'ours, text, chunks';
const READLINE = 'node:readline';
const TF_LINES = 'TensorFlow, TextLineDataset.batch(1024)';
const ROWS = 'ours, csv, for await';
const TF_ROWS = 'TensorFlow, CsvDataset.batch(1024)';
const FIXED = 'ours, fixedLength, batch(1,024)';
const TF_FIXED = 'TensorFlow, FixedLengthRecordDataset.batch(1024)';

const textOf = (id, title, file) => ({
  id,
  title,
  file,
  seconds: 1,
  contenders: [
    ours(LINES, { work: 'text' }),
    ours(LINE_CHUNKS, { work: 'text-chunks' }),
    ours(READLINE, { work: 'readline' }),
    tf(TF_LINES, 'text'),
  ],
  goals: [LINES, LINE_CHUNKS].flatMap((name) => [
    { ours: name, other: READLINE, atLeast: 3 },
    { ours: name, other: TF_LINES, atLeast: 2 },
  ]),
});

export const LINE_GROUPS = [
  textOf('text', 'Lines of text, plain (1,500,000 of 20 to 120 bytes)', 'lines.txt'),
  textOf('text-gzip', 'Lines of text, GZIP', 'lines.txt.gz'),
  {
    id: 'csv',
    title: 'Rows of CSV (500,000 of five columns)',
    file: 'table.csv',
    seconds: 1,
    contenders: [ours(ROWS, { work: 'csv' }), tf(TF_ROWS, 'csv')],
    goals: [{ ours: ROWS, other: TF_ROWS }],
  },
  {
    id: 'fixed-length',
    title: 'Records of one length (1,500,000 of 64 bytes)',
    file: 'fixed.bin',
    seconds: 1,
    contenders: [ours(FIXED, { work: 'fixed' }), tf(TF_FIXED, 'fixed')],
    goals: [{ ours: FIXED, other: TF_FIXED }],
  },
];
