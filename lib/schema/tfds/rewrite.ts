/** Changes the Examples of a data set: names instead of numbers of classes, and a row a step instead of a row an episode. */
import { counted, invalidArgValue, TFRecordError } from '../../base';
import { encodeTable, type Table, type TableBatch, type TableColumn, type Vector } from '../../table';
import type { RecordBatch } from '../../record';
import { ClassNamer, namedTensor } from './class-names';
import { earlier, TensorTable, type RowFault } from './columns';
import { tfdsError, type TfdsTensor } from './features-json';
import { tfdsFeatures, type TfdsFeatures } from './layout';
import { repeated, rowBytes, stepColumns, type StepColumns, type StepCutter } from './step-columns';

/** The features that number the rows of steps. */
const EPISODE = 'episode';
const STEP = 'step';

/** Maximum size of the features of episodes in a piece of steps, each of which repeats them. */
const REPEATED_BYTES = 4 * 1024 * 1024;
const PIECE_ROWS = 16_384;

/** The changes. */
export interface RewriteOptions {
  /** The names of classes, by features. Undefined: labels stay numbers. */
  readonly classNames?: ReadonlyMap<string, readonly string[]> | undefined;
  /** True: a row a step. */
  readonly steps: boolean;
}

/** Records made of the records of a batch. */
export interface RewrittenRecords {
  readonly records: RecordBatch;
  /** For each record, the row of the batch of which it was made. */
  readonly sources: Int32Array;
}

/** Changes the Examples of a data set. */
export class Rewrite {
  /** The table by which to parse the records of the data set. */
  readonly table: Table;
  /** The features of the result, and their spec. */
  readonly output: TfdsFeatures;
  readonly #namer: ClassNamer | undefined;
  readonly #steps: StepRewrite | undefined;
  readonly #outputTable: Table;

  /** @throws TypeError if there are no names of classes, or no steps; TFRecordError TFR_SPEC */
  constructor(tensors: readonly TfdsTensor[], { classNames, steps }: RewriteOptions) {
    const stored = new TensorTable(tensors);
    this.table = stored.table;
    if (classNames?.size === 0) {
      throw invalidArgValue('options.classNames', 'absent, because the data set has no names of classes', true);
    }
    const naming = classNames && tensors.map((each) => (classNames.has(each.name) ? namedTensor(each) : each));
    const named = naming === undefined ? stored : new TensorTable(naming);
    this.#namer = classNames && new ClassNamer(stored.tensors, classNames, named.table.columns);
    this.#steps = steps ? new StepRewrite(named) : undefined;
    this.#outputTable = this.#steps?.table ?? named.table;
    this.output = tfdsFeatures(this.#steps?.tensors ?? naming ?? tensors);
  }

  /**
   * Returns the number of rows before the first that contradicts `features.json`, and the error about that one, without
   * its place. Rewrite the rows before it alone.
   */
  check(batch: TableBatch): { readonly rows: number; readonly error: TFRecordError | undefined } {
    const fault = earlier(this.#namer?.faultIn(batch), this.#steps?.faultIn(batch));
    if (fault === undefined) return { rows: batch.rows, error: undefined };
    const { row, feature, expected, found } = fault;
    const message = `Feature ${JSON.stringify(feature)} must have ${expected}; it has ${found}`;
    return { rows: row, error: new TFRecordError('TFR_FEATURE', message, { feature, expected, found }) };
  }

  /** Changes a batch without faults. `first`: the number of its first episode. */
  *records(batch: TableBatch, first: number): Generator<RewrittenRecords, void> {
    const named = this.#namer?.named(batch) ?? batch;
    if (this.#steps === undefined) {
      const sources = Int32Array.from({ length: batch.rows }, (_, row) => row);
      yield { records: encodeTable(this.#outputTable, named.vectors, batch.rows), sources };
      return;
    }
    for (const { vectors, sources } of this.#steps.pieces(named, first)) {
      yield { records: encodeTable(this.#outputTable, vectors, sources.length), sources };
    }
  }
}

/** A feature of steps, and where its columns are. */
interface StepTarget {
  readonly columns: StepColumns;
  readonly name: string;
  readonly to: number;
}

/** Makes rows of steps. */
class StepRewrite {
  readonly tensors: readonly TfdsTensor[];
  readonly table: Table;
  readonly #ofSteps: readonly StepTarget[] = [];
  /** The columns that are repeated, from and to. */
  readonly #ofEpisodes: readonly { readonly from: number; readonly to: number }[] = [];

  constructor({ tensors }: TensorTable) {
    const name = stepsName(tensors.map(({ tensor }) => tensor));
    const taken = tensors.find(({ tensor }) => tensor.name === EPISODE || tensor.name === STEP);
    if (taken !== undefined) {
      const message = `Rows of steps have the features "${EPISODE}" and "${STEP}", but the data set has a feature ${JSON.stringify(taken.tensor.name)} of its own`;
      throw new TFRecordError('TFR_SPEC', message, { feature: taken.tensor.name, expected: 'another name' });
    }
    this.tensors = [
      ...tensors.map(({ tensor }) => (isStep(tensor, name) ? stepTensor(tensor) : tensor)),
      ...[EPISODE, STEP].map((number): TfdsTensor => ({ name: number, dtype: 'int64', shape: [], sequences: 0 })),
    ];
    const made = new TensorTable(this.tensors);
    this.table = made.table;
    const { columns } = this.table;
    const ofSteps: StepTarget[] = [];
    const ofEpisodes: { from: number; to: number }[] = [];
    for (const [i, source] of tensors.entries()) {
      const { at: to, form } = made.tensors[i]!;
      const { at: from, tensor } = source;
      if (isStep(tensor, name)) {
        if (source.form.form !== 'ragged' && form.form !== 'fixed') {
          throw tfdsError(tensor.name, 'a shape that is known in each step', 'an unknown size');
        }
        ofSteps.push({ columns: stepColumns(source, columns, to), name: tensor.name, to });
      } else {
        const count = form.form === 'ragged' ? form.lengths.length + 1 : 1;
        for (let k = 0; k < count; k++) ofEpisodes.push({ from: from + k, to: to + k });
      }
    }
    this.#ofSteps = ofSteps;
    this.#ofEpisodes = ofEpisodes;
  }

  /** The first row whose features have different numbers of steps, or sequences that do not fit together. */
  faultIn(batch: TableBatch): RowFault | undefined {
    const { ends, fault } = this.#ends(batch);
    const cutters = this.#ofSteps.map(({ columns }) => columns.cutter(batch, ends));
    return cutters.reduce<RowFault | undefined>((first, cutter) => earlier(first, asFault(cutter)), fault);
  }

  /** Pieces of the steps of `batch`, which has no faults. `sources`: the row of the episode of each. */
  *pieces(
    batch: TableBatch,
    first: number,
  ): Generator<{ readonly vectors: readonly Vector[]; readonly sources: Int32Array }, void> {
    const { ends } = this.#ends(batch);
    const cutters = this.#ofSteps.map(({ columns }) => columns.cutter(batch, ends) as StepCutter);
    const total = ends.at(-1) ?? 0;
    const sizes = ends.map((_, row) =>
      Math.min(
        this.#ofEpisodes.reduce((sum, { from }) => sum + rowBytes(batch.vectors[from]!, row), 0),
        REPEATED_BYTES,
      ),
    );
    for (let begin = 0, row = 0; begin < total;) {
      const sources: number[] = [];
      const steps: number[] = [];
      for (let bytes = 0; begin + sources.length < total && sources.length < PIECE_ROWS;) {
        const step = begin + sources.length;
        while (ends[row]! <= step) row++;
        bytes += sizes[row]!;
        if (bytes > REPEATED_BYTES && sources.length > 0) break;
        sources.push(row);
        steps.push(step - (row === 0 ? 0 : ends[row - 1]!));
      }
      const end = begin + sources.length;
      const rows = Int32Array.from(sources);
      yield { vectors: this.#vectors(batch, cutters, begin, end, rows, steps, first), sources: rows };
      begin = end;
    }
  }

  #vectors(
    { vectors }: TableBatch,
    cutters: readonly StepCutter[],
    begin: number,
    end: number,
    episodes: Int32Array,
    steps: readonly number[],
    first: number,
  ): Vector[] {
    const { columns } = this.table;
    const made = new Array<Vector>(columns.length);
    for (const { from, to } of this.#ofEpisodes) made[to] = repeated(vectors[from]!, columns[to]!, episodes);
    for (const [i, { to }] of this.#ofSteps.entries()) {
      for (const [k, vector] of cutters[i]!(begin, end).entries()) made[to + k] = vector;
    }
    const numbers = columns.length - 2;
    made[numbers] = numbered(columns[numbers]!, episodes.length, (i) => first + episodes[i]!);
    made[numbers + 1] = numbered(columns[numbers + 1]!, episodes.length, (i) => steps[i]!);
    return made;
  }

  /** For each row the number of steps in it and all before, and the first row whose features disagree about them. */
  #ends(batch: TableBatch): { readonly ends: Int32Array; readonly fault: RowFault | undefined } {
    const ends = new Int32Array(batch.rows);
    let fault: RowFault | undefined;
    for (let row = 0, end = 0; row < batch.rows; row++) {
      let known: { readonly steps: number; readonly name: string } | undefined;
      for (const { columns, name } of this.#ofSteps) {
        const steps = columns.stepsOf(batch, row);
        if (steps === undefined || steps === known?.steps) continue;
        if (known === undefined && Number.isInteger(steps)) known = { steps, name };
        else fault ??= unequal(row, name, steps, known);
      }
      ends[row] = end += known?.steps ?? 0;
    }
    return { ends, fault };
  }
}

function unequal(
  row: number,
  feature: string,
  steps: number,
  known: { readonly steps: number; readonly name: string } | undefined,
): RowFault {
  const expected =
    known === undefined
      ? 'whole steps'
      : `the values of ${counted(known.steps, 'step')}, as ${JSON.stringify(known.name)} has`;
  return { row, feature, expected, found: Number.isInteger(steps) ? `those of ${steps}` : 'a part of one' };
}

function asFault(cutter: StepCutter | RowFault): RowFault | undefined {
  return typeof cutter === 'function' ? undefined : cutter;
}

function numbered(column: TableColumn, rows: number, of: (i: number) => number): Vector {
  const values = BigInt64Array.from({ length: rows }, (_, i) => BigInt(of(i)));
  return {
    column,
    rows,
    validity: undefined,
    nulls: 0,
    steps: undefined,
    splits: undefined,
    offsets: undefined,
    values,
  };
}

/**
 * The name of the nested data set: the only one, or that called `steps`; else the sequence called `steps`.
 * @throws TypeError if there is none
 */
export function stepsName(tensors: readonly TfdsTensor[]): string {
  const nested = [...new Set(tensors.flatMap(({ isNested, outermost }) => (isNested === true ? outermost! : [])))];
  if (nested.length === 1) return nested[0]!;
  if (tensors.some(({ outermost }) => outermost === 'steps')) return 'steps';
  const found = nested.length === 0 ? 'no steps' : `several: ${nested.join(', ')}`;
  throw invalidArgValue('options.steps', `absent: the episodes of the data set have ${found}`, true);
}

function isStep({ outermost }: TfdsTensor, name: string): boolean {
  return outermost === name;
}

/** The tensor of one step. */
function stepTensor(tensor: TfdsTensor): TfdsTensor {
  const { shape, sequences } = tensor;
  return { ...tensor, shape: shape.slice(1), sequences: sequences - 1, outermost: undefined, isNested: false };
}
