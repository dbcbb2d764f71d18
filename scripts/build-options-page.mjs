/**
 * Writes docs/options.md: the options of reading and writing, in tables made from the comments of their types.
 *
 *   node scripts/build-options-page.mjs [--check]
 *
 * --check writes nothing, and fails if the page differs from the types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const PAGE = `${root}docs/options.md`;

/** Sections of the page: the calls that take the options, and the types that declare them. */
const SECTIONS = [
  {
    title: 'Read records',
    calls: '`readRecords`, `readRecordsSync`, `RecordReader.open`, and `countRecords` (without `transient`)',
    types: [
      ['lib/record/read/read-options.ts', 'ReadOptions'],
      ['lib/record/read/read-options.ts', 'RecordReadOptions'],
    ],
  },
  {
    title: 'Read Examples',
    calls: '`readExamples`, `readSequenceExamples`: all options of reading records, and',
    types: [
      ['lib/example/parse/parse-options.ts', 'ParseOptions'],
      ['lib/example/parse/parse-options.ts', 'ParsedReadOptions'],
    ],
  },
  {
    title: "Read TensorBoard's logs",
    calls: '`readEvents`: all options of reading records but `transient`, and',
    types: [['lib/events/event-options.ts', 'EventOptions']],
  },
  {
    title: 'Write records',
    calls: '`RecordWriter.open`, `writeRecords`',
    types: [['lib/record/write/write-options.ts', 'WriteOptions']],
  },
  {
    title: 'Write shards',
    calls: '`ShardedWriter.open`: all options of writing records but `append` and `atomic`, and',
    types: [['lib/example/write/sharded-options.ts', 'ShardedWriterOptions']],
  },
  {
    title: 'Open any record',
    calls:
      '`openIndexed`, and `openIndexedFiles` but for `indexFile`; `RecordIndex.scan`, `load` and `import` take those up to `onProgress`',
    types: [
      ['lib/record/index/index-options.ts', 'IndexOptions'],
      ['lib/record/index/open-indexed.ts', 'OpenIndexedOptions'],
    ],
  },
];

/** Values of the types that the declarations name. */
const VALUES = {
  CompressionOption: "'auto' | 'none' | 'gzip' | 'zlib'",
  OnError: "'throw' | 'skip' | 'stop' | 'salvage' | { action: 'skip', … } | function",
  Verification: "'all' | 'length' | 'none'",
  I: "'bigint' | 'number'",
  B: "'bytes' | 'text'",
};

function membersOf([file, name]) {
  const source = ts.createSourceFile(file, readFileSync(`${root}${file}`, 'utf8'), ts.ScriptTarget.ES2022, true);
  const declaration = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (declaration === undefined) throw new Error(`${file} does not declare ${name}`);
  return declaration.members.map((member) => {
    const type = member.type.getText().replace(/\s*\|\s*undefined$/, '');
    const [comment] = ts.getJSDocCommentsAndTags(member);
    if (comment === undefined) throw new Error(`${name}.${member.name.getText()} has no comment`);
    return [member.name.getText(), VALUES[type] ?? type, ts.getTextOfJSDocComment(comment.comment)];
  });
}

/** Text of a cell: paragraphs become lines of the cell. */
const cell = (text) =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .join('<br>')
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll('|', '\\|');

function section({ title, calls, types }) {
  const rows = types.flatMap(membersOf).map(([name, type, text]) => {
    return `| \`${name}\` | \`${type.replaceAll('|', '\\|')}\` | ${cell(text)} |`;
  });
  return `## ${title}\n\n${calls}:\n\n| option | type | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

const page = `# Options of reading and writing

All options of the main calls, made from the types by \`scripts/build-options-page.mjs\`. Every option may be left out; an unknown name
throws. [errors.md](errors.md) explains \`onError\`. The options of commands are in [command.md](command.md), those of conversions in [conversion.md](conversion.md).

${SECTIONS.map(section).join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/options.md differs from the types: run node scripts/build-options-page.mjs');
  process.exitCode = 1;
}
