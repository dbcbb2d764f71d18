/** The list of formats, and how the extension of a file chooses one. */
import { basename } from 'node:path';

import { invalidArgValue, checkChoice, COMPRESSION_OPTIONS, type Compression } from '../base';
import { compressionByName, isTFRecordName, withoutCompression } from '../io';
import { arrowInput } from './arrow/arrow-input';
import { arrowOutput, arrowsOutput } from './arrow/arrow-output';
import { csvInput } from './csv/csv-input';
import { csvOutput } from './csv/csv-output';
import { PICTURE_EXTENSIONS } from '../example';
import { boxesOutput } from './detection/boxes-output';
import { cocoInput } from './detection/coco/coco-input';
import { cocoOutput } from './detection/coco/coco-output';
import { vocInput } from './detection/voc/voc-input';
import { vocOutput } from './detection/voc/voc-output';
import { yoloInput } from './detection/yolo/yolo-input';
import { yoloOutput } from './detection/yolo/yolo-output';
import type { InputFormat, KnownFormat, OutputFormat, ReadableFormat, WritableFormat } from './format';
import { imagesInput } from './images/images-input';
import type { InputFile } from './input/inputs';
import { messageLinesInput, rowLinesInput } from './jsonl/lines-input';
import { messageLinesOutput, rowLinesOutput } from './jsonl/lines-output';
import { parquetInput, parquetOutput } from './table/parquet';
import { tfdsInput } from './tfds/tfds-input';
import { tfrecordInput, tfrecordOutput } from './tfrecord';
import { webdatasetInput } from './webdataset/webdataset-input';
import { webdatasetOutput } from './webdataset/webdataset-output';

/**
 * A format that files are converted from or to: TFRecords; JSON Lines, as plain rows or as protobuf's canonical JSON of
 * the messages; CSV and TSV; Parquet, by the optional peer `@duckdb/node-api`; Arrow IPC, as files (`arrow`) or as
 * streams (`arrows`), by the optional peer `apache-arrow`; tars of samples (`webdataset`), by the
 * optional peer `tar-stream`; folders of COCO, YOLO and Pascal VOC.
 */
export type ConvertFormat =
  | 'tfrecord'
  | 'jsonl'
  | 'protojson'
  | 'csv'
  | 'tsv'
  | 'parquet'
  | 'arrow'
  | 'arrows'
  | 'webdataset'
  | 'coco'
  | 'yolo'
  | 'voc';

/**
 * A format that files are converted from: also `images`, a folder of pictures, and `tfds`, a folder of TensorFlow
 * Datasets.
 */
export type InputFormatName = ConvertFormat | 'images' | 'tfds';

/** A format that files are converted to: also `boxes`, CSV with a row for each box of an object in a picture. */
export type OutputFormatName = ConvertFormat | 'boxes';

/** The name of a format. */
type FormatName = InputFormatName | OutputFormatName;

/** The title of CSV and TSV in the help. */
const TABLES = 'tables with a header';

/** All formats, in the order in which messages list them. Files with other extensions are TFRecords. */
const FORMATS: Readonly<
  Record<ConvertFormat, ReadableFormat & WritableFormat> &
    Record<Exclude<InputFormatName, ConvertFormat>, ReadableFormat> &
    Record<Exclude<OutputFormatName, ConvertFormat>, WritableFormat>
> = {
  tfrecord: { extensions: [], input: tfrecordInput, output: tfrecordOutput },
  jsonl: {
    extensions: ['.jsonl', '.ndjson'],
    slips: ['.jsonlines', '.jsnol', '.jsnl', '.ndjsonl'],
    title: 'JSON Lines',
    input: rowLinesInput,
    output: rowLinesOutput,
  },
  protojson: {
    extensions: ['.protojson'],
    title: "protobuf's JSON, one message a line",
    input: messageLinesInput,
    output: messageLinesOutput,
  },
  csv: { extensions: ['.csv'], title: TABLES, input: csvInput('csv', ','), output: csvOutput(',') },
  tsv: { extensions: ['.tsv'], title: TABLES, input: csvInput('tsv', '\t'), output: csvOutput('\t') },
  parquet: {
    extensions: ['.parquet', '.pq'],
    slips: ['.parq', '.parqet', '.parquets', '.parquete'],
    title: 'Parquet',
    input: parquetInput,
    output: parquetOutput,
  },
  arrow: {
    extensions: ['.arrow', '.feather'],
    slips: ['.ipc', '.arow', '.feater'],
    title: 'files of Arrow',
    input: arrowInput,
    output: arrowOutput,
  },
  arrows: { extensions: ['.arrows'], title: 'streams of Arrow', input: arrowInput, output: arrowsOutput },
  webdataset: {
    extensions: ['.tar'],
    slips: ['.tgz'],
    title: 'tars of WebDataset',
    input: webdatasetInput,
    output: webdatasetOutput,
  },
  images: { extensions: PICTURE_EXTENSIONS, readsFolders: true, input: imagesInput },
  tfds: { extensions: [], input: tfdsInput },
  coco: { extensions: [], input: cocoInput, output: cocoOutput },
  yolo: { extensions: [], input: yoloInput, output: yoloOutput },
  voc: { extensions: [], input: vocInput, output: vocOutput },
  boxes: { extensions: [], output: boxesOutput },
};

/** Advice for `.json`: a single JSON value can be neither written nor read. */
const JSON_HINT = 'JSON Lines have the extension .jsonl or .ndjson';
/** Extensions of other programs' formats. An output with one of them is an error. */
const FOREIGN: ReadonlySet<string> = new Set(
  (
    'txt text md log doc docx pdf xls xlsx ods db sqlite sqlite3 duckdb avro orc pb pbtxt textproto proto yaml yml toml ' +
    'xml html htm geojson jsonld msgpack cbor bson npy npz pkl pickle pt pth onnx safetensors h5 hdf5 hdf mat nc zarr ' +
    'array_record arrayrecord riegeli mds lance zip 7z rar zst zstd bz2 xz lz4 br snappy sz wav mp3 mp4'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
);

const NAMES = Object.keys(FORMATS) as FormatName[];

/** The formats by the extensions of their files. */
const BY_EXTENSION: ReadonlyMap<string, FormatName> = new Map(
  NAMES.flatMap((name) => FORMATS[name].extensions.map((extension) => [extension, name] as const)),
);

/** The usual extensions, by other spellings. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.values<KnownFormat>(FORMATS).flatMap(({ extensions, slips = [] }) =>
    slips.map((slip) => [slip, extensions[0]!] as const),
  ),
);

function isWritable(name: FormatName): name is OutputFormatName {
  return 'output' in FORMATS[name];
}

function isReadable(name: FormatName): name is InputFormatName {
  return 'input' in FORMATS[name];
}

/** True if outputs of the format `to`, the caller's choice, are folders. */
export function isFolderFormat(to: unknown): to is OutputFormatName {
  const name = NAMES.filter(isWritable).find((each) => each === to);
  return name !== undefined && outputFormat(name).isFolder === true;
}

/** Names and titles of the formats, for the help of the command. */
export function listFormats(): readonly (Pick<KnownFormat, 'extensions' | 'title'> & {
  readonly name: FormatName;
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  /** True if its outputs are folders. */
  readonly isFolder: boolean;
})[] {
  return NAMES.map((name) => {
    const { extensions, title }: KnownFormat = FORMATS[name];
    return {
      name,
      extensions,
      title,
      isReadable: isReadable(name),
      isWritable: isWritable(name),
      isFolder: isFolderFormat(name),
    };
  });
}

export function inputFormat(name: InputFormatName): InputFormat {
  return FORMATS[name].input;
}

export function outputFormat(name: OutputFormatName): OutputFormat {
  return FORMATS[name].output;
}

/** The format of files with the extension of `name`; undefined for other extensions, which mean TFRecord. */
export function formatByName(name: string): FormatName | undefined {
  return BY_EXTENSION.get(extensionOf(name));
}

/** The format of `files`, the inputs of a conversion. `given`: the caller's choice. */
export function inputFormatOf(given: unknown, files: readonly InputFile[]): InputFormatName {
  const areFolders = files.length > 0 && files.every((file) => file.isFolder === true);
  const ofFolders = areFolders
    ? NAMES.filter(isReadable).find((name) => FORMATS[name].readsFolders === true)
    : undefined;
  return formatOf(
    'from',
    given ?? ofFolders,
    files.map(({ file }) => file),
  );
}

/**
 * The extension of an output called `name` that is a TFRecord only because no format has this extension; else
 * undefined.
 */
export function unknownExtension(name: string): string | undefined {
  const extension = extensionOf(name);
  return extension === '' || isTFRecordName(extension) ? undefined : extension;
}

/** The format of the files `names` on one side of a conversion. `given`: the caller's choice. */
export function formatOf(option: 'from', given: unknown, names: readonly string[]): InputFormatName;
export function formatOf(option: 'to', given: unknown, names: readonly string[]): OutputFormatName;
export function formatOf(option: 'from' | 'to', given: unknown, names: readonly string[]): FormatName {
  const choices: readonly FormatName[] = NAMES.filter(option === 'from' ? isReadable : isWritable);
  if (given !== undefined) return checkChoice<FormatName>(`options.${option}`, given, choices, 'tfrecord');
  let found: FormatName | undefined;
  for (const name of names) {
    const extension = extensionOf(name);
    const format = BY_EXTENSION.get(extension);
    const isForeign =
      option === 'to' &&
      (format === undefined ? FOREIGN.has(extension) || SPELLINGS.has(extension) : !isWritable(format));
    if (isForeign || extension === '.json') {
      const hint = isForeign
        ? `${extension} is not a format that can be written: ${spelling(extension)}choose one of ${choices.join(', ')}`
        : JSON_HINT;
      throw invalidArgValue(`options.${option}`, `given for ${basename(name)}: ${hint}`, undefined);
    }
    const chosen = format ?? 'tfrecord';
    if (found !== undefined && found !== chosen) {
      throw invalidArgValue(
        `options.${option}`,
        `given for files of several formats: ${[found, chosen].join(', ')}`,
        undefined,
      );
    }
    found = chosen;
  }
  return found ?? 'tfrecord';
}

function spelling(extension: string): string {
  const right = SPELLINGS.get(extension);
  return right === undefined ? '' : `did you mean ${right}? Else `;
}

/** The last extension of `name` in lower case, after removing that of a compression. */
function extensionOf(name: string): string {
  return /\.[^.]+$/.exec(withoutCompression(basename(name).toLowerCase()))?.[0] ?? '';
}

/** The compression of an output called `name`. `given`: the caller's choice. */
export function compressionOf(given: unknown, name: string, to: OutputFormatName): Compression {
  const chosen = checkChoice('options.compression', given, COMPRESSION_OPTIONS, 'auto');
  const compression = chosen === 'auto' ? compressionByName(name) : chosen;
  const { compressions } = FORMATS[to].output;
  if (compressions.includes(compression)) return compression;
  throw invalidArgValue('options.compression', `one of ${compressions.join(', ')} for ${to}`, compression);
}
