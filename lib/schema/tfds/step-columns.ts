/** The features of the steps of episodes, as columns: a row a step instead of a row an episode. */
import { gather, isSet, newBits, newBytesArray, setBit, sizeOf } from '../../tensor';
import type { TableBatch, TableColumn, Vector } from '../../table';
import { countOf, type RowFault, type TensorColumns } from './columns';

/** Finds the steps of one feature in batches of episodes, and cuts its columns at them. */
export interface StepColumns {
  /** Number of steps of `row`; undefined if the feature has no values that could tell. */
  stepsOf(batch: TableBatch, row: number): number | undefined;
  /**
   * Returns the cutter for a batch, or the first row whose sequences do not fit together. `ends`: for each row, the
   * number of steps in it and all rows before, as `stepsOf` returned them.
   */
  cutter(batch: TableBatch, ends: Int32Array): StepCutter | RowFault;
}

/** Cuts the columns of one feature: returns those of the steps from number `begin` to `end` of the batch. */
export type StepCutter = (begin: number, end: number) => Vector[];

/** The columns of a feature of steps. `target`: its columns in the table of steps, from `to` on. */
export function stepColumns(source: TensorColumns, target: readonly TableColumn[], to: number): StepColumns {
  return source.form.form === 'ragged'
    ? new RaggedColumns(source, target.slice(to, to + source.form.lengths.length))
    : new PlainColumn(source, target[to]!);
}

/** A feature with the same number of values in each step. They follow one another in the column of the episodes. */
class PlainColumn implements StepColumns {
  readonly #at: number;
  readonly #column: TableColumn;
  /** Number of values of a step. */
  readonly #size: number;

  constructor({ at }: TensorColumns, column: TableColumn) {
    this.#at = at;
    this.#column = column;
    this.#size = sizeOf(column.shape!);
  }

  stepsOf({ vectors }: TableBatch, row: number): number | undefined {
    return this.#size === 0 ? undefined : valuesIn(vectors[this.#at]!, row) / this.#size;
  }

  cutter({ vectors }: TableBatch): StepCutter {
    return (begin, end) => [fixedPart(vectors[this.#at]!, this.#column, begin, end)];
  }
}

/** A feature with sequences in each step. */
class RaggedColumns implements StepColumns {
  readonly #at: number;
  readonly #name: string;
  /** The columns of a step: the values, then the lengths of what is still nested. */
  readonly #columns: readonly TableColumn[];
  /** Number of sequences within a step. */
  readonly #levels: number;
  /** Number of values of an element of the innermost sequence. */
  readonly #size: number;

  constructor({ tensor, form, at }: TensorColumns, columns: readonly TableColumn[]) {
    this.#at = at;
    this.#name = tensor.name;
    this.#columns = columns;
    this.#levels = tensor.sequences - 1;
    this.#size = sizeOf(form.shape);
  }

  stepsOf({ vectors }: TableBatch, row: number): number {
    return valuesIn(vectors[this.#at + 1]!, row);
  }

  cutter({ vectors }: TableBatch, ends: Int32Array): StepCutter | RowFault {
    const total = ends.at(-1) ?? 0;
    const outer = vectors[this.#at + 1]!;
    let fault = firstRow(ends, (row, steps) => this.#fault(row, steps, valuesIn(outer, row)));
    // For each level, where the elements of each step begin.
    let begins = Float64Array.from({ length: total + 1 }, (_, step) => step);
    const levels: Float64Array[] = [];
    for (let level = 0; level < this.#levels && fault === undefined; level++) {
      const positions = positionsIn(vectors[this.#at + 1 + level]!.values as BigInt64Array);
      begins = begins.map((at) => positions[at] ?? NaN);
      levels.push(begins);
      const isLast = level === this.#levels - 1;
      const within = vectors[isLast ? this.#at : this.#at + 2 + level]!;
      const size = isLast ? this.#size : 1;
      const own = begins;
      fault = firstRow(ends, (row, _steps, first, end) =>
        this.#fault(row, (own[end]! - own[first]!) * size, valuesIn(within, row)),
      );
      fault ??= isLast ? this.#uneven(own, ends) : undefined;
    }
    return fault ?? ((begin, end) => this.#cut(vectors, levels, begin, end));
  }

  #fault(row: number, expected: number, found: number): RowFault | undefined {
    if (expected === found) return undefined;
    const wanted = Number.isFinite(expected) ? valuesText(expected) : 'lengths of its sequences from 0 on';
    return { row, feature: this.#name, expected: wanted, found: String(found) };
  }

  /** The first row with a step whose only sequence has another length than `features.json` says. */
  #uneven(begins: Float64Array, ends: Int32Array): RowFault | undefined {
    const { shape } = this.#columns[0]!;
    if (shape === undefined || this.#levels > 1) return undefined;
    const count = sizeOf(shape);
    return firstRow(ends, (row, _steps, first, end) => {
      for (let step = first; step < end; step++) {
        const found = (begins[step + 1]! - begins[step]!) * this.#size;
        if (found !== count) {
          return { row, feature: this.#name, expected: `${valuesText(count)} in each step`, found: String(found) };
        }
      }
      return undefined;
    });
  }

  #cut(vectors: readonly Vector[], levels: readonly Float64Array[], begin: number, end: number): Vector[] {
    const values = vectors[this.#at]!;
    return this.#columns.map((column, i) => {
      const isLast = i === 0;
      const begins = isLast ? levels[this.#levels - 1]! : levels[i - 1]!;
      const source = isLast ? values : vectors[this.#at + 1 + i]!;
      const size = isLast ? this.#size : 1;
      const splits = Int32Array.from(begins.subarray(begin, end + 1), (at) => at * size);
      if (column.shape !== undefined) return fixedPart(source, column, begin, end);
      const { offsets, values: data } = source;
      return {
        column,
        rows: end - begin,
        validity: undefined,
        nulls: 0,
        steps: undefined,
        splits,
        offsets,
        values: data,
      };
    });
  }
}

/** The first fault that `check` returns. It gets each row, its number of steps, and the numbers of the first and of that after the last. */
function firstRow(
  ends: Int32Array,
  check: (row: number, steps: number, first: number, end: number) => RowFault | undefined,
): RowFault | undefined {
  for (let row = 0, first = 0; row < ends.length; row++) {
    const end = ends[row]!;
    const fault = check(row, end - first, first, end);
    if (fault !== undefined) return fault;
    first = end;
  }
  return undefined;
}

/** Number of values of `row`. */
function valuesIn({ column, splits }: Vector, row: number): number {
  return splits === undefined ? countOf(column) : splits[row + 1]! - splits[row]!;
}

function valuesText(count: number): string {
  return `${count} ${count === 1 ? 'value' : 'values'}`;
}

/** The positions that `lengths` lead to; those after an invalid length are NaN. */
function positionsIn(lengths: BigInt64Array): Float64Array {
  const positions = new Float64Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i]!;
    positions[i + 1] = length < 0n || length > 0x7fff_ffffn ? NaN : positions[i]! + Number(length);
  }
  return positions;
}

/** The values of steps that all have as many as the shape of `column`. */
function fixedPart({ offsets, values }: Vector, column: TableColumn, begin: number, end: number): Vector {
  const size = sizeOf(column.shape!);
  const part = {
    offsets: offsets?.subarray(begin * size, end * size + 1),
    values: offsets === undefined ? values.subarray(begin * size, end * size) : values,
  };
  return { column, rows: end - begin, validity: undefined, nulls: 0, steps: undefined, splits: undefined, ...part };
}

// ---- Features of episodes ---------------------------------------------------------------------------------------------

/** Repeats the values of an episode for each of its steps. `episodes`: the row of the episode of each step. */
export function repeated(vector: Vector, column: TableColumn, episodes: Int32Array): Vector {
  const { validity, splits, offsets, values } = vector;
  const rows = episodes.length;
  const count = countOf(vector.column);
  const bits = validity === undefined ? undefined : newBits(rows);
  const newSplits = splits && new Int32Array(rows + 1);
  let nulls = 0;
  let total = 0;
  for (const [i, row] of episodes.entries()) {
    if (bits !== undefined && isSet(validity, row)) setBit(bits, i);
    else if (bits !== undefined) nulls++;
    total += splits === undefined ? count : splits[row + 1]! - splits[row]!;
    if (newSplits !== undefined) newSplits[i + 1] = total;
  }
  const sources = new Int32Array(total);
  let to = 0;
  for (const row of episodes) {
    const first = splits === undefined ? row * count : splits[row]!;
    const end = splits === undefined ? first + count : splits[row + 1]!;
    for (let from = first; from < end; from++) sources[to++] = from;
  }
  const more = { column, rows, validity: bits, nulls, steps: undefined, splits: newSplits };
  if (values instanceof Float32Array) return { ...more, offsets, values: gather(values, sources, 0) };
  if (values instanceof BigInt64Array) return { ...more, offsets, values: gather(values, sources, 0n) };
  const { data, offsets: ends } = gather(newBytesArray(values as Uint8Array<ArrayBuffer>, offsets!), sources, NONE);
  return { ...more, offsets: ends as Int32Array<ArrayBuffer>, values: data };
}

const NONE = new Uint8Array(0);

/** Approximate size of the values of `row`, in bytes. */
export function rowBytes({ column, splits, offsets, values }: Vector, row: number): number {
  const count = countOf(column);
  const begin = splits === undefined ? row * count : splits[row]!;
  const end = splits === undefined ? begin + count : splits[row + 1]!;
  if (offsets === undefined) return (end - begin) * values.BYTES_PER_ELEMENT;
  return offsets[end]! - offsets[begin]! + 4 * (end - begin);
}
