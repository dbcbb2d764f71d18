/** Rules for reading the columns of other programs' files as the columns of a table. */
import { counted, TFRecordError, advice, named, setting, worded, type Message, type Text } from '../base';
import { rowOf, type Plan } from '../example';
import { isSet, sizeOf } from '../tensor';
import type { TableColumn } from './table';
import type { Vector } from './vectors';

/** Selects the features of a file. */
export interface ColumnChoice {
  /** True for features that must be read. */
  keeps(feature: string): boolean;
  /** True for a struct whose fields are all left out. */
  drops(column: string): boolean;
  /** True for a feature that is not kept, but read if possible, because a condition may use it. */
  readsForCondition(feature: string): boolean;
}

/**
 * Returns how the column of feature `key` in `structs` is used: `kept`; `read` for a condition, if possible; undefined:
 * ignored.
 */
export function useOf(
  choice: ColumnChoice | undefined,
  key: string,
  structs: readonly string[],
): 'kept' | 'read' | undefined {
  if (choice === undefined) return 'kept';
  if (structs.every((struct) => !choice.drops(struct)) && choice.keeps(key)) return 'kept';
  return choice.readsForCondition(key) ? 'read' : undefined;
}

/** Rules for reading columns. */
export interface ColumnReading {
  /** Default: all features. */
  readonly choice?: ColumnChoice | undefined;
  /**
   * If given, only its features are read, with its types. Default: all features, with the types of the file and its
   * metadata.
   */
  readonly plan?: Plan | undefined;
  /** The form of dates and times. Default: that of the plan; without one they are refused. */
  readonly dates?: 'int64' | 'text' | undefined;
  /** Called with notes about columns whose values are converted to another form. */
  readonly note?: ((text: Text) => void) | undefined;
}

/** The error for a file that lacks something that a spec requires. Choosing other columns would not help. */
export class SpecFault extends TFRecordError {}

/** Advice for a column that no feature can hold. */
export const COLUMN_ADVICE = advice`Name the features to keep (${named('features')}), or to leave out (${named('exclude')})`;

/** The note about dates that became numbers. */
export function datesNote(feature: string, form: 'date' | 'timestamp' | 'time', isUTC: boolean): Message {
  const from = form === 'time' ? 'midnight' : `1970-01-01T00:00${isUTC ? ' UTC' : ''}`;
  return worded`Feature ${JSON.stringify(feature)} is int64: microseconds since ${from}.${advice` ${setting('dates', 'text')} makes ISO 8601 of it`}`;
}

/** A value that does not match its column in a spec. */
export interface Misfit {
  readonly row: number;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;
}

/** The first value in `values` that does not match `wanted`, a column of a spec; undefined if all match. */
export function misfitOf(
  wanted: TableColumn,
  {
    rows,
    validity,
    nulls,
    steps,
    splits,
  }: Pick<Vector, 'rows' | 'validity' | 'nulls'> & {
    readonly steps: Int32Array | undefined;
    readonly splits: Int32Array | undefined;
  },
): Misfit | undefined {
  if (nulls > 0 && !wanted.nullable && wanted.fallback === undefined) {
    for (let row = 0; row < rows; row++) {
      if (!isSet(validity, row)) {
        return { row, expected: 'a value', found: 'null', advice: 'The spec requires the feature' };
      }
    }
  }
  if (wanted.shape === undefined || splits === undefined) return undefined;
  const count = sizeOf(wanted.shape);
  for (let i = 0; i + 1 < splits.length; i++) {
    const found = splits[i + 1]! - splits[i]!;
    if (found === count) continue;
    const row = steps === undefined ? i : rowOf(steps, i);
    if (isSet(validity, row))
      return { row, expected: counted(count, 'value'), found: String(found), advice: 'The spec requires it' };
  }
  return undefined;
}
