import { CursorSteps, watchForgotten, type Origin } from '../../record';
import type { DatasetIterator, DatasetSteps } from './dataset-iterator';
import { ElementCursor } from './element-cursor';
import type { Iteration } from './iteration';
import type { StageStats } from './stage-stats';
import { stateOf, type DatasetState } from './state';

/** What the user holds of an iteration: when it is forgotten, the iteration is closed. */
abstract class Steps<T> extends CursorSteps<T, ElementCursor> implements DatasetSteps<T> {
  constructor(iteration: Iteration) {
    super(new ElementCursor(iteration));
    watchForgotten(this, iteration, 'A dataset iterator');
  }

  state(): DatasetState {
    return stateOf(this.cursor);
  }

  stats(): readonly StageStats[] {
    return this.cursor.iteration.stats();
  }
}

/** Element by element. */
export class ElementSteps<T> extends Steps<T> implements DatasetIterator<T> {
  protected printedName(): string {
    return 'DatasetIterator';
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return this.cursor.next<T>(this);
  }

  get origin(): Origin | undefined {
    return this.origins[0];
  }

  get origins(): readonly Origin[] {
    return this.cursor.origins;
  }
}

/** As many at a time as there are at once, up to `size`. */
export class ChunkSteps<T> extends Steps<readonly T[]> {
  readonly #size: number;

  protected printedName(): string {
    return 'DatasetSteps';
  }

  constructor(iteration: Iteration, size = Infinity) {
    super(iteration);
    this.#size = size;
  }

  async next(): Promise<IteratorResult<readonly T[], undefined>> {
    const value = await this.cursor.nextValues<T>(this, this.#size);
    return value === undefined ? { value, done: true } : { value, done: false };
  }
}
