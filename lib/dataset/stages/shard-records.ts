import type { Column } from '../engine/elements';
import type { Input } from '../engine/input';
import { START, type Chunk, type Mark, type Operator } from '../engine/operator';
import type { Scope } from '../engine/scope';
import { Store } from '../engine/store';
import { paddingOf } from './shard-padding';
import type { Uneven } from './shard';

/** What a shard by record works with. */
export interface RecordShard {
  /** Stands at the start of a group of `count` elements, of which each shard has one. */
  readonly input: Input;
  readonly scope: Scope;
  readonly count: number;
  readonly index: number;
  readonly uneven: Uneven;
  /** Whether that is the first group. */
  readonly fresh: boolean;
  /** Reads `wanted` elements of the input from number `first` on once more. */
  readonly reread: (first: number, wanted: number) => Promise<Column>;
}

/** Element `index` of each group of `count`. Its places are those where groups begin. */
export class RecordShardOperator implements Operator {
  readonly #shard: RecordShard;
  /** Elements of the group in hand that were seen; where it begins. */
  #seen = 0;
  #group: Mark = START;
  /** Of this shard, but not given yet. */
  #picked: { readonly column: Column; readonly at: number; readonly mark: Mark } | undefined;
  /** Those of the first group, up to its own: a source that can be read once only is padded with them. */
  #firsts: Store | undefined;

  constructor(shard: RecordShard) {
    this.#shard = shard;
    if (shard.uneven === 'pad' && shard.fresh) this.#firsts = new Store();
  }

  async next(max: number): Promise<Chunk | undefined> {
    const { input, count } = this.#shard;
    const kept = new Store();
    let mark: Mark | undefined;
    while (mark === undefined) {
      if (!(await input.load(max * count))) return this.#end();
      while (input.index < input.column.length && kept.length < max) {
        this.#see();
        const picked = this.#picked;
        if (picked === undefined || (this.#shard.uneven === 'drop' && this.#seen > 0)) continue;
        this.#picked = undefined;
        mark ??= picked.mark;
        kept.push(picked.column, picked.at);
      }
    }
    return { column: kept.take(), mark };
  }

  close(): Promise<void> {
    return this.#shard.input.close();
  }

  #see(): void {
    const { input, count, index } = this.#shard;
    const { column, index: at } = input;
    if (this.#seen === 0) this.#group = input.mark;
    if (this.#seen === index) this.#picked = { column, at, mark: [this.#group, 0] };
    if (this.#firsts !== undefined && this.#firsts.length <= index) this.#firsts.push(column, at);
    input.index++;
    this.#seen = (this.#seen + 1) % count;
  }

  /** Pads a group that has none for this shard, where others have one. */
  async #end(): Promise<Chunk | undefined> {
    const { uneven, index, scope, reread } = this.#shard;
    const pads = uneven === 'pad' && this.#seen > 0 && this.#seen <= index && !scope.closed;
    this.#seen = 0;
    if (!pads) return undefined;
    const firsts = this.#firsts?.take() ?? (await reread(0, index + 1));
    // A shard that has none is filled with elements of others.
    if (firsts.length === 0) return undefined;
    return { column: paddingOf(firsts, index % firsts.length), mark: [this.#group, 0] };
  }
}
