/** The name of the class of what was taken apart. */
export const TAKEN_APART = 'tfrecord-native:class';

/** How instances of the package's classes go from thread to thread: cloned, they would be no instances. */
export interface ClassForms {
  /** What `value` is made of, with {@link TAKEN_APART}; of a parsed row its features. Undefined for anything else. */
  takeApart(value: object): object | undefined;
  /** Makes instances again of all that was taken apart, in place. */
  revive(values: unknown[]): void;
}

const NAMES: ReadonlySet<unknown> = new Set([
  'BytesArray',
  'DenseTensor',
  'RaggedTensor',
  'RecordBatch',
  'Row',
  'SparseTensor',
]);

/** The forms that `load` gives, loaded when there is an instance of such a class. */
export function formsWhenNeeded(load: () => ClassForms): ClassForms {
  return {
    takeApart(value) {
      const { constructor } = value as { constructor?: { name?: unknown } | undefined };
      return NAMES.has(constructor?.name) ? load().takeApart(value) : undefined;
    },
    revive: (values) => load().revive(values),
  };
}
