import type { TFRecordError } from '../../errors';
import type { RecordParsing, TransientMemory } from '../../example';
import type { ErrorPolicy, OnError, RecordBatch } from '../../record';
import { type FormData, noteForm } from '../disk-cache/kept-form';
import { policyContents } from '../engine/fingerprint';
import { ArrayColumn, type Column } from '../engine/elements';
import type { Input } from '../engine/input';
import { type Chunk, type Json, type Mark, type Operator, placeMark, skipping } from '../engine/operator';
import { joinedPlaces, movedPlaces, rowPlaces } from '../engine/origins';
import { rawBatch, type RecordForm, type RecordsColumn, recordsOf } from '../engine/records';
import { type Run, stagePath } from '../engine/run';
import { Stage } from '../engine/stage';
import { FEW, goodRows, isBatch, recordsIn } from './good-rows';
import { parsedForm } from './parsed-form';

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
    const parse = { policy, path, memory: run.memory };
    const whole = cutBatch(from, path);
    if (whole === undefined) return new ParseOperator(this.readInput(run, from), parsing, form, parse);
    return skipping(new ParseOperator(this.readInput(run, whole), parsing, form, parse), from[1], run.scope);
  }
}

/**
 * The mark of a batch that is cut before a bad record; `whole` is the mark of the whole batch in the input. Resuming
 * after the cut batch makes it again, and meets the same error.
 */
function cutPlace(whole: Mark): Mark {
  return [{ cut: whole as unknown as Json }, 0];
}

/** The mark that {@link cutPlace} was given; undefined for a place of the input. */
function cutBatch([at]: Mark, path: string): Mark | undefined {
  const cut = typeof at === 'object' && at !== null && Object.hasOwn(at, 'cut');
  return cut ? placeMark(path, (at as { readonly cut: Json }).cut) : undefined;
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
  /** The error that follows the elements already given. */
  #failure: { readonly error: unknown } | undefined;
  /** Records to parse together: few after a bad one, so that the same records are not parsed again for each bad one. */
  #most = Infinity;

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
    while (!this.#ended && this.#failure === undefined && (await input.load(max))) {
      const { mark } = input;
      const first = input.column.at(input.index);
      if (isBatch(first)) {
        const chunk = this.#batch(first);
        if (chunk !== undefined) return chunk;
        continue;
      }
      const end = Math.min(input.column.length, input.index + Math.min(max, this.#most));
      const column = recordsOf(input.column.slice(input.index, end), this.#form, this.#stage);
      const good = this.#policy.alwaysThrows ? column.length : this.#good(column);
      this.#most = good === column.length ? 2 * this.#most : FEW;
      input.index += good;
      this.#policy.passed(good);
      if (good > 0) return { column: column.slice(0, good), mark };
      // The one in hand is at fault: it was skipped.
      input.index++;
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /**
   * The current batch as columns, without the records that the policy skips, and only up to the first record at which
   * the policy throws or stops. Undefined if no record is good.
   */
  #batch(first: RecordBatch | readonly Uint8Array[]): Chunk | undefined {
    const { mark, column, index } = this.#input;
    this.#input.index++;
    const { rows, value, error } = this.#parsing.batch(first, this.#memory);
    if (error === undefined) {
      this.#policy.passed(rows);
      return { column: new ArrayColumn([value], column.slice(index, index + 1).places), mark };
    }
    if (isTheBatch(error)) throw error;
    const good = goodRows(recordsIn(column, index, this.#stage), rows, this.#parsing, this.#policy);
    if (good.end === 'stop') this.#ended = true;
    else this.#failure = good.end;
    const { length } = good.rows;
    if (length === 0) return undefined;
    const joined = length === rows ? value : this.#goodBatch(good.records);
    const places = movedPlaces(rowPlaces(column.places, index, first.length), (row) => good.rows[row]!);
    return {
      column: new ArrayColumn([joined], joinedPlaces(places, length)),
      mark: good.end === undefined ? mark : cutPlace(mark),
    };
  }

  #goodBatch(records: RecordsColumn): object {
    const { value, error } = this.#parsing.batch(rawBatch(records), this.#memory);
    if (error !== undefined) throw error;
    return value;
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

/** True if `error` is about all records of a batch together. */
function isTheBatch({ code }: TFRecordError): boolean {
  return code === 'TFR_RECORD_TOO_LARGE' || code === 'ENOMEM';
}
