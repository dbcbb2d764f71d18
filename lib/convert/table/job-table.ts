/**
 * Finds the columns of a job's records: from the caller's spec, from the input itself, or by a survey of all records.
 */
import {
  newTable,
  surveyBatches,
  surveyedKind,
  tableOfPlan,
  tableOfSurvey,
  type Survey,
  type Table,
} from '../../table';
import type { RecordBatch } from '../../record';
import type { FoundInput, PreparedInput, ReadSettings } from '../format';
import { silently } from '../input/framed-input';
import { JobFaults } from '../job/faults';
import type { FeatureChoice } from '../transform/feature-choice';

/** The tables of the records that a job reads. */
export interface JobColumns {
  /** The table to write, of the features to keep. @throws TFRecordError if these cannot be written */
  output(): Table;
  /** A table of all features that a condition can refer to. */
  condition(): Table;
  /** The names of all features; undefined if a spec lists those to read. */
  readonly names: ReadonlySet<string> | undefined;
}

/** The arguments of {@link findColumns}. */
export interface ColumnsRequest {
  readonly source: FoundInput;
  readonly prepared: PreparedInput;
  readonly settings: ReadSettings;
  /** Called with the stored bytes that were surveyed so far. */
  readonly progress: (bytes: number) => void;
}

/** Finds the columns. Surveys all records if neither a spec nor the input defines them. */
export async function findColumns(request: ColumnsRequest): Promise<JobColumns> {
  const { prepared, settings } = request;
  const { spec, choice } = settings;
  const table = spec === undefined ? prepared.table : tableOfPlan(spec.plan);
  if (table !== undefined) {
    const names = new Set(table.columns.map(({ key }) => key));
    return {
      output: () => narrowed(table, choice),
      condition: () => table,
      names: spec === undefined ? names : undefined,
    };
  }
  const survey = await surveyed(request);
  const names = new Set(survey.features.map(({ name }) => name));
  return {
    output: () => {
      choice.checkAmong(names);
      return tableOfSurvey(survey, new Set([...names].filter((name) => choice.keeps(name))));
    },
    condition: () => tableOfSurvey(survey, new Set(ofOneKind(survey))),
    names,
  };
}

async function surveyed({ source, prepared, settings, progress }: ColumnsRequest): Promise<Survey> {
  // Damage that the caller accepts is reported later, when the records are written.
  const faults = new JobFaults(silently(settings.policy));
  const { policy } = faults;
  const silent = { ...settings, policy, faults };
  if (source.survey !== undefined) return source.survey(silent, progress);
  const reader = prepared.open(0, 0, silent);
  const next = async (): Promise<RecordBatch | undefined> => {
    const portion = await reader.next();
    progress(reader.bytes);
    return portion?.batch;
  };
  try {
    return await surveyBatches(next, policy);
  } finally {
    await reader.close();
  }
}

/** The names of the features that have one kind. */
function ofOneKind({ features }: Survey): string[] {
  const mixed = new Set(features.filter(({ kinds }) => surveyedKind(kinds) === 'mixed').map(({ name }) => name));
  return features.map(({ name }) => name).filter((name) => !mixed.has(name));
}

/** The columns of `table` that `choice` keeps. @throws TFRecordError TFR_FEATURE for an unknown name */
function narrowed(table: Table, choice: FeatureChoice): Table {
  if (choice.keepsAll) return table;
  choice.checkAmong(new Set(table.columns.map(({ key }) => key)));
  return newTable(
    table.columns.filter(({ key }) => choice.keeps(key)),
    table.sequenceExample,
  );
}
