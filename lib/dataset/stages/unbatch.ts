import { counted, invalidArgType, type Bytes } from '../../base';
import { RecordBatch } from '../../record';
import {
  batchRow,
  countRows,
  type BytesArray,
  type DenseTensor,
  type DType,
  type Int64As,
  type RaggedTensor,
  type Scalars,
  type Shape,
  type SparseTensor,
} from '../../tensor';
import { ArrayElements, type Elements } from '../engine/elements';
import type { Input } from '../engine/input';
import { countedPlace, misplaced, skipping, START, type Chunk, type Mark, type Operator } from '../engine/operator';
import { rowOrigins } from '../engine/origins';
import { RAW } from '../engine/record-forms';
import { NeighbourRecords } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** The type of one row of a batch of type `T`. */
export type Unbatched<T> = T extends RecordBatch | BytesArray
  ? Bytes
  : T extends DenseTensor<infer D extends DType, infer S extends Shape, infer I extends Int64As>
    ? S extends readonly [number]
      ? Scalars<I>[D]
      : S extends readonly [number, ...infer R extends Shape]
        ? DenseTensor<D, readonly [...R], I>
        : unknown
    : T extends SparseTensor<DType, Int64As> | RaggedTensor<DType, Shape, Int64As>
      ? unknown
      : T extends Iterable<infer U>
        ? U
        : T extends object
          ? { -readonly [K in keyof T]: Unbatched<T[K]> }
          : never;

/** The stage of `unbatch`: the rows of batches. */
export class UnbatchStage extends Stage {
  readonly kind = 'unbatch';

  constructor(input: Stage) {
    super(input, { perFile: true });
  }

  override get size(): undefined {
    return undefined;
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const [start, row] = countedPlace([at, skip], path);
    const input = this.readInput(run, start);
    return skipping(new UnbatchOperator(input, path, row), skip, run.scope);
  }
}

class UnbatchOperator implements Operator {
  readonly #input: Input;
  readonly #stage: string;
  /** The rows of the current batch, whose position is `#mark`. */
  #rows: Elements = new ArrayElements([]);
  #mark = START;
  #row = 0;
  /** Number of the first row to yield of the first batch. */
  #from: number;

  constructor(input: Input, stage: string, from: number) {
    this.#input = input;
    this.#stage = stage;
    this.#from = from;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const input = this.#input;
    while (this.#row >= this.#rows.length) {
      if (!(await input.load(max))) return undefined;
      this.#mark = input.mark;
      this.#rows = rowsOf(input, this.#stage);
      this.#row = this.#from;
      if (this.#row > 0 && this.#row >= this.#rows.length) {
        throw misplaced(
          this.#stage,
          `a batch of more than ${counted(this.#row, 'row')}`,
          counted(this.#rows.length, 'row'),
        );
      }
      this.#from = 0;
    }
    const begin = this.#row;
    this.#row = Math.min(this.#rows.length, begin + max);
    return { elements: this.#rows.slice(begin, this.#row), mark: [[this.#mark, begin], 0] };
  }

  close(): Promise<void> {
    return this.#input.close();
  }
}

/** Returns the rows of the next batch of `input`; records of a RecordBatch stay records. */
function rowsOf(input: Input, stage: string): Elements {
  const { elements, index } = input;
  const batch = elements.at(index);
  input.index++;
  if (batch instanceof RecordBatch) {
    const records = NeighbourRecords.of(RAW, batch);
    if (elements.origins.valid(index)) return records;
    const valids = elements.origins.valids(index);
    const begin = records.frame(0);
    const slab = records.slab().withValid((frame) => valids[frame - begin] ?? true);
    return new NeighbourRecords(RAW, slab, begin, begin + records.length);
  }
  const rows = countedRows(batch, stage);
  const values = Array.from({ length: rows }, (_, row) => batchRow(batch, row));
  return new ArrayElements(values, rowOrigins(elements.origins, index, rows));
}

/** Returns the number of rows of a batch, an element of the stage at `path`. @throws TypeError for other values */
export function countedRows(batch: unknown, path: string): number {
  const rows = countRows(batch);
  if (rows === undefined) throw invalidArgType(`element of ${path}`, 'a batch: an array, records or columns', batch);
  return rows;
}
