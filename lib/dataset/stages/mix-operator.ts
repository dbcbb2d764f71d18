import { TFRecordError } from '../../errors';
import type { Chunk, Mark, Operator } from '../engine/operator';
import type { Run } from '../engine/run';
import { Store } from '../engine/store';
import type { MixedPart, PartChooser } from './part-chooser';
import type { PartInput } from '../engine/input';

/** Where a mix stands: of each dataset that it opened, the elements that it gave, and where it stands. */
export type MixPlace = readonly (readonly [given: number, mark: Mark])[];

/** What becomes of a part that has ended: the others go on, all ends when it is chosen, or it begins again. */
export type WhenExhausted = 'drop' | 'stop' | 'repeat';

/** What a mix works with. */
export interface Mix {
  readonly run: Run;
  /** Of the stage. */
  readonly path: string;
  readonly chooser: PartChooser;
  readonly mixed: readonly MixedPart[];
  /** The parts, and what the chooser reads. */
  readonly opened: readonly MixedPart[];
  readonly exhausted: WhenExhausted;
  /** It begins at the start. */
  readonly fresh: boolean;
}

export class MixOperator implements Operator {
  readonly #mix: Mix;
  /** Before the first element it is found out whether a part is empty. */
  #looksFirst: boolean;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(mix: Mix) {
    this.#mix = mix;
    this.#looksFirst = mix.fresh && mix.exhausted !== 'drop';
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#looksFirst) await this.#lookFirst(max);
    const { opened, run } = this.#mix;
    const place: MixPlace = opened.map(({ given, input }) => [given, input.elements.mark]);
    const drawn = new Store();
    try {
      while (drawn.length < max && !this.#ended && !run.scope.closed) {
        if (!(await this.#step(drawn, max))) break;
      }
    } catch (error) {
      if (drawn.length === 0) throw error;
      this.#failure = { error };
    }
    if (drawn.length > 0) return { column: drawn.take(), mark: [place, 0] };
    await this.close();
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#mix.opened.map(({ input }) => input.elements.close()));
  }

  /** One step on. False where that would keep waiting what was drawn. */
  async #step(drawn: Store, max: number): Promise<boolean> {
    const { chooser, mixed, exhausted, run, path } = this.#mix;
    const needs = chooser.needs();
    if (needs.length > 0) return this.#load(needs, drawn, max);
    const chosen = chooser.part();
    const part = chosen === undefined ? undefined : mixed[chosen]!;
    if (part === undefined) {
      this.#ended = true;
    } else if (part.input.ready) {
      drawn.push(part.input.elements.column, part.input.elements.index++);
      part.given++;
      chooser.advance();
    } else if (!part.input.ended) {
      return this.#load([part.input], drawn, max);
    } else if (exhausted === 'repeat' && !run.scope.closed) {
      throw emptyPart(path, chosen!);
    } else if (exhausted !== 'drop' || mixed.every(({ input }) => input.ended)) {
      this.#ended = true;
    } else {
      chooser.advance();
      await run.scope.breathe();
    }
    return true;
  }

  async #load(parts: readonly PartInput[], drawn: Store, max: number): Promise<boolean> {
    const loading = parts.map((part) => part.load(max));
    if (drawn.length > 0 && !(await this.#mix.run.scope.settlesSoon(Promise.all(loading)))) return false;
    // One after the other: the error of the first part that has one is told.
    for (const loaded of loading) await loaded;
    return true;
  }

  async #lookFirst(max: number): Promise<void> {
    const { mixed, run, path } = this.#mix;
    const inputs = mixed.map(({ input }) => input);
    await this.#load(inputs, new Store(), max);
    this.#looksFirst = false;
    const empty = inputs.findIndex(({ ended }) => ended);
    if (empty >= 0 && !run.scope.closed) throw emptyPart(path, empty);
  }
}

/** A part that has nothing to give, also when it begins again. */
function emptyPart(stage: string, part: number): TFRecordError {
  return new TFRecordError(
    'ERR_INVALID_ARG_VALUE',
    `Part ${part} of ${stage} is empty. Leave it out, or pass exhausted: "drop".`,
    { stage, expected: 'at least one element', found: `none in part ${part}` },
  );
}
