/** Values of a log in columns. */
import { HOST_IS_LITTLE_ENDIAN } from '../decode';
import type { EventContent, EventValue } from './event-values';
import type { Tag } from './tag-table';

/** Number of values in a full block. */
const BLOCK_ROWS = 4096;
/** Bytes of a value in the columns. */
const ROW_BYTES = 32;
/** The place of the lower half of a 64-bit number among its two halves. */
const LOW = HOST_IS_LITTLE_ENDIAN ? 0 : 1;

/** Some values of one run, in the order of the log. */
export class ValueBlock {
  readonly run: string;
  /** The tags of the run, by their numbers. */
  readonly tags: readonly Tag[];
  /** Number of values. */
  rows = 0;
  /** Numbers of tags. */
  readonly tagIds = new Int32Array(BLOCK_ROWS);
  readonly steps = new BigInt64Array(BLOCK_ROWS);
  /** Seconds since 1970. */
  readonly wallTimes = new Float64Array(BLOCK_ROWS);
  /** The numbers of scalars. */
  readonly scalars = new Float64Array(BLOCK_ROWS);
  /** The contents of the other values, at their rows; undefined if all are scalars. */
  contents: (EventContent | undefined)[] | undefined;
  /** Number of the first value's event in the run; `#events` has those of the others, from there on. */
  #firstEvent = 0;
  readonly #events = new Uint32Array(BLOCK_ROWS);
  readonly #words: Uint32Array;

  constructor(run: string, tags: readonly Tag[]) {
    this.run = run;
    this.tags = tags;
    this.#words = new Uint32Array(this.steps.buffer);
  }

  /** Size of its columns, in bytes. */
  readonly columnBytes = ROW_BYTES * BLOCK_ROWS;

  /** Adds a value, of which `content` is undefined for a scalar. Returns false if the block is full then. */
  add(
    event: number,
    tag: Tag,
    low: number,
    high: number,
    wallTime: number,
    scalar: number,
    content: EventContent | undefined,
  ): boolean {
    const row = this.rows++;
    if (row === 0) this.#firstEvent = event;
    this.#events[row] = event - this.#firstEvent;
    this.tagIds[row] = tag.id;
    this.#words[2 * row + LOW] = low;
    this.#words[2 * row + 1 - LOW] = high;
    this.wallTimes[row] = wallTime;
    this.scalars[row] = scalar;
    if (content !== undefined) {
      (this.contents ??= [])[row] = content;
    } else if (this.contents !== undefined) this.contents[row] = undefined;
    return this.rows < BLOCK_ROWS;
  }

  /** Removes all values. */
  clear(): void {
    this.rows = 0;
    this.contents = undefined;
  }

  /** Returns the value at `row` as an object. */
  value(row: number): EventValue {
    const { name, metadata } = this.tags[this.tagIds[row]!]!;
    const content = this.contents?.[row] ?? ({ kind: 'scalar', value: this.scalars[row]! } as const);
    const place = { run: this.run, tag: name, step: this.steps[row]!, wallTime: this.wallTimes[row]! };
    return { ...place, metadata, ...content };
  }

  /** Removes the values for which `drops` returns true. */
  remove(drops: (event: number, tag: number, low: number, high: number) => boolean): void {
    const { tagIds, wallTimes, scalars, steps, contents } = this;
    const words = this.#words;
    let kept = 0;
    for (let row = 0; row < this.rows; row++) {
      const event = this.#firstEvent + this.#events[row]!;
      if (drops(event, tagIds[row]!, words[2 * row + LOW]!, words[2 * row + 1 - LOW]! | 0)) continue;
      if (kept < row) {
        tagIds[kept] = tagIds[row]!;
        steps[kept] = steps[row]!;
        wallTimes[kept] = wallTimes[row]!;
        scalars[kept] = scalars[row]!;
        if (contents !== undefined) contents[kept] = contents[row];
      }
      kept++;
    }
    this.rows = kept;
  }
}
