import { checkBoolean, checkOptions, neededInteger } from '../../base';
import { type ErrorPolicy } from '../../record';
import { MAX_HELD } from '../arguments';
import { valueContents } from '../engine/fingerprint';
import type { Input } from '../engine/input';
import { placeMark, skipping, START, type Chunk, type Json, type Mark, type Operator } from '../engine/operator';
import { stagePath, type Run } from '../engine/run';
import type { Stage } from '../engine/stage';
import { PAD_OPTIONS, padRules, type PadOptions, type PadRules } from '../padding/pad-options';
import { PaddedRows } from '../padding/padded-rows';
import { BatchingStage } from './batch';

/** The stage of `paddedBatch`, which groups neighbours, and pads their sequences to one length. */
export class PaddedBatchStage extends BatchingStage {
  readonly kind = 'paddedBatch';
  readonly #rules: PadRules;

  static of(input: Stage, size: number, options: PadOptions<unknown> | undefined): PaddedBatchStage {
    const { shape, values, multipleOf, dropRemainder } = checkOptions(options, PAD_OPTIONS);
    const rules = padRules(shape, values, multipleOf);
    const drop = checkBoolean('options.dropRemainder', dropRemainder, false);
    return new PaddedBatchStage(input, neededInteger('size', size, 1, MAX_HELD), drop, rules);
  }

  constructor(input: Stage, length: number, dropRemainder: boolean, rules: PadRules) {
    super(input, length, dropRemainder);
    this.#rules = rules;
  }

  override get contents(): Json {
    return valueContents(this.#rules);
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const start = at === null ? START : placeMark(stagePath(run, this), at);
    const input = this.readInput(run, start);
    const path = stagePath(run, this);
    const rows = new PaddedRows(this.#rules, path);
    return skipping(
      new PaddedBatchOperator(input, rows, this.length, this.dropRemainder, run.policy(path)),
      skip,
      run.scope,
    );
  }
}

class PaddedBatchOperator implements Operator {
  readonly #input: Input;
  readonly #rows: PaddedRows;
  readonly #length: number;
  readonly #dropRemainder: boolean;
  readonly #policy: ErrorPolicy;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Input, rows: PaddedRows, length: number, dropRemainder: boolean, policy: ErrorPolicy) {
    this.#input = input;
    this.#rows = rows;
    this.#length = length;
    this.#dropRemainder = dropRemainder;
    this.#policy = policy;
  }

  async next(): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const rows = this.#rows;
    let mark: Mark | undefined;
    try {
      while (rows.length < this.#length && !this.#ended && (await this.#input.load(this.#length - rows.length))) {
        const { elements, index, mark: at } = this.#input;
        const fault = rows.add(elements, index);
        this.#input.index++;
        if (fault === undefined) mark ??= [at, 0];
        else if (this.#policy.resolve(fault) === 'stop') this.#ended = true;
      }
    } catch (error) {
      this.#failure = { error };
    }
    if (mark !== undefined && (rows.length === this.#length || !this.#dropRemainder)) {
      this.#policy.passed(rows.length);
      return { elements: rows.take(), mark };
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }
}
