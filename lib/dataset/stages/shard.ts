import { invalidArgValue } from '../../errors';
import {
  behind,
  countedPlace,
  Deferred,
  type Json,
  type Mark,
  misplaced,
  type Operator,
  placeList,
  placeMark,
  START,
} from '../engine/operator';
import { FileShare, type Run, stagePath } from '../engine/run';
import { Stage } from '../engine/stage';
import { repeatedColumn } from './shard-padding';
import { RangeShardOperator } from './shard-range';
import { RecordShardOperator } from './shard-records';

export const SHARD_BY = ['auto', 'file', 'record', 'range'] as const;
export const UNEVEN = ['keep', 'drop', 'pad'] as const;

/** What shards are made of. */
export type ShardBy = (typeof SHARD_BY)[number];
/** What is done about shards of which some have one element more. */
export type Uneven = (typeof UNEVEN)[number];

/** How a dataset is divided. */
export interface ShardOptions {
  readonly count: number;
  readonly index: number;
  readonly by: ShardBy;
  readonly uneven: Uneven;
}

/** Stages behind which the elements of a file are still found when only that file is read. */
const EACH_BY_ITSELF: ReadonlySet<string> = new Set(
  'map mapWorker filter parse parseSequence flatMap unbatch interleave shuffle repeat prefetch seed onError'.split(' '),
);

/** `shard`: one of `count` parts, in which together each element is once. */
export class ShardStage extends Stage {
  readonly kind = 'shard';
  readonly #options: ShardOptions;
  /** The source, where its files can be divided. */
  readonly #source: Stage | undefined;
  readonly #share: FileShare;
  #warned = false;

  /** @throws TypeError where it cannot be divided in this way */
  constructor(input: Stage, options: ShardOptions) {
    super(input);
    this.#options = options;
    this.#source = fileSource(input);
    this.#share = new FileShare(options.count, options.index);
    if (input.unseeded) {
      throw invalidArgValue(
        'shard',
        'behind a seed where its input has a random order: without one each process draws another order, and ' +
          'elements are lost and come twice. Shard before the shuffle, or give it a seed',
        options.index,
      );
    }
    if (options.by === 'file') this.#checkFiles();
    if (options.by === 'range' && !this.#hasSize) {
      throw invalidArgValue(
        'options.by',
        '"file" or "record" here: the number of elements is not known without an index of the records',
        options.by,
      );
    }
  }

  override get order(): readonly [number, number, ShardBy, Uneven] {
    const { count, index, by, uneven } = this.#options;
    return [count, index, by, uneven];
  }

  override get size(): number | undefined {
    const { count, index, by, uneven } = this.#options;
    const size = this.input?.size;
    if (size === undefined || by === 'file' || (by === 'auto' && this.#mayDivideFiles)) return undefined;
    if (size === Infinity || uneven === 'drop') return Math.floor(size / count);
    if (uneven === 'pad') return Math.ceil(size / count);
    return Math.floor(size / count) + (index < size % count ? 1 : 0);
  }

  open(run: Run, from: Mark): Operator {
    const { by } = this.#options;
    if (by !== 'auto') return this.#openBy(by, run, from);
    const [at, skip] = from;
    if (at !== null) {
      const [chosen, inside] = placeList(stagePath(run, this), at, 2);
      return this.#openChosen(chosen as Json, run, [inside as Json, skip]);
    }
    return new Deferred(async () => {
      const chosen = await this.#choose(run);
      return tagged(this.#openBy(chosen, run, from), chosen);
    });
  }

  /** Opens the way to divide that a state names. */
  #openChosen(chosen: Json, run: Run, from: Mark): Operator {
    const byFile = chosen === 'file' && this.#mayDivideFiles;
    const byRange = chosen === 'range' && this.#hasSize;
    if (!byFile && !byRange && chosen !== 'record') {
      throw misplaced(stagePath(run, this), 'a way to divide that is possible here', chosen);
    }
    return tagged(this.#openBy(chosen, run, from), chosen);
  }

  #openBy(by: Exclude<ShardBy, 'auto'>, run: Run, from: Mark): Operator {
    const { count, index, uneven } = this.#options;
    if (by === 'file') return this.openInput({ ...run, files: this.#share }, from);
    const reread = (first: number, wanted: number): ReturnType<typeof repeatedColumn> => {
      const start = behind(START, first);
      return repeatedColumn(this.readInput(run, start), wanted);
    };
    if (by === 'range') {
      const [place, taken] = countedPlace(from, stagePath(run, this), this.size);
      const size = this.input!.size!;
      const begin = index * Math.floor(size / count) + Math.min(index, size % count);
      const given = taken + from[1];
      const start = from[0] === null ? behind(START, begin + given) : behind(place, from[1]);
      const input = this.readInput(run, start);
      return new RangeShardOperator({ input, scope: run.scope, size, begin, count, index, uneven, reread }, given);
    }
    const input = this.readInput(
      run,
      from[0] === null ? START : placeMark(stagePath(run, this), from[0]),
      from[1] * count,
    );
    const fresh = from[0] === null && from[1] === 0;
    return new RecordShardOperator({ input, scope: run.scope, count, index, uneven, fresh, reread });
  }

  /** By file where each shard has one, else by range where that can be, else by record. */
  async #choose(run: Run): Promise<Exclude<ShardBy, 'auto'>> {
    const { count } = this.#options;
    if (this.#mayDivideFiles) {
      const files = (await this.#source?.listFiles(run.scope))?.length;
      if (files !== undefined && files >= count) return 'file';
    }
    if (this.#hasSize) return 'range';
    if (!this.#warned) {
      this.#warned = true;
      process.emitWarning(
        `Each of ${count} shards reads all records and keeps one in ${count}: there are fewer files than shards, or the stages before do not allow to divide them.`,
        'TFRecordWarning',
      );
    }
    return 'record';
  }

  get #mayDivideFiles(): boolean {
    // How many records files have is not known: shards of them cannot be made even.
    return this.#source !== undefined && this.#options.uneven === 'keep';
  }

  get #hasSize(): boolean {
    return Number.isFinite(this.input?.size);
  }

  #checkFiles(): void {
    if (this.#source === undefined) {
      throw invalidArgValue(
        'options.by',
        '"record" or "range" here: the files cannot be divided behind these stages, or there are none',
        'file',
      );
    }
    if (this.#options.uneven !== 'keep') {
      throw invalidArgValue(
        'options.uneven',
        '"keep" where shards are files: how many records each has is not known without an index of the records',
        this.#options.uneven,
      );
    }
  }
}

/** The source of a chain, where its files can be divided and the elements are divided with them. */
function fileSource(stage: Stage): Stage | undefined {
  if (stage.input === undefined) return stage.hasFiles ? stage : undefined;
  return EACH_BY_ITSELF.has(stage.kind) ? fileSource(stage.input) : undefined;
}

/** `operator`, whose places say what was chosen. */
function tagged(operator: Operator, by: ShardBy): Operator {
  return {
    async next(max) {
      const chunk = await operator.next(max);
      return chunk && { column: chunk.column, mark: [[by, chunk.mark[0]], chunk.mark[1]] };
    },
    close: () => operator.close(),
  };
}
