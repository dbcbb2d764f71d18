import { checkBoolean, checkOptions, counted, invalidArgType, neededInteger } from '../../base';
import { type MemoryPool } from '../../io';
import { checkHeld, MAX_HELD } from '../arguments';
import { ArrayElements, valuesOf, type Elements } from '../engine/elements';
import { ElementFault } from '../engine/errors';
import { gather, type Gathered, type Input } from '../engine/input';
import { flag, plain } from '../engine/labels';
import { placeMark, skipping, START, type Chunk, type Mark, type Operator } from '../engine/operator';
import { joinedOrigins } from '../engine/origins';
import { RAW } from '../engine/record-forms';
import { RecordElements } from '../engine/records';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';
import { UnmadeBatch } from '../engine/unmade-batch';

/** A stage that makes batches of `length` elements. The remainder at the end is a smaller batch, or is dropped. */
export abstract class BatchingStage extends Stage {
  override readonly labels = [plain, flag('dropRemainder')];
  readonly length: number;
  readonly dropRemainder: boolean;

  constructor(input: Stage, length: number, dropRemainder: boolean) {
    super(input);
    this.length = length;
    this.dropRemainder = dropRemainder;
  }

  override get order(): readonly [number, boolean] {
    return [this.length, this.dropRemainder];
  }

  /** It yields one batch at a time. */
  override get maxSkipped(): number {
    return 1;
  }

  override get size(): number | undefined {
    const size = this.input?.size;
    if (size === undefined) return undefined;
    return this.dropRemainder ? Math.floor(size / this.length) : Math.ceil(size / this.length);
  }
}

/** Options of `batch`. Unknown names throw. */
export interface DatasetBatchOptions {
  /** Drops the last batch if it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/**
 * Returns option `dropRemainder`. Other libraries accept a bare value in place of the options, which is a TypeError
 * here; `meaning` is its advice.
 */
export function dropRemainder(options: DatasetBatchOptions | undefined, meaning: string): boolean {
  if (options !== undefined && typeof options !== 'object') {
    throw invalidArgType('options', `an object: ${meaning}`, options);
  }
  const given = checkOptions(options, ['dropRemainder']);
  return checkBoolean('options.dropRemainder', given.dropRemainder, false);
}

/**
 * The stage of `batch`, which groups neighbours: records into a RecordBatch, parsed records into columns, other
 * elements into an array.
 */
export class BatchStage extends BatchingStage {
  readonly kind = 'batch';

  static of(input: Stage, size: number, options: DatasetBatchOptions | undefined): BatchStage {
    const meaning = '{ dropRemainder: true } for what true means in tf.data, {} for what it means in tfjs-data';
    const drop = dropRemainder(options, meaning);
    const length = neededInteger('size', size, 1, MAX_HELD);
    checkHeld('size', length, input.size);
    return new BatchStage(input, length, drop);
  }

  open(run: Run, from: Mark): Operator {
    const [at, skip] = from;
    const slabs = this.input?.passesOn() === true ? run.scope.memory : undefined;
    const input = this.readInput(
      { ...run, slabs, unmade: false },
      at === null ? START : placeMark(stagePath(run, this), at),
    );
    const operator = new BatchOperator(input, this, run, at === null);
    // Batches are made again, because the last one before a row that cannot be parsed is shorter than the others.
    return skipping(operator, skip, run.scope);
  }
}

/** The elements of a batch, and the position of the first. */
interface Next extends Gathered {
  readonly mark: Mark;
}

class BatchOperator implements Operator {
  readonly #input: Input;
  readonly #length: number;
  readonly #dropRemainder: boolean;
  readonly #stage: string;
  readonly #memory: MemoryPool | undefined;
  readonly #unmade: boolean;
  /** True as long as the epoch has yielded no batch. */
  #barren: boolean;
  #failure: Gathered['failure'];
  /** The elements of the next batch, gathered while the current batch is parsed. */
  #ahead: Promise<Next | undefined> | undefined;

  constructor(input: Input, stage: BatchStage, run: Run, barren: boolean) {
    this.#input = input;
    this.#length = stage.length;
    this.#dropRemainder = stage.dropRemainder;
    this.#stage = stagePath(run, stage);
    this.#memory = run.memory;
    this.#unmade = run.unmade === true;
    this.#barren = barren;
  }

  /** Returns one batch, whatever the maximum: it is enough work. */
  async next(): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const gathering = this.#ahead ?? this.#gather();
    this.#ahead = undefined;
    const next = await gathering;
    if (next === undefined) return undefined;
    this.#failure = next.failure;
    return this.#chunk(next.elements, next.mark);
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  async #gather(): Promise<Next | undefined> {
    if (!(await this.#input.load(this.#length))) return undefined;
    const mark: Mark = [this.#input.mark, 0];
    return { ...(await gather(this.#input, this.#length)), mark };
  }

  async #chunk(elements: Elements, mark: Mark): Promise<Chunk | undefined> {
    if (elements.length < this.#length && this.#dropRemainder) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#barren) this.#warn(elements.length);
      return undefined;
    }
    if (this.#unmade && elements instanceof RecordElements && elements.form === RAW) {
      this.#barren = false;
      return { elements: new UnmadeBatch(elements), mark };
    }
    try {
      const value = elements instanceof RecordElements ? await this.#batch(elements) : valuesOf(elements);
      this.#barren = false;
      const { origins } = elements;
      if (elements instanceof RecordElements && elements.form.copies(elements, this.#memory)) {
        elements.leave();
      }
      return { elements: new ArrayElements([value], joinedOrigins(origins, elements.length)), mark };
    } catch (error) {
      if (!(error instanceof ElementFault)) throw error;
      this.#failure = { error: error.cause };
      if (error.index === 0) throw error.cause;
      return this.#chunk(elements.slice(0, error.index), mark);
    }
  }

  #batch(records: RecordElements): unknown {
    const later = records.form.batchLater?.(records, this.#memory);
    if (later === undefined) return records.form.batch(records, this.#memory);
    if (records.length === this.#length && this.#failure === undefined) {
      this.#ahead = this.#gather();
      // `next` rejects with the same error, but may never be called.
      this.#ahead.catch(() => undefined);
    }
    return later;
  }

  #warn(elements: number): void {
    process.emitWarning(
      `${this.#stage} gave nothing: its input had ${counted(elements, 'element')}, fewer than ${this.#length}, and dropRemainder drops them.`,
      'TFRecordWarning',
    );
  }
}
