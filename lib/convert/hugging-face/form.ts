/** The form of a table for Hugging Face's `datasets`: which columns are files, and the metadata that describes all. */
import { counted, placedError, TFRecordError, type Origin } from '../../base';
import { rowOfValue } from '../../example';
import type { Table, TableBatch, TableColumn, Vector } from '../../table';
import { isSet, sizeOf, type DType } from '../../tensor';
import type { HuggingFacePlan } from './options';

/** Key of the metadata that `datasets` reads. */
export const HUGGING_FACE_KEY = 'huggingface';

/** The number of records without a class. */
const NO_CLASS = -1n;

/** The names of `datasets` for values. */
const VALUE_TYPES: Readonly<Record<DType, string>> = {
  bytes: 'binary',
  float32: 'float32',
  int64: 'int64',
  text: 'string',
};

/** A column of numbers of classes. */
interface Classes {
  readonly at: number;
  readonly column: TableColumn;
  readonly names: readonly string[];
}

/** The form of the columns of one table. */
export class HuggingFaceForm {
  /** The names of the columns whose values become structs of `bytes` and `path`. */
  readonly files: ReadonlySet<string>;
  readonly #classes: readonly Classes[];
  readonly #types: readonly (readonly [column: TableColumn, type: object])[];

  /**
   * `pictures`: the features that are pictures. `known`: the names of classes that the inputs have.
   * @throws TFRecordError TFR_FEATURE for a feature that is missing, or of another kind
   */
  constructor(
    { columns }: Table,
    { images, audio, classNames }: HuggingFacePlan,
    pictures: ReadonlySet<string>,
    known: ReadonlyMap<string, readonly string[]> | undefined,
  ) {
    for (const name of [...(images ?? []), ...audio]) checkFeature(columns, name, 'bytes');
    for (const name of classNames?.keys() ?? []) checkFeature(columns, name, 'int64');
    const names = classNames ?? known;
    this.#classes = columns.flatMap((column, at) => {
      const own = column.dtype === 'int64' ? names?.get(column.key) : undefined;
      return own === undefined ? [] : { at, column, names: own };
    });
    const sounds = new Set(audio);
    const typeOf = (column: TableColumn, at: number): object => {
      if (sounds.has(column.key)) return { _type: 'Audio' };
      if (pictures.has(column.key)) return { _type: 'Image' };
      const classes = this.#classes.find((one) => one.at === at);
      if (classes !== undefined) return { names: classes.names, _type: 'ClassLabel' };
      return { dtype: VALUE_TYPES[column.dtype], _type: 'Value' };
    };
    this.files = new Set(columns.filter(({ key }) => sounds.has(key) || pictures.has(key)).map(({ name }) => name));
    this.#types = columns.map((column, at) => [column, typeOf(column, at)]);
  }

  /**
   * The metadata of a file, under {@link HUGGING_FACE_KEY}. `datasets` believes it only for columns of exactly the type
   * that it describes. `sized`: true if the file has lists of a fixed size.
   */
  text(sized: boolean): string {
    // Not an object, which would move names that are numbers before the others.
    const features = this.#types.map(([column, type]) => {
      return `${JSON.stringify(column.name)}: ${JSON.stringify(listsOf(column, type, sized))}`;
    });
    return `{"info": {"features": {${features.join(', ')}}}}`;
  }

  /** True if {@link HuggingFaceForm.faultIn} can find a fault. */
  get checks(): boolean {
    return this.#classes.length > 0;
  }

  /** The first row with a number that is not that of a class, and the error about it. */
  faultIn(
    { vectors }: TableBatch,
    origin: (row: number) => Origin,
  ): { readonly row: number; readonly error: TFRecordError } | undefined {
    let first: { row: number; error: TFRecordError } | undefined;
    for (const { at, column, names } of this.#classes) {
      const found = wrongClass(vectors[at]!, names.length);
      if (found === undefined || (first !== undefined && first.row <= found.row)) continue;
      const expected = `the number of one of ${counted(names.length, 'class', undefined, 'classes')}`;
      const message = `Feature ${JSON.stringify(column.key)}: expected ${expected}, found ${found.value}`;
      const details = { feature: column.key, expected, found: String(found.value) };
      first = {
        row: found.row,
        error: placedError(new TFRecordError('TFR_FEATURE', message, details), origin(found.row)),
      };
    }
    return first;
  }
}

function wrongClass(vector: Vector, classes: number): { readonly row: number; readonly value: bigint } | undefined {
  const { column, validity } = vector;
  const size = column.shape === undefined ? 0 : sizeOf(column.shape);
  const most = BigInt(classes);
  for (const [i, value] of (vector.values as BigInt64Array).entries()) {
    if (value >= NO_CLASS && value < most) continue;
    const row = rowOfValue(vector, size, i);
    if (isSet(validity, row)) return { row, value };
  }
  return undefined;
}

/** The feature of the lists around values of `type`. */
function listsOf({ section, shape }: TableColumn, type: object, sized: boolean): object {
  const sizes = [...(section === 1 ? [-1] : []), ...(shape ?? [-1])];
  return sizes.reduceRight((feature, size) => ({ feature, length: sized ? size : -1, _type: 'Sequence' }), type);
}

function checkFeature(columns: readonly TableColumn[], name: string, dtype: 'bytes' | 'int64'): void {
  const column = columns.find(({ key }) => key === name);
  if (column?.dtype === dtype) return;
  const found = column === undefined ? 'no such feature' : column.dtype;
  const message = `Feature ${JSON.stringify(name)}: expected a feature of ${dtype}, found ${found}`;
  throw new TFRecordError('TFR_FEATURE', message, { feature: name, expected: `a feature of ${dtype}`, found });
}
