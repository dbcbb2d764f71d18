/** Member that names the class of an object that was taken apart. */
export const TAKEN_APART = 'tfrecord-native:class';

/** Sends instances of the package's classes from thread to thread: cloned, they would be no instances. */
export interface ClassForms {
  /** The parts of `value`, marked with {@link TAKEN_APART}. Undefined if `value` is not of one of our classes. */
  takeApart(value: object): object | undefined;
  /** True if `value`, which is not plain, is a parsed row. */
  isRow(value: object): boolean;
  /** Turns copies of rows into rows again. */
  asRows(copies: readonly object[]): void;
  /** Makes instances again of all that was taken apart, in place. */
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

/** The forms that `load` gives, loaded when there is an instance of such a class. */
export function formsWhenNeeded(load: () => ClassForms): ClassForms {
  return {
    takeApart: (value) => (NAMES.has(className(value)) ? load().takeApart(value) : undefined),
    // Rows say that they are plain objects.
    isRow: (value) => className(value) === 'Object' && load().isRow(value),
    asRows: (copies) => load().asRows(copies),
    revive: (values) => load().revive(values),
  };
}

/** A row may have a feature named `constructor`. */
function className(value: object): unknown {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: unknown } | undefined } | null;
  return prototype?.constructor?.name;
}
