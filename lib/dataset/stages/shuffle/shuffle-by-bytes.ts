import { counted } from '../../../base';
import type { Elements } from '../../engine/elements';
import type { Input } from '../../engine/input';
import { named, plain, reshuffleLabel, seedLabel } from '../../engine/labels';
import {
  misplaced,
  placeCount,
  placeList,
  placeListUpTo,
  placeMark,
  skipping,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../../engine/operator';
import { drawKey, stagePath, type Run } from '../../engine/run';
import { MAX_ELEMENTS } from '../../engine/scope';
import { bytesAt } from '../../engine/sizes';
import { Stage } from '../../engine/stage';
import { Store } from '../../engine/store';
import { Draws, seedJson, type Words } from '../../random';
import type { ShuffleSettings } from './shuffle-buffer';

/** Checked options of a shuffle with bounded bytes. */
interface ByteShuffleSettings extends ShuffleSettings {
  readonly bytes: number;
}

/**
 * The stage of `shuffle` with a limit of bytes: the buffer is full if it has `size` elements, or if the next one does
 * not fit. Its contents depend on the sizes of all elements so far, so its state stores the numbers of the elements in
 * it.
 */
export class ByteShuffleStage extends Stage {
  readonly kind = 'shuffle';
  override readonly labels = [plain, seedLabel, reshuffleLabel, named('bytes')];
  readonly #settings: ByteShuffleSettings;

  constructor(input: Stage, settings: ByteShuffleSettings) {
    super(input, { draws: settings, perFile: true });
    this.#settings = settings;
  }

  override get order(): Json {
    const { size, seed, reshuffle, bytes } = this.#settings;
    return [size, seedJson(seed), reshuffle, bytes];
  }

  /** Several chunks share one place. */
  override get maxSkipped(): number {
    return Math.max(super.maxSkipped, Math.min(MAX_SINCE, this.#settings.size) + MAX_ELEMENTS);
  }

  open(run: Run, from: Mark): Operator {
    const key = drawKey(run, this);
    const path = stagePath(run, this);
    const place = from[0] === null ? FIRST : bytePlace(path, from[0], this.#settings.size);
    const operator = new ByteShuffleOperator(this.readInput(run, place[1]), this.#settings, key, place, { run, path });
    return skipping(operator, from[1], run.scope);
  }
}

/**
 * The place of a shuffle with bounded bytes: number of draws so far; the mark of the chunk of the oldest element in the
 * buffer, and the number of the chunk's first element; the number of the next input; the numbers of the elements in the
 * buffer, by place.
 */
type ByteShufflePosition = readonly [drawn: number, oldest: Mark, first: number, next: number, held: readonly number[]];

const FIRST: ByteShufflePosition = [0, START, 0, 0, []];
/** Maximum stay of an element in the buffer, in inputs for each place of the buffer. */
const LONGEST_STAY = 64;
const SLACK = MAX_ELEMENTS;

function bytePlace(path: string, at: Json, size: number): ByteShufflePosition {
  const [drawn, oldest, number, to, numbers] = placeList(path, at, 5);
  const first = placeCount(path, 'the number of an input', number);
  const next = placeCount(path, 'the number of an input', to, first + LONGEST_STAY * size + SLACK);
  const held = placeListUpTo(path, numbers, size).map((one) =>
    placeCount(path, 'the number of an input', one, next - 1),
  );
  if (held.length === 0 || held.some((one) => one < first) || new Set(held).size < held.length) {
    throw misplaced(path, `inputs from ${first} to ${next - 1}, each once`, numbers);
  }
  return [placeCount(path, 'numbers drawn', drawn), placeMark(path, oldest), first, next, held];
}

/** A chunk of the input. */
interface Loaded {
  readonly mark: Mark;
  readonly first: number;
}

/** Maximum number of draws after a place, which resuming skips. */
const MAX_SINCE = 2 ** 20;

interface BufferedElement {
  readonly elements: Elements;
  readonly at: number;
  readonly bytes: number;
  readonly number: number;
  readonly loaded: Loaded;
}

class ByteShuffleOperator implements Operator {
  readonly #input: Input;
  readonly #settings: ByteShuffleSettings;
  readonly #run: Run;
  readonly #path: string;
  readonly #draws: Draws;
  readonly #buffer: BufferedElement[] = [];
  #bytes = 0;
  #loaded: Loaded;
  /** Number of the next input. */
  #next: number;
  #from: ByteShufflePosition | undefined;
  /**
   * The place of recent marks, and the number of elements since. A place is as large as the buffer, so many marks share
   * one.
   */
  #place: ByteShufflePosition | undefined;
  #since = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    input: Input,
    settings: ByteShuffleSettings,
    key: Words,
    place: ByteShufflePosition,
    { run, path }: { run: Run; path: string },
  ) {
    this.#input = input;
    this.#run = run;
    this.#path = path;
    this.#settings = settings;
    this.#draws = new Draws(key, place[0]);
    this.#next = place[2];
    this.#loaded = { mark: place[1], first: place[2] };
    this.#from = place;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#from !== undefined) await this.#restore(this.#from);
    while ((await this.#load()) && this.#fits(0)) this.#put(this.#buffer.length);
    if (this.#buffer.length > 0) return this.#draw(max);
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /**
   * Loads an element if none is loaded. False at the end. Elements before an error leave the buffer before the error is
   * thrown.
   */
  async #load(): Promise<boolean> {
    if (this.#input.ready) return true;
    if (this.#ended) return false;
    try {
      this.#ended = !(await this.#input.load(Infinity));
      if (!this.#ended) this.#loaded = { mark: this.#input.mark, first: this.#next };
    } catch (error) {
      this.#failure = { error };
      this.#ended = true;
    }
    return !this.#ended;
  }

  /**
   * True if the loaded element fits after `leaving` bytes have left the buffer. An empty buffer accepts any element.
   */
  #fits(leaving: number, elements = 0): boolean {
    const { size, bytes } = this.#settings;
    const left = this.#buffer.length - elements;
    if (left === 0) return true;
    return left < size && this.#bytes - leaving + bytesAt(this.#input.elements, this.#input.index) <= bytes;
  }

  /** Puts the next input at place `at`. */
  #put(at: number): void {
    const { elements, index } = this.#input;
    const bytes = bytesAt(elements, index);
    this.#buffer[at] = { elements, at: index, bytes, number: this.#next++, loaded: this.#loaded };
    this.#input.index++;
    this.#bytes += bytes;
  }

  #draw(max: number): Chunk {
    const mark = this.#mark();
    const drawn = new Store();
    // Draws only if the buffer is full, or the input has ended.
    while (drawn.length < max && this.#buffer.length > 0 && (this.#ended || (this.#input.ready && !this.#fits(0)))) {
      const at = this.#draws.below(this.#buffer.length);
      const held = this.#buffer[at]!;
      drawn.push(held.elements, held.at);
      const follows = this.#input.ready && this.#fits(held.bytes, 1);
      this.#bytes -= held.bytes;
      if (follows) this.#put(at);
      else this.#fillFromEnd(at);
      while (this.#input.ready && this.#fits(0)) this.#put(this.#buffer.length);
      this.#since++;
    }
    return { elements: drawn.take(), mark };
  }

  #fillFromEnd(at: number): void {
    const last = this.#buffer.pop()!;
    if (at < this.#buffer.length) this.#buffer[at] = last;
  }

  #mark(): Mark {
    if (this.#place === undefined || this.#since >= Math.min(MAX_SINCE, this.#buffer.length)) {
      let oldest = this.#buffer[0]!;
      for (const held of this.#buffer) if (held.number < oldest.number) oldest = held;
      const { mark, first } = oldest.loaded;
      this.#place = [this.#draws.drawn, mark, first, this.#next, this.#buffer.map(({ number }) => number)];
      this.#since = 0;
    }
    return [this.#place, this.#since];
  }

  /** Restores the buffer: reads its elements again. */
  async #restore([, , , next, numbers]: ByteShufflePosition): Promise<void> {
    this.#from = undefined;
    let found = 0;
    const places = new Map(numbers.map((number, at) => [number, at]));
    while (this.#next < next && (await this.#load())) {
      const at = places.get(this.#next);
      if (at === undefined) {
        this.#input.index++;
        this.#next++;
      } else {
        this.#put(at);
        found++;
      }
    }
    if (found === numbers.length) return;
    this.#buffer.length = 0;
    // The source reports its own error instead.
    if (this.#failure !== undefined || this.#run.scope.closed) return;
    throw misplaced(this.#path, `${counted(numbers.length, 'element')} that were in the buffer`, `${found} of them`);
  }
}
