/** Checks parts of the records against a schema, saves what was found to files, and adds it up. */
import { isInteger } from '../../base';
import type { ClassifiedSource } from '../../io';
import type { ReadPlan, ReadStats } from '../../record';
import { surveyRecords, type Survey } from '../../table';
import { messageOf } from '../message/from-features';
import { SchemaProto } from '../message/metadata';
import { MergedSurvey } from '../parts/merged-survey';
import type { PartRule } from '../parts/part-entry';
import { readPart, writePart } from '../parts/part-file';
import { surveyOf } from '../parts/survey-state';
import { invalidPart } from '../parts/values-state';
import type { Schema } from '../schema';
import type { Anomaly } from './anomaly';
import type { RuleState } from './rule';
import type { FoundByRule } from './search';
import { anomaliesOf, checkEnvironment, checkingOf, type Checking } from './validate';

/** The settings that all parts of a validation share. */
export interface PartValidation {
  /** The schema, as the text of TensorFlow Metadata's `Schema`. */
  readonly schema: string;
  /** True if a file had it in this form, so that its own faults are anomalies, too. */
  readonly isRead: boolean;
  readonly environment: string | undefined;
  readonly wanted: ReadonlySet<string> | undefined;
}

/** The members of {@link PartValidation} for `schema`. @throws TypeError for an environment that it does not have */
export function partValidation(
  schema: Schema,
  environment: string | undefined,
  wanted: ReadonlySet<string> | undefined,
): PartValidation {
  const message = SchemaProto.decode(SchemaProto.encode(schema.message ?? messageOf(schema.features)));
  checkEnvironment(message, environment);
  return { schema: schema.toPbtxt(), isRead: schema.message !== undefined, environment, wanted };
}

function checkingFor({ schema, isRead, environment, wanted }: PartValidation): Checking {
  return checkingOf(SchemaProto.fromText(schema), isRead, wanted, environment);
}

/** Checks the records of `source`, and writes what was found to the file `path`, for {@link mergeValidations}. */
export async function writeValidationPart(
  path: string,
  source: ClassifiedSource,
  plan: ReadPlan,
  validation: PartValidation,
  onProgress: ((progress: ReadStats) => void) | undefined,
): Promise<Survey> {
  const { search } = checkingFor(validation);
  const survey = await surveyRecords(source, plan, { onProgress, onRecords: search.onRecords });
  await writePart(path, survey, {
    last: async (write) => {
      for (const { path: names, records, state } of search.found) {
        const values = Buffer.from(JSON.stringify(state?.values ?? []));
        await write({
          rule: { path: names, records, hasState: state !== undefined, count: state?.count ?? 0, values },
        });
      }
    },
    signal: plan.signal,
  });
  return survey;
}

/**
 * The anomalies of all parts together: `paths` are the files of the parts, in order; `files`, the
 * names of the files that they have read.
 * @throws TFRecordError TFR_FEATURE if neither schema nor data have a wanted feature; TFR_STATE_MISMATCH for a file that is not
 *   one of a part
 */
export async function mergeValidations(
  paths: readonly string[],
  files: readonly string[],
  validation: PartValidation,
  signal: AbortSignal | undefined,
): Promise<readonly Anomaly[]> {
  const merged = new MergedSurvey();
  const checking = checkingFor(validation);
  for (const path of paths) {
    const found: FoundByRule[] = [];
    await readPart(
      path,
      ({ totals, feature, rule }) => {
        if (totals !== undefined) merged.addTotals(totals);
        else if (feature !== undefined) merged.add(surveyOf(feature));
        else if (rule !== undefined) found.push(foundOf(rule, path));
        else throw invalidPart(path);
      },
      signal,
    );
    if (!checking.search.add(found, merged)) throw invalidPart(path);
  }
  return anomaliesOf(checking, merged.survey(files));
}

function foundOf({ path, records, hasState, count, values }: PartRule, file: string): FoundByRule {
  return { path, records, state: hasState ? { count, values: valuesOf(values, file) } : undefined };
}

function valuesOf(json: Uint8Array, file: string): RuleState['values'] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(json).toString());
  } catch {
    throw invalidPart(file);
  }
  const isPair = (each: unknown): boolean =>
    Array.isArray(each) && each.length === 2 && typeof each[0] === 'string' && isInteger(each[1], 1);
  if (!Array.isArray(values) || !values.every(isPair)) throw invalidPart(file);
  return values as RuleState['values'];
}
