/** The columns of tensors of TensorFlow Datasets: one for each stored feature. */
import { newTable, type FeatureColumn, type Table, type TableColumn } from '../../table';
import { sizeOf } from '../../tensor';
import type { TfdsTensor } from './features-json';
import { formOf, type TensorForm } from './layout';

/** A tensor, and its columns in a table. */
export interface TensorColumns {
  readonly tensor: TfdsTensor;
  readonly form: TensorForm;
  /** Index of the column of its values. Those of lengths follow. */
  readonly at: number;
}

/** The table of `tensors`. Its texts are bytes, because whoever reads the result checks them. */
export class TensorTable {
  readonly tensors: readonly TensorColumns[];
  readonly table: Table;

  /** @throws TFRecordError TFR_SPEC for sizes that TensorFlow Datasets cannot store */
  constructor(tensors: readonly TfdsTensor[]) {
    const columns: FeatureColumn[] = [];
    this.tensors = tensors.map((tensor) => {
      const form = formOf(tensor);
      const at = columns.length;
      columns.push(...columnsOf(tensor, form));
      return { tensor, form, at };
    });
    this.table = newTable(columns, false);
  }
}

function columnsOf({ name, dtype, optional }: TfdsTensor, form: TensorForm): FeatureColumn[] {
  const stored = dtype === 'text' ? 'bytes' : dtype;
  const list = { section: 0, shape: undefined, nullable: true } as const;
  switch (form.form) {
    case 'fixed':
      return [{ key: name, section: 0, dtype: stored, shape: form.shape, nullable: optional === true }];
    case 'steps':
      return [{ ...list, key: name, dtype: stored }];
    case 'ragged':
      return [
        { ...list, key: form.values, dtype: stored },
        ...form.lengths.map((key): FeatureColumn => ({ ...list, key, dtype: 'int64' })),
      ];
  }
}

/** Number of values of each row; 0 for lists of any length. */
export function countOf({ shape }: TableColumn): number {
  return shape === undefined ? 0 : sizeOf(shape);
}

/** A row that contradicts `features.json`. */
export interface RowFault {
  readonly row: number;
  readonly feature: string;
  readonly expected: string;
  readonly found: string;
}

/** The one of two faults that is in the earlier row. */
export function earlier(a: RowFault | undefined, b: RowFault | undefined): RowFault | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.row < a.row ? b : a;
}
