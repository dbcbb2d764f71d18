import { checkBoolean, checkInteger, checkOptions, neededInteger } from '../../base';
import { checkHeld, MAX_HELD } from '../arguments';
import { ArrayElements, type Elements } from '../engine/elements';
import type { Input } from '../engine/input';
import { flag, named, plain } from '../engine/labels';
import { placeMark, skipping, START, type Chunk, type Mark, type Operator } from '../engine/operator';
import { gatheredOrigins, joinedOrigins, type Origins } from '../engine/origins';
import { stagePath, type Run } from '../engine/run';
import { Stage } from '../engine/stage';

/** Checked options of windows. */
interface WindowSettings {
  readonly size: number;
  /** Elements from the start of one window to the start of the next. */
  readonly shift: number;
  /** Elements from one element of a window to the next one. */
  readonly stride: number;
  readonly dropRemainder: boolean;
}

/** Options of `window`. Unknown names throw. */
export interface WindowOptions {
  /** Elements from the start of one window to the start of the next. Default: the size of a window. */
  shift?: number | undefined;
  /** Elements from one element of a window to the next one. Default 1. */
  stride?: number | undefined;
  /** Drops the windows at the end that are not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/** The stage of `window`: arrays of `size` elements that begin every `shift` elements; those at the end are shorter. */
export class WindowStage extends Stage {
  readonly kind = 'window';
  override readonly labels = [plain, named('shift'), named('stride'), flag('dropRemainder')];
  readonly #settings: WindowSettings;

  static of(input: Stage, size: number, options: WindowOptions | undefined): WindowStage {
    const given = checkOptions(options, ['shift', 'stride', 'dropRemainder']);
    const length = neededInteger('size', size, 1, MAX_HELD);
    checkHeld('size', length, input.size);
    return new WindowStage(input, {
      size: length,
      shift: checkInteger('options.shift', given.shift, 1, Number.MAX_SAFE_INTEGER, length),
      stride: checkInteger('options.stride', given.stride, 1, MAX_HELD, 1),
      dropRemainder: checkBoolean('options.dropRemainder', given.dropRemainder, false),
    });
  }

  private constructor(input: Stage, settings: WindowSettings) {
    super(input);
    this.#settings = settings;
  }

  override get order(): readonly [number, number, number, boolean] {
    const { size, shift, stride, dropRemainder } = this.#settings;
    return [size, shift, stride, dropRemainder];
  }

  override get size(): number | undefined {
    const count = this.input?.size;
    if (count === undefined) return undefined;
    const { size, shift, stride, dropRemainder } = this.#settings;
    // Number of elements that a window can begin with.
    const starts = dropRemainder ? count - (size - 1) * stride : count;
    return Math.max(0, Math.ceil(starts / shift));
  }

  open(run: Run, [at, skip]: Mark): Operator {
    // A window does not depend on elements before its start.
    const input = this.readInput(run, at === null ? START : placeMark(stagePath(run, this), at));
    // Windows are made again, because a row that cannot be parsed must end them, and must not be skipped.
    return skipping(new WindowOperator(input, this.#settings), skip, run.scope);
  }
}

/** An element that later windows contain, or may contain. */
interface WindowElement {
  readonly value: unknown;
  readonly origins: Origins;
  readonly at: number;
  readonly mark: Mark;
}

class WindowOperator implements Operator {
  readonly #input: Input;
  readonly #settings: WindowSettings;
  /** The elements from the start of the next window on. */
  #held: WindowElement[] = [];
  /** Number of elements before the start of the next window that were not read yet. */
  #between = 0;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(input: Input, settings: WindowSettings) {
    this.#input = input;
    this.#settings = settings;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const { size, stride } = this.#settings;
    const span = (size - 1) * stride + 1;
    while (this.#held.length < span && !this.#ended) await this.#load(span);
    const mark = this.#held[0]?.mark;
    const windows: Elements[] = [];
    while (windows.length < max && (this.#held.length >= span || (this.#ended && this.#held.length > 0))) {
      const window = this.#window(span);
      if (window === undefined) break;
      windows.push(window);
      // Uses loaded elements only, without waiting for others.
      while (this.#held.length < span && !this.#ended && this.#input.ready) this.#keep(span);
    }
    if (windows.length > 0 && mark !== undefined) return { elements: joinedWindows(windows), mark: [mark, 0] };
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#input.close();
  }

  async #load(span: number): Promise<void> {
    try {
      if (await this.#input.load(span - this.#held.length + this.#between)) this.#keep(span);
      else this.#ended = true;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Stores the loaded elements that the next window may contain. */
  #keep(span: number): void {
    const input = this.#input;
    const passed = Math.min(this.#between, input.elements.length - input.index);
    this.#between -= passed;
    input.index += passed;
    try {
      while (this.#held.length < span && input.ready) {
        const { elements, index, mark } = input;
        this.#held.push({ value: elements.at(index), origins: elements.origins, at: index, mark });
        input.index++;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the input at an error. Windows before it are yielded as at the end of the input. */
  #fail(error: unknown): void {
    this.#failure = { error };
    this.#ended = true;
  }

  /** Returns the next window, as one element; undefined if it is not full, and such windows are dropped. */
  #window(span: number): Elements | undefined {
    const { shift, stride, dropRemainder } = this.#settings;
    const held = this.#held;
    if (held.length < span && dropRemainder) return undefined;
    const window: WindowElement[] = [];
    for (let i = 0; i < span && i < held.length; i += stride) window.push(held[i]!);
    this.#held = held.slice(shift);
    this.#between = Math.max(0, shift - held.length);
    const origins = gatheredOrigins(
      window.map((element) => element.origins),
      window.map((element) => element.at),
    );
    const values = window.map(({ value }) => value);
    return new ArrayElements([values], joinedOrigins(origins, window.length));
  }
}

function joinedWindows(windows: readonly Elements[]): Elements {
  const origins = gatheredOrigins(
    windows.map((window) => window.origins),
    windows.map(() => 0),
  );
  return new ArrayElements(
    windows.map((window) => window.at(0)),
    origins,
  );
}
