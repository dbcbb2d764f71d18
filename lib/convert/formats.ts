/** The formats by their names, and by the extensions of files. */
import { basename } from 'node:path';

import { invalidArgValue } from '../errors';
import { checkChoice, COMPRESSION_OPTIONS, isTFRecordName, type Compression } from '../record';
import { arrowInput } from './arrow/arrow-input';
import { arrowOutput, arrowsOutput } from './arrow/arrow-output';
import { csvInput } from './csv/csv-input';
import { csvOutput } from './csv/csv-output';
import type { InputFormat, OutputFormat } from './format';
import { imagesInput } from './images/images-input';
import { PICTURE_NAME } from '../example';
import { messageLinesInput, rowLinesInput } from './jsonl/lines-input';
import { messageLinesOutput, rowLinesOutput } from './jsonl/lines-output';
import { parquetInput, parquetOutput } from './table/parquet';
import { tfrecordInput, tfrecordOutput } from './tfrecord';

/**
 * A format that files are converted from or to: TFRecords; JSON Lines, as plain rows or as protobuf's canonical JSON of
 * the messages; CSV and TSV; Parquet, by the optional peer `@duckdb/node-api`; Arrow IPC, as files (`arrow`) or as
 * streams (`arrows`), by the optional peer `apache-arrow`.
 */
export type ConvertFormat = 'tfrecord' | 'jsonl' | 'protojson' | 'csv' | 'tsv' | 'parquet' | 'arrow' | 'arrows';

/** A format that files are converted from: also a folder of pictures. */
export type InputFormatName = ConvertFormat | 'images';

export const INPUT_FORMATS: Readonly<Record<InputFormatName, InputFormat>> = {
  tfrecord: tfrecordInput,
  jsonl: rowLinesInput,
  protojson: messageLinesInput,
  csv: csvInput(','),
  tsv: csvInput('\t'),
  parquet: parquetInput,
  arrow: arrowInput,
  arrows: arrowInput,
  images: imagesInput,
};

export const OUTPUT_FORMATS: Readonly<Record<ConvertFormat, OutputFormat>> = {
  tfrecord: tfrecordOutput,
  jsonl: rowLinesOutput,
  protojson: messageLinesOutput,
  csv: csvOutput(','),
  tsv: csvOutput('\t'),
  parquet: parquetOutput,
  arrow: arrowOutput,
  arrows: arrowsOutput,
};

/** Extensions in lower case, without the one of a compression. All others mean TFRecord. */
const EXTENSIONS: Readonly<Record<string, ConvertFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.protojson': 'protojson',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.arrows': 'arrows',
};

/** The name of one JSON value, which is neither written nor read. */
const JSON_HINT = 'JSON Lines have the extension .jsonl or .ndjson';
/** Extensions of outputs that belong to other formats, or are other spellings of ours. */
const FOREIGN: ReadonlySet<string> = new Set(
  (
    'txt text md log doc docx pdf xls xlsx ods db sqlite sqlite3 duckdb avro orc pb pbtxt textproto proto yaml yml toml ' +
    'xml html htm geojson jsonld msgpack cbor bson npy npz pkl pickle pt pth onnx safetensors h5 hdf5 hdf mat nc zarr ' +
    'array_record arrayrecord riegeli mds lance tar tgz zip 7z rar zst zstd bz2 xz lz4 br snappy sz wav mp3 mp4 ' +
    'parq parqet parquets parquete jsonlines jsnol jsnl ndjsonl ipc arow feater'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
);

/** The usual extensions of our formats, by other spellings. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['.parq', '.parqet', '.parquets', '.parquete'].map((slip): [string, string] => [slip, '.parquet']),
  ...['.jsonlines', '.jsnol', '.jsnl', '.ndjsonl'].map((slip): [string, string] => [slip, '.jsonl']),
  ...['.ipc', '.arow', '.feater'].map((slip): [string, string] => [slip, '.arrow']),
]);

/** The extension of an output called `name` that is a TFRecord only because no format has it; undefined for others. */
export function unknownExtension(name: string): string | undefined {
  const extension = extensionOf(name);
  return extension === '' || isTFRecordName(extension) ? undefined : extension;
}

/** The format of `names`, files of one side of a conversion; `given` is the caller's choice. */
export function formatOf(option: 'from', given: unknown, names: readonly string[]): InputFormatName;
export function formatOf(option: 'to', given: unknown, names: readonly string[]): ConvertFormat;
export function formatOf(option: 'from' | 'to', given: unknown, names: readonly string[]): InputFormatName {
  const choices = Object.keys(option === 'from' ? INPUT_FORMATS : OUTPUT_FORMATS) as InputFormatName[];
  if (given !== undefined) return checkChoice<InputFormatName>(`options.${option}`, given, choices, 'tfrecord');
  let found: InputFormatName | undefined;
  for (const name of names) {
    const extension = extensionOf(name);
    const isPicture = PICTURE_NAME.test(extension);
    const isForeign = option === 'to' && (isPicture || FOREIGN.has(extension));
    if (isForeign || extension === '.json') {
      const hint = isForeign
        ? `${extension} is not a format that can be written: ${spelling(extension)}choose one of ${choices.join(', ')}`
        : JSON_HINT;
      throw invalidArgValue(`options.${option}`, `given for ${basename(name)}: ${hint}`, undefined);
    }
    const format = isPicture ? 'images' : (EXTENSIONS[extension] ?? 'tfrecord');
    if (found !== undefined && found !== format) {
      throw invalidArgValue(
        `options.${option}`,
        `given for files of several formats: ${[found, format].join(', ')}`,
        undefined,
      );
    }
    found = format;
  }
  return found ?? 'tfrecord';
}

function spelling(extension: string): string {
  const right = SPELLINGS.get(extension);
  return right === undefined ? '' : `did you mean ${right}? Else `;
}

/** The last extension of `name` in lower case, without that of a compression. */
function extensionOf(name: string): string {
  return (
    /\.[^.]+$/.exec(
      basename(name)
        .toLowerCase()
        .replace(/\.(?:gz|zz|zlib)$/, ''),
    )?.[0] ?? ''
  );
}

/** The compression of an output called `name`; `given` is the caller's choice. */
export function compressionOf(given: unknown, name: string, to: ConvertFormat): Compression {
  const chosen = checkChoice('options.compression', given, COMPRESSION_OPTIONS, 'auto');
  const byName = /\.gz$/i.test(name) ? 'gzip' : /\.(?:zz|zlib)$/i.test(name) ? 'zlib' : 'none';
  const compression = chosen === 'auto' ? byName : chosen;
  const { compressions } = OUTPUT_FORMATS[to];
  if (compressions.includes(compression)) return compression;
  throw invalidArgValue('options.compression', `one of ${compressions.join(', ')} for ${to}`, compression);
}
