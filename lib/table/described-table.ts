/** Stores the columns of tables as text in the metadata of files, so that converting back needs no spec. */
import { isInteger, isObject, TFRecordError, isOneOf } from '../base';
import { DTYPES } from '../tensor';
import type { Table, TableColumn } from './table';

/** Key of the metadata. */
export const COLUMNS_KEY = 'tfrecord.columns';

const SECTIONS = ['context', 'sequence'] as const;

/** A table without a plan. */
export interface DescribedTable extends Pick<Table, 'sequenceExample'> {
  readonly columns: readonly TableColumn[];
}

/** The JSON that describes `table`. */
export function columnsText({ columns, sequenceExample }: Table): string {
  const described = columns.map(({ name, key, section, dtype, shape, nullable }) => ({
    ...{ name, key, section: SECTIONS[section], dtype, shape, nullable },
  }));
  return JSON.stringify({ sequenceExample, columns: described });
}

/** Parses the text of {@link columnsText}. @throws TFRecordError TFR_SPEC for other text */
export function describedTable(text: string): DescribedTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw wrong(cause);
  }
  const { sequenceExample, columns } = isObject(json) ? json : {};
  if (typeof sequenceExample !== 'boolean' || !Array.isArray(columns)) throw wrong();
  return { sequenceExample, columns: columns.map(columnOf) };
}

function columnOf(value: unknown): TableColumn {
  const { name, key, section, dtype, shape, nullable } = isObject(value) ? value : {};
  const isShape =
    shape === undefined || (Array.isArray(shape) && shape.every((size) => isInteger(size, 0, 2 ** 31 - 1)));
  const isRight =
    typeof name === 'string' &&
    typeof key === 'string' &&
    isOneOf(SECTIONS, section) &&
    isOneOf(DTYPES, dtype) &&
    isShape &&
    typeof nullable === 'boolean';
  if (!isRight) throw wrong();
  return {
    ...{ name, key, nullable },
    section: section === 'sequence' ? 1 : 0,
    dtype,
    shape: shape,
  };
}

function wrong(cause?: unknown): TFRecordError {
  return new TFRecordError(
    'TFR_SPEC',
    `The file's metadata "${COLUMNS_KEY}" does not describe columns: it was changed. Write the file without it.`,
    { expected: 'columns, as JSON', cause },
  );
}
