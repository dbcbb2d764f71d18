import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { TFRecordError, thrownText, isObject } from '../../base';
import { readSmallFile } from '../../io';
import { isSequenceSpec, refuseDuplicates, specOfJSON } from '../../example';
import type { SchemaFeature } from '../feature';
import { SchemaProto } from '../message/metadata';
import type { SchemaMessage } from '../message/schema-message';
import { Schema } from '../schema';
import { tfdsTensors } from '../tfds/features-json';
import { tfdsFeatures } from '../tfds/layout';
import { inFile, isProtoText, pathOf, statOf, textOf } from './small-file';
import { specFeatures } from './spec-features';
import { tfxFeatures } from './tfx-features';
import { tfxSpec } from './tfx-spec';

/**
 * Reads a schema that another program left beside the data, and returns its features and the spec that reads the data.
 * Accepts:
 *
 * - TensorFlow Metadata's `Schema`, as TFX and TensorFlow Data Validation write it: text (`schema.pbtxt`) or bytes, or a
 *   folder with a `schema.pbtxt`;
 * - a folder of TensorFlow Datasets with a `features.json`;
 * - a spec of this package as JSON (`schema.toSpecJSON()`).
 *
 * The content of a file determines its format, not its name (except for `features.json`). `features` has further
 * properties, as far as the file gives them: presence, numbers of values, domains. Does not read the data.
 *
 * @throws TFRecordError, naming the file: Node's code if it is missing; TFR_DECODE if it is none of these; TFR_SPEC if it
 *   contradicts itself, or describes what records cannot hold.
 *
 * @example
 * const { spec } = await readSchema('pipeline/SchemaGen/schema/3/schema.pbtxt');
 * for await (const row of readExamples('train-*.gz', spec)) console.log(row);
 */
export async function readSchema(path: string | URL): Promise<Schema> {
  const file = pathOf(path);
  const found = (await statOf(file)).isDirectory() ? await inFolder(file) : file;
  const bytes = await readSmallFile(found, notSchema);
  try {
    return schemaOf(bytes, found);
  } catch (error) {
    throw inFile(error, found);
  }
}

/** The path of the schema in a folder. @throws TFRecordError TFR_DECODE, naming the file that is missing */
async function inFolder(folder: string): Promise<string> {
  for (const name of ['features.json', 'schema.pbtxt']) {
    const file = join(folder, name);
    if (await exists(file)) return file;
  }
  const ofTfds = await exists(join(folder, 'dataset_info.json'));
  const missing = ofTfds ? 'features.json' : 'schema.pbtxt or features.json';
  const what = ofTfds ? 'a folder of TensorFlow Datasets without features.json' : 'a folder without a schema';
  const advice = ofTfds
    ? 'Older versions did not write it: let tensorflow_datasets write the data set again, or use inferSchema'
    : 'Name the file of the schema, or use inferSchema (tfrecord schema)';
  throw new TFRecordError('TFR_DECODE', `${folder} is ${what}. ${advice}.`, {
    file: folder,
    expected: missing,
    found: ofTfds ? 'dataset_info.json alone' : 'neither',
  });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function schemaOf(bytes: Buffer, file: string): Schema {
  const text = textOf(bytes);
  if (text !== undefined && /^\s*[{[]/.test(text)) return schemaOfJson(text, file);
  if (text !== undefined && isProtoText(text)) return schemaOfMessage(SchemaProto.fromText(text));
  try {
    return schemaOfMessage(decoded(bytes, file));
  } catch (error) {
    throw text === undefined ? error : notSchema(file, 'it is text, but neither JSON nor the text of a Schema');
  }
}

function decoded(bytes: Buffer, file: string): SchemaMessage {
  const message = SchemaProto.decode(bytes);
  if (message.feature.length === 0 && message.sparseFeature.length === 0)
    throw notSchema(file, 'it describes no features');
  return message;
}

function schemaOfMessage(message: SchemaMessage): Schema {
  const stored = tfxFeatures(message);
  const spec = tfxSpec(message, stored);
  const features = stored.map(({ message: _message, ...feature }): SchemaFeature => feature);
  const sequence = features.some(({ section }) => section === 'sequence');
  return new Schema(sequence ? 'SequenceExample' : 'Example', features, spec, message);
}

function schemaOfJson(text: string, file: string): Schema {
  let json: unknown;
  try {
    json = JSON.parse(text);
    refuseDuplicates(text);
  } catch (cause) {
    throw notSchema(file, `its JSON is invalid: ${thrownText(cause)}`, cause);
  }
  if (basename(file) === 'dataset_info.json') {
    throw notSchema(file, `it describes a data set, not its features: name its folder, ${dirname(file)}`);
  }
  if (basename(file) === 'features.json' || isTfds(json)) {
    const { features, spec } = tfdsFeatures(tfdsTensors(json));
    return new Schema('Example', features, spec);
  }
  const spec = specOfJSON(json);
  return isSequenceSpec(spec)
    ? new Schema('SequenceExample', specFeatures(spec), spec as never)
    : new Schema('Example', specFeatures({ context: spec as never }), spec);
}

/**
 * True if parsed JSON is the root of `features.json`: an object with a class of TensorFlow Datasets, or with content of
 * such a class.
 */
function isTfds(json: unknown): boolean {
  const { pythonClassName, type, featuresDict } = isObject(json) ? json : {};
  const named = (name: unknown): boolean => typeof name === 'string' && name.includes('.');
  return (
    named(pythonClassName) ||
    named(type) ||
    (typeof featuresDict === 'object' && !Object.hasOwn(featuresDict ?? {}, 'type'))
  );
}

function notSchema(file: string, reason: string, cause?: unknown): TFRecordError {
  const expected = "TensorFlow Metadata's Schema, features.json of TensorFlow Datasets, or a spec as JSON";
  return new TFRecordError('TFR_DECODE', `${file} is not a schema: ${reason}. Expected ${expected}.`, {
    file,
    expected,
    cause,
  });
}
