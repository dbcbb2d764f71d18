/** Both sides of each binding declare its functions, objects and numbers. This test reads both, and compares them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NO_FILES, importsFor } from '../../../lib/native/wasm/host';
import { addonFields, addonFunctions, cppEnum, cppMembers, cppStrings, markedFunctions } from '../../support/declarations/cpp';
import { tsEnum, tsFunctions, tsProperties, tsStrings } from '../../support/declarations/typescript';

const ROOT = join(__dirname, '../../..');
const BINDING = 'lib/native/binding.ts';
const EXAMPLES = 'lib/native/binding-examples.ts';
const LINES = 'lib/native/binding-lines.ts';
const ROWS = 'lib/native/binding-rows.ts';
const CSV = 'lib/native/binding-csv.ts';
const DUCKDB = 'lib/native/binding-duckdb.ts';
const FAULT = 'lib/base/fault.ts';
const INDEX = readdirSync(join(ROOT, 'lib/native'))
  .filter((name) => name.startsWith('binding-index'))
  .map((name) => `lib/native/${name}`);

/** Returns the text of a file of the package. */
type Read = (path: string) => string;
/** What one side declares, and what the other does. */
type Sides = readonly [cpp: unknown, typescript: unknown];

const read: Read = (path) => readFileSync(join(ROOT, path), 'utf8');

function sourcesIn(folder: string, readFile: Read): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:cc|h)$/.test(path))
    .map((path) => readFile(`${folder}/${path.replaceAll('\\', '/')}`));
}

/** `max_record_bytes` → `maxRecordBytes`. */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function enumFrom(values: Readonly<Record<string, number>>, least: number): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value >= least));
}

/** C++ has a shorter name for this value. */
function withMemory({ NoMemory, ...values }: Readonly<Record<string, number>>): object {
  return { ...values, OutOfMemory: NoMemory };
}

const COMPARISONS: Readonly<Record<string, (readFile: Read) => Sides>> = {
  'functions of the addon': (readFile) => [
    sorted(addonFunctions(sourcesIn('native/addon', readFile))),
    sorted(
      new Map([
        ...tsFunctions(readFile(BINDING), 'RecordBinding'),
        ...tsFunctions(readFile(EXAMPLES), 'ExampleBinding'),
        ...tsFunctions(readFile(LINES), 'LineBinding'),
        ...tsFunctions(readFile(ROWS), 'RowBinding'),
        ...tsFunctions(readFile(CSV), 'CsvBinding'),
        ...tsFunctions(readFile(DUCKDB), 'DuckdbBinding'),
        ...INDEX.flatMap((file) => [...tsFunctions(readFile(file), 'IndexBinding')]),
      ]),
    ),
  ],
  'functions of the WebAssembly module': (readFile) => {
    const functions = sourcesIn('native/wasm', readFile).flatMap((text) => [...markedFunctions(text, 'TFR_EXPORT')]);
    const exports = readFile('lib/native/wasm/exports.ts');
    const declared = (list: string): [string, number][] => {
      const body = new RegExp(`const ${list} = \\{([^}]*)\\}`).exec(exports)![1]!;
      return Array.from(body.matchAll(/(\w+): (\d+)/g), ([, name, count]) => [name!, Number(count)]);
    };
    // Results that are doubles can be negative; those of all other types become unsigned.
    const isSigned = (result: string): boolean => /^(?:double|float|int\w*)$/.test(result);
    return [
      [true, false].map((signed) =>
        sorted(
          functions
            .filter(([, { result }]) => isSigned(result) === signed)
            .map(([name, { parameters }]) => [name, parameters]),
        ),
      ),
      [sorted(declared('SIGNED')), sorted(declared('UNSIGNED'))],
    ];
  },
  'functions that the WebAssembly module imports': (readFile) => [
    sorted(
      [...markedFunctions(readFile('native/wasm/host.h'), 'TFR_IMPORT')].map(([name, { parameters }]) => [
        name,
        parameters,
      ]),
    ),
    sorted(Object.entries(hostFunctions()).map(([name, { length }]) => [name, length])),
  ],
  'names of the WebAssembly module\'s functions': (readFile) => {
    const functions = sourcesIn('native/wasm', readFile).flatMap((text) => [...markedFunctions(text, 'TFR_EXPORT')]);
    return [functions.map(([, { name }]) => name), functions.map(([shown]) => shown)];
  },

  FillOutcome: both('FillOutcome', 'native/core/record/slab_fill.h', BINDING),
  FramingKind: both('FramingKind', 'native/core/record/reader_spec.h', BINDING),
  EncodeFaultCode: both('EncodeFaultCode', 'native/core/example/encode/batch_encoder.h', EXAMPLES),
  ParseFaultCode: (readFile) => [
    enumFrom(cppEnum(readFile('native/core/example/parse/parse_fault.h'), 'ParseFaultCode'), 1),
    tsEnum(readFile(EXAMPLES), 'ParseFaultCode'),
  ],
  RecordTypeCode: (readFile) => [
    cppEnum(readFile('native/core/example/type/record_type.h'), 'RecordType'),
    tsEnum(readFile(EXAMPLES), 'RecordTypeCode'),
  ],
  DecodeOutcome: (readFile) => [
    withMemory(cppEnum(readFile('native/addon/example/decoder_binding.cc'), 'DecodeOutcome')),
    tsEnum(readFile(EXAMPLES), 'DecodeOutcome'),
  ],
  SurveyFaultCode: (readFile) => [
    enumFrom(withMemory(cppEnum(readFile('native/core/example/survey/survey.h'), 'Outcome')) as never, 1),
    tsEnum(readFile(EXAMPLES), 'SurveyFaultCode'),
  ],
  'kinds of arrays of columns': (readFile) => [
    cppEnum(readFile('native/wasm/columns_api.cc'), 'Array'),
    tsEnum(readFile('lib/native/wasm/parsers.ts'), 'ArrayKind'),
  ],
  'kinds of rows': (readFile) => [
    Object.entries(enumFrom(cppEnum(readFile('native/core/example/decode/decoded_record.h'), 'RowKind'), 1)).map(
      ([name, value]) => [`${name.toUpperCase()}_ROW`, value as number],
    ),
    Array.from(
      readFile('lib/example/feature/decoded-block.ts').matchAll(/^export const (\w+_ROW) = (\d+);/gm),
      ([, name, value]) => [name, Number(value)],
    ),
  ],
  'kinds of columns': (readFile) => {
    const kinds = cppEnum(readFile('native/core/example/parse/plan/plan.h'), 'Kind');
    const numbers = /COLUMN_KINDS[^=]*= (\{.*\});/.exec(readFile('lib/example/parse/plan.ts'))![1]!;
    const columnKinds = Array.from(numbers.matchAll(/(\w+): (\d)/g), ([, name, value]) => [name, Number(value)]);
    return [
      Object.entries(enumFrom(kinds, 1)).map(([name, value]) => [name.toLowerCase(), value as number]),
      columnKinds.map(([name, value]) => [name === 'float32' ? 'float' : name, value]),
    ];
  },
  'sections of columns': (readFile) => [
    cppEnum(readFile('native/core/example/parse/plan/plan.h'), 'Section'),
    { Features: 0, Lists: 1 },
  ],
  'numbers of a column\'s sizes': (readFile) => [
    Number(/kColumnSizes = (\d+)/.exec(readFile('native/addon/example/columns_value.h'))![1]),
    tsEnum(readFile(EXAMPLES), 'ColumnSize')['Count'],
  ],
  'numbers of a piece': (readFile) => [
    Number(/kFields = (\d+)/.exec(readFile('native/addon/example/pieces_binding.cc'))![1]),
    tsEnum(readFile(EXAMPLES), 'PieceField')['Count'],
  ],
  'kinds of literals in rows': (readFile) => [
    Object.keys(cppEnum(readFile('native/core/example/json/literal.h'), 'Literal')).map(
      (name) => name[0]!.toLowerCase() + name.slice(1),
    ),
    tsStrings(readFile('lib/convert/jsonl/parse-line.ts'), 'LITERAL_KINDS'),
  ],
  'states of rows': (readFile) => [
    cppEnum(readFile('native/core/example/json/json_rows.h'), 'State'),
    tsEnum(readFile(ROWS), 'JsonRowState'),
  ],
  CsvRowState: (readFile) => [
    cppEnum(readFile('native/core/example/csv/csv_rows.h'), 'CsvState'),
    tsEnum(readFile(CSV), 'CsvRowState'),
  ],
  'choices of names': (readFile) => [
    cppEnum(readFile('native/core/example/json/row_names.h'), 'Mode'),
    tsEnum(readFile(ROWS), 'RowChoiceMode'),
  ],
  'formats of pictures': (readFile) => [
    Object.keys(enumFrom(cppEnum(readFile('native/core/example/survey/picture.h'), 'Picture'), 1)).map((name) =>
      name.toLowerCase(),
    ),
    tsStrings(readFile('lib/table/survey/feature-survey.ts'), 'PICTURE_FORMATS').map((name) => name.toLowerCase()),
  ],

  Compression: (readFile) => {
    const header = readFile('native/core/compression/compression.h');
    const names = tsStrings(readFile('lib/base/compression.ts'), 'COMPRESSIONS');
    const values = Object.keys(cppEnum(header, 'Compression')).map((name) => name.toLowerCase());
    return [
      [values, cppStrings(header, 'kNames')],
      [names, names],
    ];
  },
  Verify: (readFile) => {
    const options = readFile('lib/record/read/read-options.ts');
    const names = tsStrings(options, 'VERIFICATIONS');
    return [
      cppEnum(readFile('native/core/record/read_options.h'), 'Verify'),
      {
        ...Object.fromEntries(names.map((name, i) => [name[0]!.toUpperCase() + name.slice(1), i])),
        Unread: Number(/ UNREAD = (\d+)/.exec(options)![1]),
        LengthUnread: Number(/LENGTH_UNREAD = (\d+)/.exec(options)![1]),
        Counted: Number(/COUNTED = (\d+)/.exec(options)![1]),
      },
    ];
  },
  FaultCode: (readFile) => {
    const codes = cppEnum(readFile('native/core/base/fault.h'), 'FaultCode');
    const cases = Array.from(
      readFile('native/core/base/fault.h').matchAll(/case FaultCode::k(\w+):\s*return "(\w*)"/g),
      ([, code, name]) => [codes[code!], name],
    );
    const names = tsStrings(readFile(FAULT), 'FaultName');
    const numbered = [[0, ''], ...names.map((name, i) => [i + 1, name])];
    return [
      [cases, Object.values(codes)],
      [numbered, numbered.map(([code]) => code)],
    ];
  },
  'names of faults in WebAssembly': (readFile) => [
    tsStrings(readFile('lib/native/wasm/report.ts'), 'FAULT_NAMES'),
    tsStrings(readFile(FAULT), 'FaultName'),
  ],
  'calls of the system': (readFile) => {
    const host = readFile('lib/native/wasm/host.ts');
    const calls = readFile('native/wasm/host_fault.cc');
    const sink = readFile('native/core/io/byte_sink.h');
    const details = /kDetails\[\] = \{"", ([^}]*)\}/.exec(calls)![1]!.split(', ');
    return [
      [cppStrings(calls, 'kCalls'), ['', ...details.map((name) => new RegExp(`\\b${name} = "(.*)"`).exec(sink)?.[1])]],
      [tsStrings(host, 'CALLS'), tsStrings(host, 'DETAILS')],
    ];
  },

  'members of a spec': (readFile) => {
    const members = cppMembers(readFile('native/core/record/reader_spec.h'), 'ReaderSpecNumbers').map(camelCase);
    const own = (prefix: string): string[] =>
      members.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length).toLowerCase() : []));
    const plain = members.filter((name) => !name.startsWith('start'));
    return [
      [plain.sort(), own('start').sort()],
      [
        tsProperties(readFile(BINDING), 'ReaderSpec')
          .filter((name) => name !== 'start')
          .sort(),
        tsProperties(readFile(BINDING), 'ReadStart').sort(),
      ],
    ];
  },
  'members of a spec as the addon reads them': (readFile) => [
    Array.from(
      readFile('native/addon/reading.cc').matchAll(/numbers\.(\w+) =\s+\w+In\((\w+)[^"]*"(\w+)"\)/g),
      ([, member, from, name]) => [camelCase(member!), from === 'object' ? name : camelCase(`start_${name!}`)],
    ),
    cppMembers(readFile('native/core/record/reader_spec.h'), 'ReaderSpecNumbers')
      // The addon decodes an array and handles by themselves.
      .filter((name) => !['framing', 'start_from', 'index', 'checkpoints'].includes(name))
      .map((name) => [camelCase(name), camelCase(name)]),
  ],
  'order of a spec in WebAssembly': (readFile) => [
    cppMembers(readFile('native/core/record/reader_spec.h'), 'ReaderSpecNumbers').map(camelCase),
    Array.from(readFile('lib/native/wasm/reader-spec.ts').matchAll(/\bspec\.(\w+)(?:\?\.(\w+))?/g), ([, name, inner]) =>
      inner === undefined || name === 'framing' ? name : camelCase(`${name!}_${inner}`),
    ),
  ],

  SlabFill: fields('native/addon/reader_binding.cc', 'FillValue', BINDING, 'SlabFill'),
  Fault: fields('native/addon/base/errors.cc', 'FaultValue', FAULT, 'Fault'),
  WriteResult: fields('native/addon/writer_binding.cc', 'Finish', BINDING, 'WriteResult'),
  RowFault: fields('native/addon/example/pieces_binding.cc', 'RowFaultValue', EXAMPLES, 'RowFault'),
  PieceFaults: fields('native/addon/example/pieces_binding.cc', 'PieceFaultsValue', EXAMPLES, 'PieceFaults'),
  ParseFault: fields('native/addon/example/columns_value.cc', 'ParseFaultValue', EXAMPLES, 'ParseFault'),
  EncodeFault: fields('native/addon/example/encoder_binding.cc', 'FaultValue', EXAMPLES, 'EncodeFault'),
  SurveyFault: fields('native/addon/example/survey_binding.cc', 'Result', EXAMPLES, 'SurveyFault'),
  NativeSurveyedFeature: fields('native/addon/example/survey_binding.cc', 'FeatureValue', EXAMPLES, 'NativeSurveyedFeature'),
  NativeCsvSurvey: fields('native/addon/example/csv_binding.cc', 'SurveyValue', CSV, 'NativeCsvSurvey'),
  NativeCsvRecords: fields('native/addon/example/csv_binding.cc', 'RecordsValue', CSV, 'NativeCsvRecords'),
  NativeJsonRows: fields('native/addon/example/json_rows_binding.cc', 'RowsValue', ROWS, 'NativeJsonRows'),
  IndexState: fields('native/addon/index_binding.cc', 'State', INDEX[0]!, 'IndexState'),
  IndexJump: fields('native/addon/index_binding.cc', 'FindJump', INDEX[0]!, 'IndexJump'),
  PlannedGather: fields('native/addon/gather_binding.cc', 'PlannedValue', INDEX[0]!, 'PlannedGather'),
  PrintedLines: fields('native/addon/example/lines_binding.cc', 'Finish', LINES, 'PrintedLines'),
  DuckdbSampledColumn: (readFile) => [
    addonFields(readFile('native/addon/duckdb/duckdb_binding.cc'), 'SampleValue').sort(),
    [...tsProperties(readFile(DUCKDB), 'DuckdbSampledColumn'), ...tsProperties(readFile(DUCKDB), 'DuckdbSample')].sort(),
  ],
  LineForm: both('LineForm', 'native/core/example/print/line_printer.h', LINES),
  IndexStatus: both('IndexStatus', 'native/core/index/index_file.h', INDEX[0]!),
};

/** Compares an enum of one name. */
function both(name: string, cpp: string, typescript: string) {
  return (readFile: Read): Sides => [cppEnum(readFile(cpp), name), tsEnum(readFile(typescript), name)];
}

/** Compares the properties of an object that the addon returns. */
function fields(cpp: string, maker: string, typescript: string, name: string) {
  return (readFile: Read): Sides => [
    addonFields(readFile(cpp), maker).sort(),
    tsProperties(readFile(typescript), name).sort(),
  ];
}

function sorted<T>(functions: Iterable<[string, T]>): [string, T][] {
  return [...functions].sort(([a], [b]) => (a < b ? -1 : 1));
}

function hostFunctions(): Record<string, (...args: unknown[]) => unknown> {
  return importsFor(NO_FILES, new WebAssembly.Memory({ initial: 1 }), () => undefined as never)['host'] as never;
}

test.each(Object.keys(COMPARISONS))('%s', (name) => {
  const [cpp, typescript] = COMPARISONS[name]!(read);
  expect(cpp).toEqual(typescript);
});

/** Mistakes of which one each is made in one file: the comparison that shows it, the file, and what is replaced. */
const MISTAKES: readonly [mistake: string, comparison: string, path: string, from: string | RegExp, to: string][] = [
  ['a renamed export', 'functions of the addon', 'native/addon/reader_binding.cc', '"readerFeed"', '"readerPush"'],
  ['an argument more in C++', 'functions of the addon', 'native/addon/writer_binding.cc', 'info[5]', 'info[6]'],
  ['an argument less in a helper', 'functions of the addon', 'native/addon/reading.cc', /info\[2\]/g, 'info[1]'],
  ['an argument more in TypeScript', 'functions of the addon', BINDING, 'slab: Uint8Array)', 'slab: Uint8Array, at: number)'],
  ['a function that only TypeScript has', 'functions of the addon', EXAMPLES, 'surveyNew():', 'surveyMore(): void;\n  surveyNew():'],
  ['a renamed export', 'functions of the WebAssembly module', 'native/wasm/job_api.cc', '(tfr_job_free)', '(tfr_job_end)'],
  ['another arity', 'functions of the WebAssembly module', 'lib/native/wasm/exports.ts', 'tfr_crc32c: 3', 'tfr_crc32c: 2'],
  ['another arity', 'functions that the WebAssembly module imports', 'native/wasm/host.h', 'double position, ', ''],
  ['a swapped value', 'FillOutcome', BINDING, 'Halt = 4', 'Halt = 5'],
  ['a swapped value', 'FillOutcome', 'native/core/record/slab_fill.h', /(kEnd,.*\n)(.*kInput,.*\n)/, '$2$1'],
  ['a swapped name', 'FaultCode', FAULT, /(\| 'SYSTEM')\s+(\| 'OUT_OF_MEMORY')/, '$2 $1'],
  ['a swapped name', 'Compression', 'lib/base/compression.ts', "'gzip', 'zlib', 'auto'", "'zlib', 'gzip', 'auto'"],
  ['a swapped value', 'Verify', 'native/core/record/read_options.h', /(kNone,)\s+(kUnread,)/, '$2 $1'],
  ['a renamed property', 'SlabFill', 'native/addon/reader_binding.cc', '"growTo"', '"grow"'],
  ['another order', 'order of a spec in WebAssembly', 'native/core/record/reader_spec.h', /(double start_record = 0;)\s+(double start_offset = 0;)/, '$2 $1'],
  ['another name', 'members of a spec as the addon reads them', 'native/addon/reading.cc', 'NumberIn(object, "verify")', 'NumberIn(object, "compression")'],
];

test.each(MISTAKES)('%s is noticed: %s, %s', (_, comparison, path, from, to) => {
  const changed: Read = (file) => {
    const text = read(file);
    if (file !== path) return text;
    const other = text.replace(from, to);
    expect(other).not.toBe(text);
    return other;
  };
  const [cpp, typescript] = COMPARISONS[comparison]!(changed);
  expect(cpp).not.toEqual(typescript);
});
