/** Name of the member that holds the class of an object that was converted to plain parts. */
export const TAKEN_APART = 'tfrecord-native:class';

/**
 * Converts instances of the package's classes to plain parts and back, because structured cloning would lose their
 * class.
 */
export interface ClassForms {
  /**
   * Returns the parts of `value`, marked with {@link TAKEN_APART}; undefined if `value` is not an instance of our
   * classes.
   */
  takeApart(value: object): object | undefined;
  /** True if `value`, which is not plain, is a parsed row. */
  isRow(value: object): boolean;
  /** Makes the copies of rows rows again, in place. */
  asRows(copies: readonly object[]): void;
  /** Replaces all marked parts in `values` by instances, in place. */
  revive(values: unknown[]): void;
}

const NAMES: ReadonlySet<unknown> = new Set([
  'BytesArray',
  'DenseTensor',
  'NullableColumn',
  'RaggedTensor',
  'RecordBatch',
  'SparseTensor',
]);

/** Returns forms that call `load` at the first instance of a class. */
export function formsWhenNeeded(load: () => ClassForms): ClassForms {
  return {
    takeApart: (value) => (NAMES.has(className(value)) ? load().takeApart(value) : undefined),
    // The constructor of a row is `Object`.
    isRow: (value) => className(value) === 'Object' && load().isRow(value),
    asRows: (copies) => load().asRows(copies),
    revive: (values) => load().revive(values),
  };
}

/** Returns the name of the class of `value`. A row may have a feature named `constructor`. */
function className(value: object): unknown {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: unknown } | undefined } | null;
  return prototype?.constructor?.name;
}
