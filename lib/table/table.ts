/**
 * A table of records: a column for each stored feature, in the form of databases and columnar files. Unlike the
 * features of a spec, columns distinguish missing features from empty ones, so that records can be restored.
 */
import { TextEncoder } from 'node:util';

import { COLUMN_KINDS, specError, type Plan, type Section } from '../example';
import type { PlanColumn } from '../native';
import { sizeOf, storedDType, type DType, type Shape } from '../tensor';

/** A column of a table. */
export interface TableColumn {
  /**
   * Unique in the table: the feature's name; with the prefix `context.` or `sequence.`, if a feature and a feature list
   * have the same name.
   */
  readonly name: string;
  /** Name of the feature, or of the feature list. */
  readonly key: string;
  /** 0: features of an Example, or of the context. 1: feature lists, whose steps have the values. */
  readonly section: Section;
  readonly dtype: DType;
  /** Shape of the values of a record (or step): `[]` is a single value. Undefined: a list of any length. */
  readonly shape: Shape | undefined;
  /** True if a record may lack the feature; its value is then null. */
  readonly nullable: boolean;
  /**
   * For a column that is not nullable: the serialized Feature of records that lack it. Default: such a record is an
   * error.
   */
  readonly fallback?: Uint8Array | undefined;
}

/** The columns of a table, and the plan by which native code parses them. Immutable. */
export interface Table {
  readonly columns: readonly TableColumn[];
  /** True if the records are SequenceExamples. */
  readonly sequenceExample: boolean;
  /** Has a column for each of `columns`, in the same order, and no features to compose. */
  readonly plan: Plan;
}

/** A column without a name. */
export type FeatureColumn = Omit<TableColumn, 'name'>;

/** Makes the table of `columns`. @throws TFRecordError TFR_SPEC if two columns would have the same name */
export function newTable(columns: readonly FeatureColumn[], sequenceExample: boolean): Table {
  const names = columnNames(columns);
  const named = columns.map((column, i): TableColumn => ({ name: names[i]!, ...column }));
  const plan: Plan = {
    columns: named.map(planColumn),
    keys: named.map(({ key }) => key),
    features: [],
    sequence: [],
    sequenceExample,
  };
  return { columns: named, sequenceExample, plan };
}

/**
 * The names of columns: the names of their features; with the prefix `context.` or `sequence.`, if a feature and a
 * feature list have the same name. @throws TFRecordError TFR_SPEC if two columns would have the same name
 */
export function columnNames(columns: readonly Pick<TableColumn, 'key' | 'section'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { key } of columns) counts.set(key, (counts.get(key) ?? 0) + 1);
  const names = new Set<string>();
  for (const { key, section } of columns) {
    const name = counts.get(key) === 1 ? key : `${section === 0 ? 'context' : 'sequence'}.${key}`;
    if (names.has(name)) {
      throw specError(`two columns would be called ${JSON.stringify(name)}`, { feature: key, found: name });
    }
    names.add(name);
  }
  return [...names];
}

function planColumn({ key, section, dtype, shape, nullable, fallback }: TableColumn): PlanColumn {
  return {
    key: new TextEncoder().encode(key),
    section,
    kind: COLUMN_KINDS[storedDType(dtype)],
    count: shape === undefined ? -1 : sizeOf(shape),
    required: !nullable && fallback === undefined,
    fallback,
    optional: nullable,
  };
}

/**
 * The table of the stored features that the spec of `plan` reads; for features that consist of others (`sparse`,
 * `ragged`), of their parts. Features that the spec requires, or that have a default, are not nullable.
 */
export function tableOfPlan({ columns, keys, features, sequence, sequenceExample }: Plan): Table {
  const described = columns.map(({ section, kind, count, required, fallback }, i): FeatureColumn => {
    const reading = (section === 0 ? features : sequence).find(({ columns: own }) => own[0] === i)?.definition;
    const shape = count < 0 ? undefined : ((reading?.shown() as { shape?: Shape } | undefined)?.shape ?? [count]);
    const dtype = reading?.dtype ?? STORED[kind];
    return {
      key: keys[i]!,
      section,
      dtype,
      shape,
      // A feature with a fixed number of values needs a default to be missing.
      nullable: !required && fallback === undefined,
      fallback,
    };
  });
  return newTable(described, sequenceExample);
}

const STORED: Readonly<Record<PlanColumn['kind'], DType>> = { 1: 'bytes', 2: 'float32', 3: 'int64' };
