import type { Column } from '../engine/elements';
import type { Input } from '../engine/input';
import { countedMark, type Chunk, type Operator } from '../engine/operator';
import type { Scope } from '../engine/scope';
import { paddingOf } from './shard-padding';
import type { Uneven } from './shard';

/** What a shard by range works with. */
export interface RangeShard {
  /** Stands at its next element. */
  readonly input: Input;
  readonly scope: Scope;
  /** Elements of the input. */
  readonly size: number;
  /** The number of its first. */
  readonly begin: number;
  readonly count: number;
  readonly index: number;
  readonly uneven: Uneven;
  /** Reads `wanted` elements of the input from number `first` on once more. */
  readonly reread: (first: number, wanted: number) => Promise<Column>;
}

/** Neighbours; the first shards have one more. */
export class RangeShardOperator implements Operator {
  readonly #shard: RangeShard;
  /** Elements to give without padding, and with it. */
  readonly #length: number;
  readonly #padded: number;
  #given: number;

  constructor(shard: RangeShard, given: number) {
    const { size, count, index, uneven } = shard;
    const least = Math.floor(size / count);
    this.#shard = shard;
    this.#length = least + (uneven !== 'drop' && index < size % count ? 1 : 0);
    this.#padded = uneven === 'pad' ? Math.ceil(size / count) : this.#length;
    this.#given = given;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const { input, scope } = this.#shard;
    const wanted = Math.min(max, this.#length - this.#given);
    if (wanted <= 0) return this.#given < this.#padded && !scope.closed ? this.#pad() : undefined;
    if (!(await input.load(wanted))) return undefined;
    const mark = countedMark(input.mark, this.#given);
    const column = input.take(wanted);
    this.#given += column.length;
    return { column, mark };
  }

  close(): Promise<void> {
    return this.#shard.input.close();
  }

  /** The start of the shard once more; of a shard that has none, an element of another. */
  async #pad(): Promise<Chunk | undefined> {
    const { begin, index, size, input, reread } = this.#shard;
    const column = await reread(this.#length > 0 ? begin : index % size, 1);
    if (column.length === 0) return undefined;
    return { column: paddingOf(column, 0), mark: countedMark(input.mark, this.#given++) };
  }
}
