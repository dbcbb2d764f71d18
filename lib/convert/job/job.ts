import { basename } from 'node:path';
import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { planFromText, specFromJSON } from '../../example';
import { isObject, isUrl, type WriteTarget } from '../../record';
import type { InputFormat, OutputFormat, ReadSettings, RowSpec, WriteSettings } from '../format';
import {
  compressionOf,
  formatOf,
  INPUT_FORMATS,
  OUTPUT_FORMATS,
  unknownExtension,
  type ConvertFormat,
  type InputFormatName,
} from '../formats';
import { labelFormatOf } from '../images/label-lines';
import type { InputFile, Inputs } from '../input/inputs';
import type { ConvertPlan, ConvertProgress } from '../options';
import { Split } from '../transform/split';
import { FeatureChoice } from '../transform/feature-choice';
import type { JobFaults } from './faults';
import { JobNotes } from './notes';
import { shardsOf } from './parts';

/** One call of `convert`: its checked options, its inputs, and what reading and writing need. */
export interface Job {
  readonly plan: ConvertPlan;
  readonly faults: JobFaults;
  /** The inputs of this part. */
  readonly inputs: Inputs;
  /** The inputs of all parts. */
  readonly allFiles: readonly InputFile[];
  /** When the call began: a time of `performance.now()`. */
  readonly begun: number;
  readonly from: InputFormatName;
  readonly to: ConvertFormat;
  readonly inputFormat: InputFormat;
  readonly outputFormat: OutputFormat;
  readonly reading: ReadSettings;
  readonly writing: Omit<WriteSettings, 'table'>;
  readonly split: Split | undefined;
  /** Number of outputs, for each side. */
  readonly shards: number;
}

/** The members of a job that are known before its output is looked at. */
type Given = Pick<Job, 'plan' | 'faults' | 'inputs' | 'allFiles' | 'begun' | 'from'>;

/** Checks that inputs, output and options fit together. @throws TypeError; TFRecordError TFR_SPEC */
export function checkJob(given: Given, target: WriteTarget, digits: ReadSettings['digits']): Job {
  const { plan, faults, inputs, from } = given;
  const name = typeof target === 'string' ? target : isUrl(target) ? target.pathname : '';
  const to = formatOf('to', plan.to, [name]);
  const compression = compressionOf(plan.compression, name, to);
  if (plan.level !== undefined && compression === 'none') {
    throw invalidArgValue(
      'options.level',
      'absent, because nothing is compressed: name the output out.gz, or give options.compression',
      plan.level,
    );
  }
  const spec = rowSpecOf(plan.spec);
  const [inputFormat, outputFormat] = [INPUT_FORMATS[from], OUTPUT_FORMATS[to]];
  const usesSpec = inputFormat.takesSpec || outputFormat.takesSpec || plan.where !== undefined;
  if (spec !== undefined && !usesSpec && plan.labels === undefined) {
    throw invalidArgValue('options.spec', `absent, because ${NO_SPEC[from] ?? NO_SPEC.tfrecord}`, plan.spec);
  }
  if (inputFormat.filesOnly === true && inputs.paths.length < inputs.files.length) {
    throw invalidArgValue('input', `files, because ${from} cannot be read from a stream`, inputs.files.at(-1)?.file);
  }
  if (outputFormat.takesTable === true && spec === undefined && plan.part !== undefined) {
    const why = `given, because all parts must have the same columns: \`tfrecord schema --as spec\` prints one`;
    throw invalidArgValue('options.spec', why, undefined);
  }
  if (plan.maxBytes !== undefined && !(from === 'tfrecord' && outputFormat.keepsSize)) {
    throw invalidArgValue('options.maxBytes', 'absent: it is for TFRecord to TFRecord only', plan.maxBytes);
  }
  const rows = rowFormatOf(from, plan.labels);
  checkColumnOptions(plan, from, to, rows);
  if (plan.verify !== 'all' && from !== 'tfrecord') {
    throw invalidArgValue('options.verify', 'absent: only TFRecords have checksums', plan.verify);
  }
  const { maxRecordBytes, verify, round: rounds, signal, level, shards = 1, part, dates, delimiter } = plan;
  const choice = new FeatureChoice(plan.features, plan.exclude, plan.where);
  const csv = { delimiter: rows === undefined ? undefined : delimiter, na: plan.na ?? [], exact: plan.exact };
  return {
    ...given,
    to,
    inputFormat,
    outputFormat,
    reading: {
      policy: faults.policy,
      ...{ maxRecordBytes, verify, signal, faults, spec, rounds, choice, dates, csv, digits },
      notes: notesOn(name, plan.to, to),
    },
    writing: {
      compression,
      level,
      verified: verify === 'all',
      spec,
      signal,
      faults,
      delimiter: rows === undefined ? delimiter : undefined,
    },
    split: plan.split === undefined ? undefined : new Split(plan.split, plan.splitBy),
    shards: part === undefined ? shards : shardsOf(shards, part),
  };
}

/** The reasons why a spec has no meaning where TFRecords are written. */
const NO_SPEC: Partial<Record<InputFormatName, string>> & { readonly tfrecord: string } = {
  tfrecord: 'records are copied; features keeps some of their features, exclude all but some',
  protojson: 'its lines say the kind of each feature; features keeps some of them, exclude all but some',
  images: 'pictures have features of their own; with labels it sets the types of those',
};

/** The notes of a job whose output is called `name`. `given`: the caller's choice of the format, which is `to`. */
function notesOn(name: string, given: unknown, to: ConvertFormat): JobNotes {
  const notes = new JobNotes();
  const extension = given === undefined && to === 'tfrecord' ? unknownExtension(name) : undefined;
  if (extension !== undefined) {
    notes.add(
      `${basename(name)} is a TFRecord file, because ${extension} names no other format: an option (to) chooses one`,
    );
  }
  return notes;
}

/** Checks the options that only some formats have. @throws TypeError for one that the formats of a job have no use for */
function checkColumnOptions(
  { dates, exact, na, delimiter }: ConvertPlan,
  from: InputFormatName,
  to: string,
  rows: 'csv' | 'tsv' | undefined,
): void {
  const isText = rows !== undefined;
  if (dates !== undefined && !['parquet', 'arrow', 'arrows'].includes(from)) {
    throw invalidArgValue('options.dates', 'absent, because only Parquet and Arrow have dates', dates);
  }
  const why = `absent: it is for CSV and TSV${from === 'images' ? ', as files of labels' : ' as inputs'}`;
  if (exact && !isText) throw invalidArgValue('options.exact', why, exact);
  if (na !== undefined && !isText) throw invalidArgValue('options.na', why, na);
  if (delimiter !== undefined && !isText && to !== 'csv') {
    throw invalidArgValue('options.delimiter', `${why}, or for CSV as the output`, delimiter);
  }
}

/** The format of the rows of CSV that a job reads: as its input, or as labels of pictures. */
function rowFormatOf(from: InputFormatName, labels: string | undefined): 'csv' | 'tsv' | undefined {
  const format = labels === undefined ? from : labelFormatOf(labels);
  return format === 'csv' || format === 'tsv' ? format : undefined;
}

/** The spec that `spec`, or its JSON, means. @throws TypeError; TFRecordError TFR_SPEC */
function rowSpecOf(spec: unknown): RowSpec | undefined {
  if (spec === undefined) return undefined;
  if (!isObject(spec) || Array.isArray(spec)) throw invalidArgType('options.spec', 'a spec', spec);
  const text = JSON.stringify(spec);
  const plan = planFromText(text);
  const json: unknown = JSON.parse(text);
  return { plan, features: plan.sequenceExample ? undefined : specFromJSON(json), json };
}

/**
 * Returns the function that reports how far `phase` of a job is, to the caller's `onProgress`. It throws what that
 * throws, or what a promise of it was rejected with.
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
    // One that nobody waits for would end the process.
    if (types.isPromise(result)) {
      result.catch((reason: unknown) => {
        failure ??= { reason };
      });
    }
  };
}

/** Size of the files among `inputs`, as stored. */
export function bytesOf({ files }: Inputs): number {
  return files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
