import { counted } from '../../../base';
import type { Elements } from '../../engine/elements';
import { gather, type Input } from '../../engine/input';
import { plain, reshuffleLabel, seedLabel } from '../../engine/labels';
import {
  type Chunk,
  type Json,
  type Mark,
  misplaced,
  type Operator,
  placeCount,
  placeList,
  placeMark,
  START,
} from '../../engine/operator';
import { drawKey, type Run, stagePath } from '../../engine/run';
import type { Scope } from '../../engine/scope';
import { Stage } from '../../engine/stage';
import { permutation, seedJson, type Permutation, type Words } from '../../random';

/**
 * The stage of `shuffle('full')`, which holds all elements in memory: file names, small sets. All orders are equally
 * likely.
 */
export class FullShuffleStage extends Stage {
  readonly kind = 'shuffle';
  override readonly labels = [plain, seedLabel, reshuffleLabel];
  readonly #seed: Words | undefined;
  readonly #reshuffle: boolean;

  constructor(input: Stage, seed: Words | undefined, reshuffle: boolean) {
    super(input, { draws: { seed, reshuffle }, perFile: true });
    this.#seed = seed;
    this.#reshuffle = reshuffle;
  }

  override get order(): Json {
    return ['full', seedJson(this.#seed), this.#reshuffle];
  }

  open(run: Run, [at, skip]: Mark): Operator {
    // The mark of the first input, which detects a changed source.
    const path = stagePath(run, this);
    const [next, first] = at === null ? [0, START] : fullPlace(path, at, this.input?.size);
    const input = this.readInput(run, first);
    const key = drawKey(run, this);
    return new FullShuffleOperator(input, { key, path, scope: run.scope }, next + skip, first);
  }
}

function fullPlace(path: string, at: Json, size: number | undefined): readonly [next: number, first: Mark] {
  const [next, first] = placeList(path, at, 2);
  return [placeCount(path, 'elements given', next, size), placeMark(path, first)];
}

interface Shuffling {
  readonly key: Words;
  /** The stage's path. */
  readonly path: string;
  readonly scope: Scope;
}

class FullShuffleOperator implements Operator {
  readonly #input: Input;
  readonly #shuffle: Shuffling;
  #elements: Elements | undefined;
  #order: Permutation | undefined;
  #next: number;
  #first: Mark;

  constructor(input: Input, shuffle: Shuffling, next: number, first: Mark) {
    this.#input = input;
    this.#shuffle = shuffle;
    this.#next = next;
    this.#first = first;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#elements === undefined) {
      if (await this.#input.load(Infinity)) this.#first = this.#input.mark;
      const { elements, failure } = await gather(this.#input, Infinity);
      if (failure !== undefined) throw failure.error;
      const { path, scope } = this.#shuffle;
      if (this.#next > elements.length && !scope.closed) {
        throw misplaced(path, `${counted(this.#next, 'element')} or more`, `${elements.length}`);
      }
      this.#elements = elements;
    }
    const elements = this.#elements;
    const order = (this.#order ??= permutation(elements.length, this.#shuffle.key));
    const begin = this.#next;
    const count = Math.min(max, elements.length - begin);
    if (count <= 0) return undefined;
    this.#next += count;
    const given = elements.select(Array.from({ length: count }, (_, i) => order.at(begin + i)));
    return { elements: given, mark: [[begin, this.#first], 0] };
  }

  close(): Promise<void> {
    this.#next = Infinity;
    return this.#input.close();
  }
}
