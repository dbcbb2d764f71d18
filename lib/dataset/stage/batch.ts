import { ArrayColumn, valuesOf, type Column } from '../core/column';
import { ElementFault } from '../core/element-fault';
import { gather } from '../core/gather';
import type { Input } from '../core/input';
import { START, type Chunk, type Mark, type Operator } from '../core/operator';
import { joinedPlaces } from '../core/places';
import { RecordsColumn } from '../core/records-column';
import { stagePath, type Run } from '../core/run';
import { Stage } from '../core/stage';

/** `batch`: neighbours together. Records become a RecordBatch, parsed ones columns, anything else an array. */
export class BatchStage extends Stage {
  readonly kind = 'batch';
  readonly #length: number;
  readonly #dropRemainder: boolean;

  constructor(input: Stage, length: number, dropRemainder: boolean) {
    super(input);
    this.#length = length;
    this.#dropRemainder = dropRemainder;
  }

  override get order(): readonly [number, boolean] {
    return [this.#length, this.#dropRemainder];
  }

  override get size(): number | undefined {
    const size = this.input?.size;
    if (size === undefined) return undefined;
    return this.#dropRemainder ? Math.floor(size / this.#length) : Math.ceil(size / this.#length);
  }

  open(run: Run, from: Mark): Operator {
    const [at, skip] = from;
    const input = this.readInput(run, (at ?? START) as unknown as Mark, skip * this.#length);
    return new BatchOperator(input, this.#length, this.#dropRemainder, stagePath(run, this), at === null);
  }
}

class BatchOperator implements Operator {
  readonly #input: Input;
  readonly #length: number;
  readonly #dropRemainder: boolean;
  readonly #stage: string;
  /** Nothing was given yet, in the whole epoch. */
  #barren: boolean;
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Input, length: number, dropRemainder: boolean, stage: string, barren: boolean) {
    this.#input = input;
    this.#length = length;
    this.#dropRemainder = dropRemainder;
    this.#stage = stage;
    this.#barren = barren;
  }

  /** One batch at a time: it is work enough. */
  async next(): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (!(await this.#input.load(this.#length))) return undefined;
    const mark: Mark = [this.#input.mark, 0];
    const { column, failure } = await gather(this.#input, this.#length);
    this.#failure = failure;
    return this.#chunk(column, mark);
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  #chunk(column: Column, mark: Mark): Chunk | undefined {
    if (column.length < this.#length && this.#dropRemainder) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#barren) this.#warn(column.length);
      return undefined;
    }
    try {
      const value = column instanceof RecordsColumn ? column.form.batch(column) : valuesOf(column);
      this.#barren = false;
      return { column: new ArrayColumn([value], joinedPlaces(column.places, column.length)), mark };
    } catch (error) {
      if (!(error instanceof ElementFault)) throw error;
      this.#failure = { error: error.cause };
      if (error.index === 0) throw error.cause;
      return this.#chunk(column.slice(0, error.index), mark);
    }
  }

  #warn(elements: number): void {
    process.emitWarning(
      `${this.#stage} gave nothing: there were ${elements} elements, fewer than ${this.#length}, and dropRemainder drops them.`,
      'TFRecordWarning',
    );
  }
}
