/** The reference of the API: each function and class has an example, examples compile, and editors show types as values. */
import { join } from 'node:path';

import ts from 'typescript';

import { ROOT } from '../../support/running/compiled-sources';

const DOORS = {
  'tfrecord-native': join(ROOT, 'dist/index.d.ts'),
  'tfrecord-native/schema': join(ROOT, 'dist/schema/index.d.ts'),
  'tfrecord-native/arrow': join(ROOT, 'dist/adapters/arrow/index.d.ts'),
  'tfrecord-native/azure': join(ROOT, 'dist/adapters/azure/index.d.ts'),
  'tfrecord-native/gcs': join(ROOT, 'dist/adapters/gcs/index.d.ts'),
  'tfrecord-native/http': join(ROOT, 'dist/adapters/http/index.d.ts'),
  'tfrecord-native/s3': join(ROOT, 'dist/adapters/s3/index.d.ts'),
  'tfrecord-native/duckdb': join(ROOT, 'dist/adapters/duckdb/index.d.ts'),
  'tfrecord-native/tfjs': join(ROOT, 'dist/adapters/tfjs/index.d.ts'),
  'tfrecord-native/convert': join(ROOT, 'dist/convert/index.d.ts'),
  'tfrecord-native/view': join(ROOT, 'dist/view/index.d.ts'),
};
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  paths: Object.fromEntries(Object.entries(DOORS).map(([name, file]) => [name, [file]])),
};

/** The compiler's view of `files`, which exist only here. */
function serviceOf(files: Readonly<Record<string, string>>): ts.LanguageService {
  const textOf = (file: string): string | undefined => files[file] ?? ts.sys.readFile(file);
  return ts.createLanguageService({
    getScriptFileNames: () => Object.keys(files),
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = textOf(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => OPTIONS,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => file in files || ts.sys.fileExists(file),
    readFile: textOf,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    readDirectory: ts.sys.readDirectory,
  });
}

interface Documented {
  readonly name: string;
  readonly examples: readonly string[];
}

/** The functions and classes of the doors, and the methods of classes. */
function documented(): { exports: Documented[]; methods: Documented[]; names: Record<string, string[]> } {
  const program = ts.createProgram(Object.values(DOORS), OPTIONS);
  const checker = program.getTypeChecker();
  const exports: Documented[] = [];
  const methods: Documented[] = [];
  const names: Record<string, string[]> = {};
  const of = (name: string, symbol: ts.Symbol): Documented => ({
    name,
    examples: symbol
      .getJsDocTags(checker)
      .filter((tag) => tag.name === 'example')
      .map((tag) => ts.displayPartsToString(tag.text)),
  });
  for (const [door, file] of Object.entries(DOORS)) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    names[door] = [];
    for (const exported of checker.getExportsOfModule(module)) {
      const typeOnly = exported.declarations?.some(ts.isTypeOnlyExportDeclaration);
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (typeOnly === true || !(symbol.flags & ts.SymbolFlags.Value)) continue;
      names[door].push(symbol.name);
      const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
      if (isClass || symbol.flags & ts.SymbolFlags.Function) exports.push(of(symbol.name, symbol));
      if (!isClass) continue;
      for (const member of [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])]) {
        const internal = member.getJsDocTags(checker).some((tag) => tag.name === 'internal');
        if (!internal && member.flags & ts.SymbolFlags.Method)
          methods.push(of(`${symbol.name}.${member.name}`, member));
      }
    }
  }
  return { exports, methods, names };
}

const { exports, methods, names } = documented();

test('each function, class and method has an example', () => {
  expect(exports.length).toBeGreaterThan(50);
  const all = [...exports, ...methods.filter(({ name }) => !/\.(__|\[)/.test(name))];
  expect(all.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
});

/** Names that examples use without declaring them. */
const GIVEN = `
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, writeFile, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { DuckDBConnection } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
declare const record: Uint8Array, records: Uint8Array[], data: Uint8Array, file: string;
declare const source: ReadableStream<Uint8Array>, target: WritableStream<Uint8Array>;
declare const read: (handle: FileHandle) => Promise<{ value: Buffer } | undefined>, close: (handle: FileHandle) => Promise<void>;
declare const index: RecordIndex, files: IndexedFiles, reader: RecordReader;
declare const writer: RecordWriter, id: BigInt64Array<ArrayBuffer>, score: Float32Array<ArrayBuffer>;
declare const rows: Record<string, string>[], spec: { image: FixedLen<'float32', readonly [28, 28]>; label: FixedLen<'int64', readonly []>; price: FixedLen<'float32', readonly []> };
declare const batch: RecordBatch, response: { end(bytes: Uint8Array): void }, encode: (row: unknown) => Uint8Array;
declare const row: Element<{ id: FixedLen<'int64', readonly []>; tags: VarLen<'bytes'> }> & ToObject;
declare const model: { fitDataset(data: unknown, options: { epochs: number }): Promise<void> };
declare const port: import('tfrecord-native/view').MainPort, mainPort: typeof port;
declare const s3: import('tfrecord-native/s3').S3ClientLike, gcs: import('tfrecord-native/gcs').GcsClientLike, azure: import('tfrecord-native/azure').AzureClientLike;
declare const agent: import('tfrecord-native/http').HttpDispatcherLike;
declare const found: DatasetStatistics, before: DatasetStatistics, now: DatasetStatistics, schema: InferredSchema;
declare const comparison: StatisticsComparison;
`;

test('examples compile', () => {
  const all = [...exports, ...methods].flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));
  const files = Object.fromEntries(
    all.map(({ name, code }, i) => {
      const imports = Object.entries(names).map(
        ([door, exported]) => `import { ${exported.join(', ')} } from '${door}';`,
      );
      const types = "import type { Element, FixedLen, ToObject, VarLen } from 'tfrecord-native';";
      const text = [...imports, types, GIVEN, 'export async function example() {', code, '}'].join('\n');
      return [join(ROOT, `example-${i}-${name}.mts`), text];
    }),
  );
  const service = serviceOf(files);
  const errors = Object.keys(files).flatMap((name) =>
    [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)].map(
      ({ messageText }) => `${name.slice(ROOT.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    ),
  );
  expect(errors).toEqual([]);
});

describe('editors show', () => {
  const FILE = join(ROOT, 'shown.mts');
  const code = `
import { Dataset, fixedLen, parseExample, parseSingleExample, parseSingleSequenceExample, ragged, readExamples, varLen } from 'tfrecord-native';
declare const record: Uint8Array;
const spec = {
  id: fixedLen([], 'int64'),
  image: fixedLen([28, 28], 'float32'),
  name: fixedLen([], 'text'),
  tags: varLen('bytes'),
  words: ragged({ dtype: 'bytes' }),
};
const row = parseSingleExample(record, spec);
const numbers = parseSingleExample(record, spec, { int64: 'number', bytes: 'text' });
const batch = parseExample([record], spec);
const plain = row.toObject();
const { context, sequence } = parseSingleSequenceExample(record, { context: { id: spec.id }, sequence: { tags: spec.tags } });
for await (const each of readExamples('f', spec)) void each;
for await (const element of Dataset.tfrecord('f').parse(spec)) void element;
`;
  const service = serviceOf({ [FILE]: code });

  test.each([
    [
      'spec',
      `{
    id: FixedLen<"int64", readonly []>;
    image: FixedLen<"float32", readonly [28, 28]>;
    name: FixedLen<"text", readonly []>;
    tags: VarLen<"bytes">;
    words: Ragged<"bytes", readonly []>;
}`,
    ],
    [
      'row',
      `{
    id: bigint;
    image: DenseTensor<"float32", readonly [28, 28], "bigint">;
    name: string;
    tags: BytesArray;
    words: BytesArray;
} & ToObject`,
    ],
    [
      'numbers',
      `{
    id: number;
    image: DenseTensor<"float32", readonly [28, 28], "number">;
    name: string;
    tags: string[];
    words: string[];
} & ToObject`,
    ],
    [
      'batch',
      `{
    id: BigInt64Array<ArrayBuffer>;
    image: DenseTensor<"float32", readonly [number, 28, 28], "bigint">;
    name: string[];
    tags: SparseTensor<"bytes", "bigint">;
    words: RaggedTensor<"bytes", Shape, "bigint">;
} & ToObject`,
    ],
    [
      'plain',
      `{
    id: number;
    image: number[][];
    name: string;
    tags: (string | Base64)[];
    words: (string | Base64)[];
}`,
    ],
    ['context', '{\n    id: bigint;\n} & ToObject'],
    ['sequence', '{\n    tags: SparseTensor<"bytes", "bigint">;\n} & ToObject'],
    [
      'each',
      `{
    id: bigint;
    image: DenseTensor<"float32", readonly [28, 28], "bigint">;
    name: string;
    tags: BytesArray;
    words: BytesArray;
} & ToObject`,
    ],
    [
      'element',
      `{
    id: bigint;
    image: DenseTensor<"float32", readonly [28, 28], "bigint">;
    name: string;
    tags: BytesArray;
    words: BytesArray;
}`,
    ],
  ])('%s', (name, type) => {
    const at = code.search(new RegExp(`const (?:\\{[^}]*)?\\b${name}\\b`));
    const position = code.indexOf(name, at + 'const'.length);
    const { displayParts } = service.getQuickInfoAtPosition(FILE, position)!;
    expect(ts.displayPartsToString(displayParts)).toBe(`const ${name}: ${type}`);
  });
});
