import { checkBoolean, checkOptions, counted, invalidArgType, invalidArgValue, neededInteger } from '../../../base';
import { commonSize, newSlab, type MemoryPool } from '../../../io';
import { gatherRecords, partsOf } from '../../../record';
import { checkHeld, countOr, MAX_HELD, MAX_IN_MEMORY } from '../../arguments';
import type { Input } from '../../engine/input';
import { plain, reshuffleLabel, seedLabel } from '../../engine/labels';
import {
  misplaced,
  placeCount,
  placeList,
  placeMark,
  placeOrNull,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../../engine/operator';
import { NeighbourRecords, Slab, type RecordElements } from '../../engine/records';
import { drawKey, stagePath, type Run } from '../../engine/run';
import { MAX_ELEMENTS } from '../../engine/scope';
import { Stage } from '../../engine/stage';
import { Draws, optionalSeed, seedJson, type Seed } from '../../random';
import type { Blocks } from '../../numbered/blocks';
import { FullShuffleStage } from './full-shuffle';
import { RecordShuffleStage } from './record-shuffle';
import { replayShuffle, type DrawPoint } from './replay-shuffle';
import { DrawnElements, ShuffleBuffer, type ShuffleSettings } from './shuffle-buffer';
import { ByteShuffleStage } from './shuffle-by-bytes';

/** Options of `shuffle`. Unknown names throw. */
export interface ShuffleOptions {
  /** The seed of this stage only. Default: the seed of the dataset. */
  seed?: Seed | undefined;
  /** True if each epoch, and each iteration of the dataset, has an order of its own. Default true. */
  reshuffle?: boolean | undefined;
  /**
   * Approximate maximum bytes of all elements in the buffer, which always holds at least one. A state then stores the
   * number of each element in the buffer. Default: no limit.
   */
  bytes?: number | undefined;
}

/** The blocks that `shuffle` mixes. Unknown names throw. */
export interface ShuffleBlocks {
  /** Number of neighbouring records in a block. */
  blockSize: number;
  /** Number of blocks that are held, and mixed with each other, at a time. */
  blocks: number;
}

/**
 * Returns the stage of `shuffle`: a full shuffle, one of blocks, or a buffer limited by elements, or by elements and bytes.
 */
export function shuffleOf(
  input: Stage,
  buffer: number | 'full' | ShuffleBlocks,
  options: ShuffleOptions | undefined,
): Stage {
  const given = checkOptions(options, ['seed', 'reshuffle', 'bytes']);
  const seed = optionalSeed('options.seed', given.seed);
  const reshuffle = checkBoolean('options.reshuffle', given.reshuffle, true);
  const bytes =
    given.bytes === undefined ? undefined : neededInteger('options.bytes', given.bytes, 1, Number.MAX_SAFE_INTEGER);
  const { numbered } = input;
  if (typeof buffer === 'object') {
    const blocks = checkBlocks(buffer);
    if (bytes !== undefined) throw invalidArgType('options.bytes', 'left out: blocks have a number of elements', bytes);
    if (numbered === undefined) throw unnumbered(buffer);
    return new RecordShuffleStage(input, numbered, { blocks, seed, reshuffle });
  }
  const size = countOr('buffer', buffer, 'full', 1, MAX_HELD);
  if (size === 'full') {
    if (bytes !== undefined) throw invalidArgType('options.bytes', 'left out: a full shuffle holds all', bytes);
    if (numbered !== undefined) return new RecordShuffleStage(input, numbered, { blocks: undefined, seed, reshuffle });
    if (input.size === undefined && input.kind !== 'files') throw unnumbered(buffer);
    checkHeld('buffer', Infinity, input.size);
    return new FullShuffleStage(input, seed, reshuffle);
  }
  if (bytes !== undefined) return new ByteShuffleStage(input, { size, seed, reshuffle, bytes });
  checkHeld('buffer', size, input.size);
  return new ShuffleStage(input, { size, seed, reshuffle });
}

function checkBlocks(buffer: ShuffleBlocks): Blocks {
  const given = checkOptions(buffer, ['blockSize', 'blocks'], 'buffer');
  const blockSize = neededInteger('buffer.blockSize', given.blockSize, 1, MAX_HELD);
  const blocks = neededInteger('buffer.blocks', given.blocks, 1, MAX_HELD);
  checkHeld('buffer', blockSize * blocks, Infinity);
  return { blockSize, blocks };
}

function unnumbered(buffer: unknown): TypeError {
  return invalidArgValue(
    'buffer',
    'a number here: where each record is cannot be known after these stages, or in this source. Shuffle the records of ' +
      'Dataset.tfrecord(files) before other stages, or shuffle the files in full',
    buffer,
  );
}

/**
 * The stage of `shuffle`: a buffer of `size` elements, in which each new element replaces a random one, which is
 * yielded. Its state is the number of elements that have left, and the mark of the oldest in the buffer. To resume, it
 * repeats the draws on numbers, and reads the buffer again.
 */
class ShuffleStage extends Stage {
  readonly kind = 'shuffle';
  override readonly labels = [plain, seedLabel, reshuffleLabel];
  readonly #settings: ShuffleSettings;

  constructor(input: Stage, settings: ShuffleSettings) {
    super(input, { draws: settings, passes: true, perFile: true });
    this.#settings = settings;
  }

  override get order(): Json {
    const { size, seed, reshuffle } = this.#settings;
    return [size, seedJson(seed), reshuffle];
  }

  open(run: Run, from: Mark): Operator {
    const { size } = this.#settings;
    const draws = new Draws(drawKey(run, this));
    const path = stagePath(run, this);
    const place = shufflePlace(path, from, size, this.input?.size);
    draws.skipTo(place.draws[1]);
    const input = this.readInput(run, place.oldest);
    return skipping(new ShuffleOperator(input, size, draws, place, { run, path }), from[1], run.scope);
  }
}

/** The place of a shuffle, checked. */
interface ShufflePosition {
  /** Number of elements that have left the buffer. */
  readonly given: number;
  /** The mark of the chunk of the oldest element in the buffer, and the number of the chunk's first element. */
  readonly oldest: Mark;
  readonly first: number;
  /** Number of elements of the input, if its end was reached; else null. */
  readonly total: number | null;
  /** The state of the draws when that chunk was loaded, or somewhat earlier. */
  readonly draws: DrawPoint;
}

/** Maximum stay of an element in the buffer, in draws for each place of the buffer. */
const LONGEST_STAY = 64;
/** Allowance for the elements of a chunk, and for the draws between two recorded points. */
const SLACK = 2 * MAX_ELEMENTS;

function shufflePlace(path: string, [at]: Mark, size: number, inputs: number | undefined): ShufflePosition {
  if (at === null) return { given: 0, oldest: START, first: 0, total: null, draws: [0, 0] };
  const [left, oldest, number, end, steps, drawn] = placeList(path, at, 6);
  const all = inputs !== undefined && Number.isFinite(inputs) ? inputs : undefined;
  const total = placeOrNull(end, (count) => placeCount(path, 'a number of inputs', count, all));
  const given = placeCount(path, 'elements given', left, total ?? all);
  const next = Math.min(size + given, total ?? Infinity);
  const first = placeCount(path, 'the number of an input', number, next);
  const step = placeCount(path, 'elements given before', steps, Math.max(0, Math.min(given, first - size)));
  const draws = placeCount(path, 'numbers drawn', drawn);
  const held = next - given;
  if (given - step > LONGEST_STAY * size + SLACK || draws < step || held > MAX_IN_MEMORY) {
    throw misplaced(path, 'a place of a buffer of its size', at);
  }
  return { given, oldest: placeMark(path, oldest), first, total, draws: [step, draws] };
}

class ShuffleOperator implements Operator {
  readonly #input: Input;
  readonly #size: number;
  readonly #draws: Draws;
  readonly #run: Run;
  readonly #path: string;
  readonly #buffer = new ShuffleBuffer();
  #given: number;
  /** Number of the next input. */
  #next: number;
  /** The place to resume from; undefined after the buffer was restored. */
  #from: ShufflePosition | undefined;
  /** Recorded points of the replayed draws. */
  #points: readonly DrawPoint[] = [];
  /** Number of the first input after those that were read before resuming. */
  readonly #used: number;
  #ended = false;
  /** The pending load. */
  #loading: Promise<boolean> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    input: Input,
    size: number,
    draws: Draws,
    place: ShufflePosition,
    { run, path }: { run: Run; path: string },
  ) {
    const { given, first, total } = place;
    this.#run = run;
    this.#path = path;
    this.#input = input;
    this.#size = size;
    this.#draws = draws;
    this.#given = given;
    this.#next = first;
    this.#used = Math.min(total ?? Infinity, size + given);
    if (given > 0) this.#from = place;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#from !== undefined) await this.#fillAgain(this.#from);
    while (this.#buffer.length < this.#size && (await this.#load())) {
      this.#buffer.add(this.#input.elements, this.#input.index++);
      this.#next++;
    }
    // The end of the input must be known before the mark is made.
    if (this.#buffer.length > 0) await this.#load();
    if (this.#buffer.length > 0) return this.#draw(max);
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /** Loads an input if none is loaded. False at the end. */
  #load(): Promise<boolean> | boolean {
    if (this.#input.ready) return true;
    return !this.#ended && (this.#loading ??= this.#read());
  }

  /** Loads a chunk. An error is thrown after the elements before it have left the buffer. */
  async #read(): Promise<boolean> {
    const input = this.#input;
    try {
      this.#ended = !(await input.load(Infinity));
      if (!this.#ended) this.#buffer.load(input.elements, input.mark, this.#next, this.#drawsAt(this.#next));
      this.#buffer.compact((records) => compactRecords(records, this.#run.slabs));
    } catch (error) {
      this.#failure = { error };
      this.#ended = true;
    }
    this.#loading = undefined;
    return !this.#ended;
  }

  async #draw(max: number): Promise<Chunk> {
    const { mark, first, draws } = this.#buffer.oldest();
    const total = this.#ended ? this.#next : null;
    const place = [this.#given, mark, first, total, ...draws];
    const { form } = this.#buffer;
    const drawn = new DrawnElements(form, max);
    do this.#drawInto(drawn, max);
    while (
      drawn.length < max &&
      this.#buffer.length > 0 &&
      (await this.#loadsSoon()) &&
      // Records and other elements are not handed over together.
      this.#buffer.form === form
    );
    return { elements: drawn.elements(), mark: [place, 0] };
  }

  /** Resolves to true if the next input, or the end, is ready without a wait. */
  async #loadsSoon(): Promise<boolean> {
    const loading = this.#load();
    return typeof loading === 'boolean' || this.#run.scope.settlesSoon(loading);
  }

  /** Draws an element for each loaded input; at the end of the input, draws all. */
  #drawInto(drawn: DrawnElements, max: number): void {
    const input = this.#input;
    while (drawn.length < max && this.#buffer.length > 0) {
      const free = max - drawn.length;
      const loaded = Math.min(free, input.elements.length - input.index);
      const count = loaded > 0 ? loaded : Math.min(free, this.#buffer.length);
      if (loaded > 0) {
        this.#buffer.exchange(this.#draws, drawn, input.elements, input.index, count);
        input.index += count;
        this.#next += count;
      } else {
        if (!this.#ended) break;
        this.#buffer.drain(this.#draws, drawn, count);
      }
      this.#given += count;
    }
  }

  /** Returns the state of the draws when input `number` was loaded; for replayed draws, somewhat earlier. */
  #drawsAt(number: number): DrawPoint {
    if (this.#from === undefined && this.#points.length === 0) return [this.#given, this.#draws.drawn];
    const step = Math.max(0, number - this.#size);
    return this.#points.findLast(([given]) => given <= step) ?? this.#points[0]!;
  }

  /** Restores the buffer: reads its elements again. */
  async #fillAgain({ given, total, draws: from }: ShufflePosition): Promise<void> {
    const replayed = await replayShuffle({ size: this.#size, from, given, total }, this.#draws, this.#run.scope);
    const { held } = replayed;
    this.#from = undefined;
    this.#points = replayed.points;
    const places = new Map(Array.from(held, (number, at) => [number, at]));
    let found = 0;
    while (this.#next < this.#used && (await this.#load())) {
      const at = places.get(this.#next);
      if (at === undefined) {
        this.#input.index++;
        this.#next++;
        continue;
      }
      this.#buffer.restore(at, this.#input.elements, this.#input.index++);
      this.#next++;
      found++;
    }
    this.#points = [];
    if (found < held.length) {
      // The source reports its own error instead.
      if (this.#failure !== undefined || this.#run.scope.closed) return;
      throw misplaced(this.#path, `${counted(held.length, 'element')} that were in the buffer`, `${found} of them`);
    }
    this.#buffer.restored(held.length);
  }
}

/** Copies records into memory of their own, so that their slabs can be released. `pool`: see `Run.slabs`. */
function compactRecords(records: RecordElements, pool: MemoryPool | undefined): NeighbourRecords {
  const { origins } = records;
  const batch = gatherRecords(records, origins, (bytes) => {
    return pool === undefined ? newSlab(bytes, '<buffer>') : pool.lease(commonSize(bytes), '<buffer>');
  });
  records.leave();
  const slab = new Slab(partsOf(batch).source, (frame) => origins.valid(frame), pool);
  return new NeighbourRecords(records.form, slab, 0, records.length);
}
