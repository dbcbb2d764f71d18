/** Makes records of the files of samples, and files of records. */
import { isUtf8 } from 'node:buffer';

import { newRecord, TFRecordError, type Bytes } from '../../base';
import {
  bytes,
  decodeExample,
  encodeExample,
  int64,
  recordType,
  type DecodedFeature,
  type FeatureLike,
} from '../../example';
import { canBeFile, fileName, isInteger, isKey, isPlain, KEY, NPY, REST, SEQUENCE } from './names';
import { decodeNpy, encodeNpy } from './npy';

/** Files of a sample, by the names that follow the key. */
export type SampleFiles = ReadonlyMap<string, Buffer<ArrayBuffer>>;

/** The files of a record, and its key, if it has one that files can have. */
export interface RecordFiles {
  readonly key: string | undefined;
  readonly files: SampleFiles;
}

/** Returns the record of a sample. @throws TFRecordError without a place, if the files do not make a record */
export function recordOf(key: string, files: SampleFiles): Bytes {
  const sequence = files.get(SEQUENCE);
  if (sequence !== undefined) return sequenceIn(sequence, files.size);
  const features = newRecord<FeatureLike>();
  const rest = files.get(REST);
  if (rest === undefined) features[KEY] = bytes([key]);
  // An empty list is a feature without a kind.
  else for (const [name, feature] of Object.entries(decodeExample(rest))) features[name] = feature ?? [];
  for (const [name, content] of files) {
    if (name === REST) continue;
    const array = name.length > NPY.length && name.endsWith(NPY) ? decodeNpy(content) : undefined;
    const feature = array === undefined ? name : name.slice(0, -NPY.length);
    if (feature in features) throw twice(feature);
    features[feature] = array ?? (isInteger(name) ? integerIn(name, content) : bytes([content]));
  }
  return encodeExample(features);
}

function sequenceIn(record: Bytes, files: number): Bytes {
  const expected = 'one SequenceExample alone';
  const found = files > 1 ? `${files} files` : recordType(record);
  if (found === 'SequenceExample') return record;
  const message = `a sample with a file .${SEQUENCE} has other content: expected ${expected}, found ${found}`;
  throw new TFRecordError('TFR_EXAMPLE', message, { expected, found });
}

/** The error about two files of one feature. */
export function twice(feature: string): TFRecordError {
  const expected = 'one file';
  const found = 'several files';
  const message = `feature ${JSON.stringify(feature)} of a sample is there twice: expected ${expected}, found ${found}`;
  return new TFRecordError('TFR_FEATURE', message, { feature, expected, found });
}

/** Longer text cannot be an int64, but for zeros and blanks. */
const MAX_DIGITS = 64;

function integerIn(feature: string, content: Buffer): FeatureLike {
  const text = content.toString('latin1', 0, MAX_DIGITS + 1).trim();
  const value = content.length <= MAX_DIGITS && /^[-+]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
  if (value !== undefined && BigInt.asIntN(64, value) === value) return int64([value]);
  const expected = 'an int64 in text';
  const found = JSON.stringify(text.slice(0, MAX_DIGITS));
  const message = `file .${feature} of a sample is not an integer: expected ${expected}, found ${found}`;
  throw new TFRecordError('TFR_DECODE', message, { feature, expected, found });
}

/** Returns the files of `record`. @throws TFRecordError if it is not an Example or a SequenceExample */
export function filesOf(record: Bytes): RecordFiles {
  const files = new Map<string, Buffer<ArrayBuffer>>();
  if (recordType(record) === 'SequenceExample') {
    files.set(SEQUENCE, Buffer.from(record));
    return { key: undefined, files };
  }
  const features = decodeExample(record);
  const rest = newRecord<FeatureLike>();
  const key = keyIn(features[KEY]);
  for (const [name, feature] of Object.entries(features)) {
    if (name === KEY && key !== undefined) continue;
    const [file, content] = fileOf(name, feature) ?? [];
    if (file === undefined) rest[name] = feature ?? [];
    else files.set(file, content!);
  }
  // This file also says that a sample has no feature for its key, or no other feature.
  if (key === undefined || files.size === 0 || Object.keys(rest).length > 0) {
    if (key !== undefined) rest[KEY] = bytes([key]);
    files.set(REST, Buffer.from(encodeExample(rest)));
  }
  return { key, files };
}

/** `files` of a record whose own key, `key`, cannot be theirs: it is in the file of the rest. */
export function withKey(key: string, files: SampleFiles): SampleFiles {
  const before = files.get(REST);
  const rest: Record<string, FeatureLike> = newRecord<FeatureLike>();
  for (const [name, feature] of Object.entries(before === undefined ? {} : decodeExample(before))) {
    rest[name] = feature ?? [];
  }
  rest[KEY] = bytes([key]);
  return new Map(files).set(REST, Buffer.from(encodeExample(rest)));
}

function keyIn(feature: DecodedFeature | undefined): string | undefined {
  if (feature?.kind !== 'bytes' || feature.values.length !== 1) return undefined;
  const [value] = feature.values;
  if (!isUtf8(value!)) return undefined;
  const key = Buffer.from(value!).toString();
  return isKey(key) ? key : undefined;
}

/** The file of a feature; undefined if it must be in the file of the rest. */
function fileOf(name: string, feature: DecodedFeature | undefined): readonly [string, Buffer<ArrayBuffer>] | undefined {
  if (feature === undefined || !canBeFile(name)) return undefined;
  if (feature.kind === 'bytes') {
    const [value] = feature.values;
    return isPlain(name) && feature.values.length === 1 ? [fileName(name), Buffer.from(value!)] : undefined;
  }
  const { kind, values } = feature;
  if (kind === 'int64' && values.length === 1 && isInteger(name)) return [name, Buffer.from(String(values[0]))];
  return [`${fileName(name)}${NPY}`, encodeNpy(values)];
}
