import { checkChoice, checkOptions, invalidArgValue, neededInteger } from '../../base';
import { MAX_HELD } from '../arguments';
import { ArrayElements, type Elements } from '../engine/elements';
import { gather, type Input } from '../engine/input';
import { named } from '../engine/labels';
import {
  markAfter,
  countedMark,
  countedPlace,
  Deferred,
  misplaced,
  placeList,
  placeMark,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { movedOrigins } from '../engine/origins';
import { paddingOf, RecordElements } from '../engine/records';
import type { Numbered } from '../engine/numbered';
import { FileShare, stagePath, type Run } from '../engine/run';
import type { Scope } from '../engine/scope';
import { Stage } from '../engine/stage';
import { Store } from '../engine/store';
import { TFRecordStage } from '../sources/tfrecord';
import { NumberedOperator } from '../numbered/numbered-operator';
import { everyNth, mapped, neighbours } from '../numbered/sequences';

const SHARD_BY = ['auto', 'file', 'record', 'range', 'bytes'] as const;
const UNEVEN = ['keep', 'drop', 'pad'] as const;

/** The unit that is divided. */
type ShardBy = (typeof SHARD_BY)[number];
/** The treatment of shards if some would have one element more than others. */
type Uneven = (typeof UNEVEN)[number];

/** Checked options of `shard`. */
interface ShardSettings {
  readonly count: number;
  readonly index: number;
  readonly by: ShardBy;
  readonly uneven: Uneven;
}

/** Options of `shard`. Unknown names throw. */
export interface DatasetShardOptions {
  /**
   * The unit that is divided. `file`: a shard has the files whose number mod `count` is `index`, and opens no others.
   * `range`: a shard has a run of neighbours, and the first shards may have one more; the `size` must be known, or the stage
   * directly follows `Dataset.tfrecord`, which then loads the index beside each file, or scans the file. `record`: a shard has
   * the elements whose number mod `count` is `index`. `bytes`, directly after `Dataset.tfrecord`: a shard has the records that
   * begin in its share of the files' bytes, and reads only these, without an index; in a plain file, it begins with the first
   * record that is found in its share, and a compressed file belongs to one shard. `auto`: `file` if there are at least `count`
   * files and `uneven` is `keep`; otherwise `range` if the size is known; otherwise `record`, with a warning that each shard
   * reads everything. Default: `auto`.
   */
  by?: 'auto' | 'file' | 'record' | 'range' | 'bytes' | undefined;
  /**
   * The rule where some shards have one element more than others. `keep`: they keep it. `drop`: they drop it. `pad`: the
   * others repeat their first element, for which `context.valid` is false. Only `keep` is possible for files and bytes.
   * Default: `keep`.
   */
  uneven?: 'keep' | 'drop' | 'pad' | undefined;
}

/** The stage of `shard`, which reads one of `count` shards; each element is in exactly one of them. */
export class ShardStage extends Stage {
  readonly kind = 'shard';
  override readonly labels = [named('count'), named('index'), named('by'), named('uneven')];
  readonly #settings: ShardSettings;
  /** The source, if its files can be divided. */
  readonly #source: Stage | undefined;
  readonly #share: FileShare;
  /** `given` is true after the warning that each shard reads everything, which is emitted once for each dataset. */
  readonly #warning = { given: false };

  static of(input: Stage, count: number, index: number, options: DatasetShardOptions | undefined): ShardStage {
    const given = checkOptions(options, ['by', 'uneven']);
    const parts = neededInteger('count', count, 1, MAX_HELD);
    return new ShardStage(input, {
      count: parts,
      index: neededInteger('index', index, 0, parts - 1),
      by: checkChoice('options.by', given.by, SHARD_BY, 'auto'),
      uneven: checkChoice('options.uneven', given.uneven, UNEVEN, 'keep'),
    });
  }

  /** @throws TypeError if the input cannot be divided in this way */
  private constructor(input: Stage, settings: ShardSettings) {
    super(input);
    this.#settings = settings;
    this.#source = fileSource(input);
    this.#share = new FileShare(settings.count, settings.index);
    if (input.unseeded) {
      throw invalidArgValue(
        'shard',
        'after a seed if its input has a random order: without one each process draws another order, and ' +
          'elements are lost or repeated. Shard before the shuffle, or give it a seed',
        settings.index,
      );
    }
    if (settings.by === 'file') this.#checkFiles();
    if (settings.by === 'bytes') this.#checkBytes();
    if (settings.by === 'range' && !this.#hasSize && this.numbered === undefined) {
      throw invalidArgValue(
        'options.by',
        '"file" or "record" here: the number of elements is not known. Only records right after Dataset.tfrecord have an index',
        settings.by,
      );
    }
  }

  override get order(): readonly [number, number, ShardBy, Uneven] {
    const { count, index, by, uneven } = this.#settings;
    return [count, index, by, uneven];
  }

  override get size(): number | undefined {
    const { count, index, by, uneven } = this.#settings;
    const size = this.input?.size;
    if (size === undefined || by === 'file' || by === 'bytes' || (by === 'auto' && this.#mayDivideFiles))
      return undefined;
    if (size === Infinity || uneven === 'drop') return Math.floor(size / count);
    if (uneven === 'pad') return Math.ceil(size / count);
    return Math.floor(size / count) + (index < size % count ? 1 : 0);
  }

  override get numbered(): Numbered | undefined {
    const { by, ...share } = this.#settings;
    if (by === 'range') return mapped(this.input, (sequence) => neighbours(sequence, share));
    if (by === 'file' || by === 'bytes' || this.input?.readsByNumber !== true) return undefined;
    return mapped(this.input, (sequence) => everyNth(sequence, share));
  }

  override get readsByNumber(): boolean {
    return this.numbered !== undefined;
  }

  open(run: Run, from: Mark): Operator {
    const { by } = this.#settings;
    const { numbered } = this;
    if (numbered !== undefined) return new NumberedOperator(numbered, run, stagePath(run, this), from);
    if (by !== 'auto') return this.#openBy(by, run, from);
    const [at, skip] = from;
    if (at !== null) {
      const [chosen, inside] = placeList(stagePath(run, this), at, 2);
      return this.#openChosen(chosen, run, [inside, skip]);
    }
    return new Deferred(async () => {
      const chosen = await this.#choose(run);
      return tagged(this.#openBy(chosen, run, from), chosen);
    });
  }

  /** Opens the shard with the unit that a state names. */
  #openChosen(chosen: Json, run: Run, from: Mark): Operator {
    const byFile = chosen === 'file' && this.#mayDivideFiles;
    const byRange = chosen === 'range' && this.#hasSize;
    if (!byFile && !byRange && chosen !== 'record') {
      throw misplaced(stagePath(run, this), 'a way to divide that is possible here', chosen);
    }
    return tagged(this.#openBy(chosen, run, from), chosen);
  }

  #openBy(by: Exclude<ShardBy, 'auto'>, run: Run, from: Mark): Operator {
    const { count, index, uneven } = this.#settings;
    if (by === 'file') return this.openInput({ ...run, files: this.#share }, from);
    if (by === 'bytes') return this.openInput({ ...run, part: { count, index } }, from);
    const reread = (first: number, wanted: number): ReturnType<typeof repeated> => {
      const start = markAfter(START, first);
      return repeated(this.readInput(run, start), wanted);
    };
    if (by === 'range') {
      const [place, taken] = countedPlace(from, stagePath(run, this), this.size);
      const size = this.input!.size!;
      const begin = index * Math.floor(size / count) + Math.min(index, size % count);
      const given = taken + from[1];
      const start = from[0] === null ? markAfter(START, begin + given) : markAfter(place, from[1]);
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

  /** Chooses the unit: files if each shard has one, else a range if possible, else records. */
  async #choose(run: Run): Promise<Exclude<ShardBy, 'auto'>> {
    const { count } = this.#settings;
    if (this.#mayDivideFiles) {
      const files = (await this.#source?.listFiles(run.scope))?.length;
      if (files !== undefined && files >= count) return 'file';
    }
    if (this.#hasSize) return 'range';
    if (!this.#warning.given) {
      this.#warning.given = true;
      process.emitWarning(
        `Each of ${count} shards reads all records and keeps one in ${count}: there are fewer files than shards, or the stages before do not allow to divide them. Right after Dataset.tfrecord, { by: 'range' } reads only the records of its shard, by an index.`,
        'TFRecordWarning',
      );
    }
    return 'record';
  }

  get #mayDivideFiles(): boolean {
    // The number of records in files is unknown, so shards of files cannot be made even.
    return this.#source !== undefined && this.#settings.uneven === 'keep';
  }

  get #hasSize(): boolean {
    return Number.isFinite(this.input?.size);
  }

  #checkBytes(): void {
    if (!(this.input instanceof TFRecordStage) || !this.input.hasFiles) {
      throw invalidArgValue(
        'options.by',
        '"record" here: only the files of Dataset.tfrecord, right before, have bytes',
        'bytes',
      );
    }
    if (this.#settings.uneven !== 'keep') {
      throw invalidArgValue(
        'options.uneven',
        '"keep" where shards are bytes: how many records each has is not known without an index of the records',
        this.#settings.uneven,
      );
    }
  }

  #checkFiles(): void {
    if (this.#source === undefined) {
      throw invalidArgValue(
        'options.by',
        '"record" or "range" here: the files cannot be divided after these stages, or there are none',
        'file',
      );
    }
    if (this.#settings.uneven !== 'keep') {
      throw invalidArgValue(
        'options.uneven',
        '"keep" where shards are files: how many records each has is not known without an index of the records',
        this.#settings.uneven,
      );
    }
  }
}

/** Returns the source of a chain, if dividing its files divides the elements; else undefined. */
function fileSource(stage: Stage): Stage | undefined {
  if (stage.input === undefined) return stage.hasFiles ? stage : undefined;
  return stage.traits.perFile === true ? fileSource(stage.input) : undefined;
}

/** Returns `operator`, and adds the chosen unit to its places. */
function tagged(operator: Operator, by: ShardBy): Operator {
  return {
    async next(max) {
      const chunk = await operator.next(max);
      return chunk && { elements: chunk.elements, mark: [[by, chunk.mark[0]], chunk.mark[1]] };
    },
    close: () => operator.close(),
  };
}

/** The arguments of {@link RangeShardOperator}. */
interface RangeShard {
  /** Positioned at its next element. */
  readonly input: Input;
  readonly scope: Scope;
  /** Number of elements of the input. */
  readonly size: number;
  /** Number of the first element of the shard. */
  readonly begin: number;
  readonly count: number;
  readonly index: number;
  readonly uneven: Uneven;
  /** Reads `wanted` elements of the input again, from number `first` on. */
  readonly reread: (first: number, wanted: number) => Promise<Elements>;
}

/** Reads a run of neighbours; the first shards have one more. */
class RangeShardOperator implements Operator {
  readonly #shard: RangeShard;
  /** Number of elements without padding, and with it. */
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
    const elements = input.take(wanted);
    this.#given += elements.length;
    return { elements, mark };
  }

  close(): Promise<void> {
    return this.#shard.input.close();
  }

  /** Returns the first element of the shard again; for an empty shard, an element of another. */
  async #pad(): Promise<Chunk | undefined> {
    const { begin, index, size, input, reread } = this.#shard;
    const elements = await reread(this.#length > 0 ? begin : index % size, 1);
    if (elements.length === 0) return undefined;
    return { elements: invalid(elements, 0), mark: countedMark(input.mark, this.#given++) };
  }
}

/** The arguments of {@link RecordShardOperator}. */
interface RecordShard {
  /** Positioned at the start of a group of `count` elements, of which each shard has one. */
  readonly input: Input;
  readonly scope: Scope;
  readonly count: number;
  readonly index: number;
  readonly uneven: Uneven;
  /** True if this is the first group. */
  readonly fresh: boolean;
  /** Reads `wanted` elements of the input again, from number `first` on. */
  readonly reread: (first: number, wanted: number) => Promise<Elements>;
}

/** Reads element `index` of each group of `count`. Its places are the starts of groups. */
class RecordShardOperator implements Operator {
  readonly #shard: RecordShard;
  /** Number of elements of the current group that were read, and the mark of its start. */
  #seen = 0;
  #group: Mark = START;
  /** The element of this shard that was not yielded yet. */
  #picked: { readonly elements: Elements; readonly at: number; readonly mark: Mark } | undefined;
  /** The first group up to this shard's element, for padding a source that can be read only once. */
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
      while (input.ready && kept.length < max) {
        this.#see();
        const picked = this.#picked;
        if (picked === undefined || (this.#shard.uneven === 'drop' && this.#seen > 0)) continue;
        this.#picked = undefined;
        mark ??= picked.mark;
        kept.push(picked.elements, picked.at);
      }
    }
    return { elements: kept.take(), mark };
  }

  close(): Promise<void> {
    return this.#shard.input.close();
  }

  #see(): void {
    const { input, count, index } = this.#shard;
    const { elements, index: at } = input;
    if (this.#seen === 0) this.#group = input.mark;
    if (this.#seen === index) this.#picked = { elements, at, mark: [this.#group, 0] };
    if (this.#firsts !== undefined && this.#firsts.length <= index) this.#firsts.push(elements, at);
    input.index++;
    this.#seen = (this.#seen + 1) % count;
  }

  /** Pads the last group if it has no element for this shard, but for others. */
  async #end(): Promise<Chunk | undefined> {
    const { uneven, index, scope, reread } = this.#shard;
    const pads = uneven === 'pad' && this.#seen > 0 && this.#seen <= index && !scope.closed;
    this.#seen = 0;
    if (!pads) return undefined;
    const firsts = this.#firsts?.take() ?? (await reread(0, index + 1));
    // An empty shard is padded with elements of others.
    if (firsts.length === 0) return undefined;
    return { elements: invalid(firsts, index % firsts.length), mark: [this.#group, 0] };
  }
}

/** Reads the next `wanted` elements of `input`, and closes it. */
async function repeated(input: Input, wanted: number): Promise<Elements> {
  const { elements, failure } = await gather(input, wanted);
  await input.close();
  if (failure !== undefined) throw failure.error;
  return elements;
}

/** Returns element `index` of `elements` as padding, which is not valid. */
function invalid(elements: Elements, index: number): Elements {
  if (elements instanceof RecordElements) return paddingOf(elements, index);
  const origins = movedOrigins(elements.origins, () => index);
  return new ArrayElements([elements.at(index)], {
    origin: (at) => origins.origin(at),
    all: (at) => origins.all(at),
    valid: () => false,
    valids: (at) => origins.valids(at).map(() => false),
  });
}
