import { basename } from 'node:path';
import { types } from 'node:util';

import {
  invalidArgType,
  invalidArgValue,
  isObject,
  isUrl,
  advice,
  named,
  setting,
  worded,
  type Text,
} from '../../base';
import { planFromText, specFromJSON, specToJSON } from '../../example';
import type { MessageLines } from '../../messages';
import type { WriteTarget } from '../../io';
import type { FoundInput, InputOption, OutputFormat, ReadSettings, RowSpec, WriteSettings } from '../format';
import {
  compressionOf,
  formatOf,
  outputFormat as outputFormatOf,
  unknownExtension,
  type OutputFormatName,
  type InputFormatName,
} from '../formats';
import { bytesOf, type InputFile, type Inputs } from '../input/inputs';
import type { ConvertPlan, ConvertProgress } from '../options';
import { Split } from '../transform/split';
import { FeatureChoice } from '../transform/feature-choice';
import type { JobFaults } from './faults';
import { JobNotes } from './notes';
import { shardsOf } from './parts';

/** One call of `convert`: its checked options, its inputs, and the settings of reading and writing. */
export interface Job {
  readonly plan: ConvertPlan;
  readonly faults: JobFaults;
  /** The inputs of this part, in their format. */
  readonly source: FoundInput;
  /** The same inputs as files and streams. */
  readonly inputs: Inputs;
  /** The inputs of all parts. */
  readonly allFiles: readonly InputFile[];
  /** Start of the call: a time of `performance.now()`. */
  readonly begun: number;
  readonly from: InputFormatName;
  readonly to: OutputFormatName;
  readonly outputFormat: OutputFormat;
  readonly reading: ReadSettings;
  readonly writing: Omit<WriteSettings, 'table' | 'sums' | 'huggingFace'>;
  readonly split: Split | undefined;
  /** Number of outputs, for each side. */
  readonly shards: number;
}

/** The members of a job that are known before its output is examined. */
type JobStart = Pick<Job, 'plan' | 'faults' | 'source' | 'allFiles' | 'begun' | 'from'>;

/** Checks that inputs, output and options go together. @throws TypeError; TFRecordError TFR_SPEC */
export function checkJob(given: JobStart, target: WriteTarget, digits: ReadSettings['digits']): Job {
  const { plan, faults, source } = given;
  checkPictureOptions(plan, source);
  const name = typeof target === 'string' ? target : isUrl(target) ? target.pathname : '';
  const to = formatOf('to', plan.to, [name]);
  if (plan.partitionBy !== undefined && to !== 'tfrecord') {
    const why = `absent for ${to}: only TFRecord files are written in folders (tfrecord sql writes Parquet and CSV so, by COPY … (PARTITION_BY …))`;
    throw invalidArgValue('options.partitionBy', why, plan.partitionBy);
  }
  const compression = compressionOf(plan.compression, name, to);
  if (plan.level !== undefined && compression === 'none') {
    throw invalidArgValue(
      'options.level',
      worded`absent, because nothing is compressed: name the output out.gz, or give ${named('compression', 'options.compression')}`,
      plan.level,
    );
  }
  const choice = new FeatureChoice(plan.features, plan.exclude, plan.where);
  const outputFormat = outputFormatOf(to);
  const caller = rowSpecOf(plan.spec);
  const { noSpec } = source;
  const usesSpec = noSpec === undefined || outputFormat.uses.includes('spec') || plan.where !== undefined;
  if (caller !== undefined && !usesSpec) throw invalidArgValue('options.spec', `absent, because ${noSpec}`, plan.spec);
  const spec = caller ?? ownSpec(source, outputFormat.takesTable === true ? undefined : choice);
  if (outputFormat.takesTable === true && spec === undefined && plan.part !== undefined) {
    const why = `given, because all parts must have the same columns: \`tfrecord schema --as spec\` prints one`;
    throw invalidArgValue('options.spec', why, undefined);
  }
  if (plan.message !== undefined) checkMessageFormats(given.from, to, plan.message);
  checkFormatOptions(plan, source, outputFormat);
  checkHuggingFaceParts(plan);
  // The option delimiter belongs to the input, if that has rows; else to the output.
  const readsRows = source.uses.includes('delimiter');
  const { maxRecordBytes, verify, round: rounds, signal, level, shards = 1, part, dates, delimiter } = plan;
  const notes = notesOn(name, plan.to, to);
  for (const note of source.inputs.notes ?? []) notes.add(note);
  const csv = { delimiter: readsRows ? delimiter : undefined, na: plan.na ?? [], exact: plan.exact };
  return {
    ...given,
    inputs: source.inputs,
    to,
    outputFormat,
    reading: {
      policy: faults.policy,
      ...{ maxRecordBytes, verify, signal, faults, spec, rounds, choice, dates, csv, digits, message: plan.message },
      notes,
    },
    writing: {
      compression,
      level,
      spec,
      message: plan.message,
      index: plan.index,
      labelMap: plan.labelMap,
      notes,
      signal,
      faults,
      delimiter: readsRows ? undefined : delimiter,
    },
    split: plan.split === undefined ? undefined : new Split(plan.split, plan.splitBy),
    shards: part === undefined ? shards : shardsOf(shards, part),
  };
}

/**
 * The notes of a job whose output is called `name` and has the format `to`. `given`: the caller's choice of the format.
 */
function notesOn(name: string, given: unknown, to: OutputFormatName): JobNotes {
  const notes = new JobNotes();
  const extension = given === undefined && to === 'tfrecord' ? unknownExtension(name) : undefined;
  if (extension !== undefined) {
    const cure = advice`: an option (${named('to')}) chooses one`;
    notes.add(worded`${basename(name)} is a TFRecord file, because ${extension} names no other format${cure}`);
  }
  return notes;
}

const JSON_LINES: readonly string[] = ['jsonl', 'protojson'];

/** @throws TypeError unless messages of any type can be converted from `from` to `to` */
function checkMessageFormats(from: string, to: string, message: MessageLines): void {
  const isKnown = [from, to].every((format) => format === 'tfrecord' || JSON_LINES.includes(format));
  if (isKnown && (JSON_LINES.includes(from) || JSON_LINES.includes(to))) return;
  const why = isKnown ? 'absent, because records are copied' : 'absent: it is for TFRecords and JSON Lines';
  throw invalidArgValue('options.message', why, message.name);
}

/** @throws TypeError for options of pictures, if the inputs are not pictures */
function checkPictureOptions({ labels, classes }: ConvertPlan, { uses }: FoundInput): void {
  const why = 'absent, because the input is not a folder of pictures';
  if (labels !== undefined && !uses.includes('labels')) throw invalidArgValue('options.labels', why, labels);
  if (classes !== undefined && !uses.includes('classes')) throw invalidArgValue('options.classes', why, classes);
}

/** Checks the options of single formats. @throws TypeError for an option that applies neither to input nor output */
function checkFormatOptions(plan: ConvertPlan, { uses }: FoundInput, output: OutputFormat): void {
  const { maxBytes, index, dates, exact, na, delimiter, verify, labelMap, tfdsSplit, steps, classNames, huggingface } =
    plan;
  const refuse = (name: InputOption, isGiven: boolean, why: Text, value: unknown): void => {
    if (isGiven && !uses.includes(name)) throw invalidArgValue(`options.${name}`, why, value);
  };
  if (maxBytes !== undefined && !(uses.includes('maxBytes') && output.uses.includes('maxBytes'))) {
    throw invalidArgValue('options.maxBytes', 'absent: it is for TFRecord to TFRecord only', maxBytes);
  }
  if (index && !output.uses.includes('index')) {
    throw invalidArgValue('options.index', 'absent: only TFRecord files have an index', index);
  }
  if (huggingface !== undefined && !output.uses.includes('huggingface')) {
    throw invalidArgValue('options.huggingface', 'absent: it is for Parquet and Arrow', huggingface);
  }
  refuse('dates', dates !== undefined, 'absent, because only Parquet and Arrow have dates', dates);
  const why = `absent: it is for CSV and TSV${uses.includes('labels') ? ', as files of labels' : ' as inputs'}`;
  refuse('exact', exact, why, exact);
  refuse('na', na !== undefined, why, na);
  if (!output.uses.includes('delimiter')) {
    refuse('delimiter', delimiter !== undefined, `${why}, or for CSV as the output`, delimiter);
  }
  refuse('verify', verify !== 'all', 'absent: only TFRecords have checksums', verify);
  if (!output.uses.includes('labelMap')) {
    const ofBoxes = 'absent: it is for data sets of object detection, as coco, yolo and voc';
    refuse('labelMap', labelMap !== undefined, ofBoxes, labelMap);
  }
  const ofTfds = worded`absent: it is for folders of TensorFlow Datasets, which ${setting('from', 'tfds')} reads`;
  refuse('tfdsSplit', tfdsSplit !== undefined, ofTfds, tfdsSplit);
  refuse('steps', steps, ofTfds, steps);
  refuse('classNames', classNames, ofTfds, classNames);
}

/** @throws TypeError if parts of a job would find pictures in records of their own */
function checkHuggingFaceParts({ huggingface, part }: ConvertPlan): void {
  if (part === undefined || huggingface === undefined || huggingface.images !== undefined) return;
  const why = 'given, because all parts must have the same features: an empty list means none';
  throw invalidArgValue('options.huggingface.images', why, undefined);
}

function jsonOf(spec: object): string {
  try {
    return JSON.stringify(spec);
  } catch {
    // A BigInt, or a circle.
    throw invalidArgType('options.spec', 'a spec, or its JSON', spec);
  }
}

/** The spec that `source` has, without the features that `choice` leaves out. */
function ownSpec({ spec }: FoundInput, choice: FeatureChoice | undefined): RowSpec | undefined {
  const all = rowSpecOf(spec && specToJSON(spec));
  if (all === undefined || choice === undefined || choice.keepsAll) return all;
  const { features, keys } = all.plan;
  const kept = features.filter(({ columns }) => columns.every((column) => choice.keeps(keys[column]!)));
  const json = all.json as Readonly<Record<string, unknown>>;
  // Without a feature, there is no spec: the records have what the choice leaves.
  return kept.length === 0 ? undefined : rowSpecOf(Object.fromEntries(kept.map(({ name }) => [name, json[name]])));
}

/** Parses `spec`, a spec or its JSON. @throws TypeError; TFRecordError TFR_SPEC */
function rowSpecOf(spec: unknown): RowSpec | undefined {
  if (spec === undefined) return undefined;
  if (!isObject(spec) || Array.isArray(spec)) throw invalidArgType('options.spec', 'a spec', spec);
  const text = jsonOf(spec);
  const plan = planFromText(text);
  const json: unknown = JSON.parse(text);
  return { plan, features: plan.sequenceExample ? undefined : specFromJSON(json), json };
}

/**
 * Returns a function that reports the progress of `phase` to the caller's `onProgress`. It throws what that throws, or
 * the reason with which a promise that it returned was rejected.
 */
export function progressOf(
  { plan: { onProgress }, inputs }: Job,
  phase: ConvertProgress['phase'],
): (bytes: number, records?: number) => void {
  if (onProgress === undefined) return () => undefined;
  const sizes = inputs.files.map(({ bytes }) => bytes);
  const totalBytes = sizes.includes(undefined) ? undefined : bytesOf(inputs);
  let failure: { readonly reason: unknown } | undefined;
  return (bytes, records = 0) => {
    if (failure !== undefined) throw failure.reason;
    const result = onProgress({ phase, bytes, totalBytes, records });
    // Without a handler, its rejection would end the process. The next report throws it.
    if (types.isPromise(result)) {
      result.catch((reason: unknown) => {
        failure ??= { reason };
      });
    }
  };
}
