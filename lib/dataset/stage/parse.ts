import { policyContents } from '../core/contents';
import type { Json } from '../core/json';
import type { RecordParsing, TransientMemory } from '../../example';
import type { ErrorPolicy } from '../../record';
import { RecordBatch, type OnError } from '../../record';
import { ArrayColumn, type Column } from '../core/column';
import type { Input } from '../core/input';
import type { Chunk, Mark, Operator } from '../core/operator';
import type { RecordForm } from '../core/records-column';
import { noteForm, type FormData } from '../kept/kept-form';
import { stagePath, type Run } from '../core/run';
import { Stage } from '../core/stage';
import { parsedForm } from './parsed-form';
import { recordsOf } from './records-of';

/** How records are parsed. */
export interface ParseStageOptions {
  /** What `parsing` was made of. */
  readonly source: () => FormData;
  readonly parsing: RecordParsing;
  readonly onError: OnError | undefined;
}

/**
 * `parse`: records become rows, and in batches columns. They stay records until somebody asks: what a later stage puts in
 * another order or in a batch is parsed then, and once. Where errors are not thrown they are parsed here, so that no later
 * stage counts what is skipped.
 */
export class ParseStage extends Stage {
  readonly kind: 'parse' | 'parseSequence';
  protected override readonly passes = true;
  readonly #options: ParseStageOptions;

  constructor(input: Stage, kind: 'parse' | 'parseSequence', options: ParseStageOptions) {
    super(input);
    this.kind = kind;
    this.#options = options;
  }

  override get contents(): Json {
    return [this.#options.parsing.key, policyContents(this.#options.onError)];
  }

  open(run: Run, from: Mark): Operator {
    const { onError, parsing, source } = this.#options;
    const path = stagePath(run, this);
    const policy = onError === undefined ? run.policy(path) : run.scope.policy(path, this, onError);
    const form = run.scope.form(parsing.key, () => noteForm(parsedForm(parsing), source));
    return new ParseOperator(this.readInput(run, from), parsing, form, { policy, path, memory: run.memory });
  }
}

interface ParseRun {
  readonly policy: ErrorPolicy;
  readonly path: string;
  readonly memory: TransientMemory | undefined;
}

class ParseOperator implements Operator {
  readonly #input: Input;
  readonly #parsing: RecordParsing;
  readonly #form: RecordForm;
  readonly #policy: ErrorPolicy;
  readonly #stage: string;
  readonly #memory: TransientMemory | undefined;
  #ended = false;

  constructor(input: Input, parsing: RecordParsing, form: RecordForm, { policy, path, memory }: ParseRun) {
    this.#input = input;
    this.#parsing = parsing;
    this.#form = form;
    this.#policy = policy;
    this.#stage = path;
    this.#memory = memory;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const input = this.#input;
    while (!this.#ended && (await input.load(max))) {
      const { mark } = input;
      const first = input.column.at(input.index);
      if (isBatch(first)) {
        const batch = this.#batch(first);
        const places = input.take(1).places;
        if (batch !== undefined) return { column: new ArrayColumn([batch], places), mark };
        continue;
      }
      const end = Math.min(input.column.length, input.index + max);
      const column = recordsOf(input.column.slice(input.index, end), this.#form, this.#stage);
      const good = this.#policy.alwaysThrows ? column.length : this.#good(column);
      input.index += good;
      this.#policy.passed(good);
      if (good > 0) return { column: column.slice(0, good), mark };
      // The one in hand is at fault: it was skipped.
      input.index++;
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /** The columns of a batch, without the records that the policy skips; undefined where it stops at the first. */
  #batch(records: RecordBatch | readonly Uint8Array[]): object | undefined {
    let left = records;
    for (;;) {
      const { rows, value, error } = this.#parsing.batch(left, this.#memory);
      if (error === undefined) return value;
      if (this.#policy.resolve(error) === 'stop') {
        this.#ended = true;
        return rows > 0 ? value : undefined;
      }
      left = [...left].filter((_, index) => index !== rows);
    }
  }

  /** How many at the start of `column` are good. Where none is, the policy has said to go on, or to stop. */
  #good(column: Column): number {
    for (let i = 0; i < column.length; i++) {
      try {
        column.at(i);
      } catch (error) {
        if (i === 0 && this.#policy.resolve(error as never) === 'stop') this.#ended = true;
        return i;
      }
    }
    return column.length;
  }
}

function isBatch(value: unknown): value is RecordBatch | readonly Uint8Array[] {
  return value instanceof RecordBatch || Array.isArray(value);
}
