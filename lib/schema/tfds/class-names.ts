/** Replaces the numbers of classes by their names, which TensorFlow Datasets stores in `NAME.labels.txt`. */
import { basename, join } from 'node:path';

import { counted, firstIndex, TFRecordError } from '../../base';
import type { TableBatch, TableColumn, Vector } from '../../table';
import { clearBit, isSet, newBits, setBit } from '../../tensor';
import { countOf, earlier, type RowFault, type TensorColumns } from './columns';
import { tfdsError, type LabelSource, type TfdsTensor } from './features-json';
import { quotedText, readText } from './json-file';

/** Maximum length of a name, in bytes, so that a few bytes of labels do not become gigabytes of text. */
const MAX_NAME_BYTES = 1024;

/** Maximum size of the names in a batch. Only a record of many megabytes of labels reaches it. */
const MAX_TEXT_BYTES = 2 ** 30;

/** The number of examples without a class. */
const NO_CLASS = -1n;

/**
 * Reads the names of the classes of all `tensors` that have names, by the names of the tensors.
 * @throws TFRecordError TFR_SPEC for names that contradict `features.json`; Node's code if a file cannot be read
 */
export async function readClassNames(
  folder: string,
  tensors: readonly TfdsTensor[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { name, labels } of tensors) {
    const names = labels === undefined ? undefined : await namesOf(folder, name, labels);
    if (names !== undefined) found.set(name, names);
  }
  return found;
}

async function namesOf(
  folder: string,
  feature: string,
  { file, names: own, count }: LabelSource,
): Promise<readonly string[] | undefined> {
  const path = join(folder, file);
  if (own === undefined && (file !== basename(file) || file.includes('\0') || !file.isWellFormed())) {
    throw tfdsError(feature, 'a name that a file can have', quotedText(file));
  }
  const text = own === undefined ? await textOf(path) : undefined;
  // TensorFlow Datasets passes over empty lines.
  const names = own ?? text?.split('\n').flatMap((line) => line.trim() || []);
  if (names === undefined) return undefined;
  if (count !== undefined && names.length !== count) {
    throw namesError(path, feature, counted(count, 'name'), counted(names.length, 'name'));
  }
  const long = names.find((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined) {
    const expected = `names of at most ${MAX_NAME_BYTES} bytes`;
    throw namesError(path, feature, expected, counted(Buffer.byteLength(long), 'byte'));
  }
  return names;
}

/** Undefined if there is no such file: then the classes have no names. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (error) {
    if (error instanceof TFRecordError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function namesError(file: string, feature: string, expected: string, found: string): TFRecordError {
  const message = `${file} does not have the names of the classes of ${quotedText(feature)}: expected ${expected}, found ${found}`;
  return new TFRecordError('TFR_SPEC', message, { file, feature, expected, found });
}

/** `tensor` with the names of its classes. A record without a class lacks a single name. */
export function namedTensor(tensor: TfdsTensor): TfdsTensor {
  const { shape, optional } = tensor;
  return {
    ...tensor,
    dtype: 'text',
    domain: undefined,
    labels: undefined,
    optional: optional === true || shape.length === 0,
  };
}

/** Replaces the numbers of classes in batches. */
export class ClassNamer {
  readonly #labels: readonly LabelColumn[];

  /** `names`: the names by tensors. `columns`: the columns of the result. */
  constructor(
    tensors: readonly TensorColumns[],
    names: ReadonlyMap<string, readonly string[]>,
    columns: readonly TableColumn[],
  ) {
    this.#labels = tensors.flatMap(({ tensor: { name }, at }) => {
      const own = names.get(name);
      return own === undefined ? [] : new LabelColumn(at, name, own, columns[at]!);
    });
  }

  /** The first row with a number that is not that of a class. */
  faultIn(batch: TableBatch): RowFault | undefined {
    return this.#labels.map((label) => label.faultIn(batch)).reduce(earlier, undefined);
  }

  /** The batch with names. Its columns other than labels are those of `batch`. */
  named({ rows, vectors }: TableBatch): TableBatch {
    const named = [...vectors];
    for (const label of this.#labels) named[label.at] = label.named(vectors[label.at]!);
    return { rows, vectors: named };
  }
}

/** The classes of one feature. */
class LabelColumn {
  readonly at: number;
  readonly #feature: string;
  readonly #names: readonly Buffer[];
  readonly #column: TableColumn;

  constructor(at: number, feature: string, names: readonly string[], column: TableColumn) {
    this.at = at;
    this.#feature = feature;
    this.#names = names.map((name) => Buffer.from(name));
    this.#column = column;
  }

  faultIn({ vectors }: TableBatch): RowFault | undefined {
    const vector = vectors[this.at]!;
    const values = vector.values as BigInt64Array;
    const classes = BigInt(this.#names.length);
    const fault = (index: number, expected: string, found: string): RowFault => ({
      row: rowOf(vector, index),
      feature: this.#feature,
      expected,
      found,
    });
    let bytes = 0;
    for (const [i, value] of values.entries()) {
      if (value < NO_CLASS || value >= classes) {
        return fault(i, `the number of one of ${counted(classes, 'class', undefined, 'classes')}`, String(value));
      }
      if (value !== NO_CLASS) bytes += this.#names[Number(value)]!.length;
      if (bytes > MAX_TEXT_BYTES) return fault(i, `class names of at most ${MAX_TEXT_BYTES} bytes`, 'more');
    }
    return undefined;
  }

  named(vector: Vector): Vector {
    const values = vector.values as BigInt64Array;
    const offsets = new Int32Array(values.length + 1);
    for (let i = 0, end = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value !== NO_CLASS) end += this.#names[Number(value)]!.length;
      offsets[i + 1] = end;
    }
    const text = new Uint8Array(offsets[values.length]!);
    for (let i = 0; i < values.length; i++) {
      if (values[i] !== NO_CLASS) text.set(this.#names[Number(values[i])]!, offsets[i]);
    }
    return { ...vector, column: this.#column, ...this.#nulls(vector, values), offsets, values: text };
  }

  /** A single label without a class becomes null; in a list, it is an empty text. */
  #nulls(vector: Vector, values: BigInt64Array): Pick<Vector, 'validity' | 'nulls'> {
    const { rows, validity, nulls } = vector;
    const { shape } = vector.column;
    if (shape?.length !== 0 || !values.includes(NO_CLASS)) return { validity, nulls };
    const bits = validity?.slice() ?? newBits(rows);
    let without = 0;
    for (let row = 0; row < rows; row++) {
      const isNull = !isSet(validity, row) || values[row] === NO_CLASS;
      if (isNull) clearBit(bits, row);
      else setBit(bits, row);
      if (isNull) without++;
    }
    return { validity: bits, nulls: without };
  }
}

/** The row of value `index`. */
function rowOf({ column, splits }: Vector, index: number): number {
  if (splits === undefined) return Math.floor(index / countOf(column));
  return firstIndex(splits.length, (row) => splits[row]! > index) - 1;
}
