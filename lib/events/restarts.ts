/**
 * Values that a restart of the program made obsolete, by the rules of TensorBoard's server (EventAccumulator of
 * plugin_event_accumulator): a program that goes on at an earlier step logs these steps again.
 *
 * - A file of version 2 or later says so: each SessionLog START but the first of the run drops all values of its own step
 *   and later ones.
 * - Older files, and those without a version, do not. There, an event with a summary whose step is less than that of the
 *   summary before drops the values of its own step and later ones, but only of the tags that it has.
 */

/** A signed 64-bit step, as its lower 32 bits (unsigned) and upper 32 bits (signed). */
export interface Step {
  readonly low: number;
  readonly high: number;
}

/** True if step (lowA, highA) is less than step (lowB, highB). */
function isLess(lowA: number, highA: number, lowB: number, highB: number): boolean {
  return highA < highB || (highA === highB && lowA < lowB);
}

/** The restarts that concern some values, in the order of the log. */
class RestartList {
  // Ascending, and so are the steps: a later restart at an earlier step includes an earlier one.
  readonly #events: number[] = [];
  readonly #lows: number[] = [];
  readonly #highs: number[] = [];
  #next = 0;

  add(event: number, low: number, high: number): void {
    let last = this.#events.length - 1;
    while (last >= 0 && !isLess(this.#lows[last]!, this.#highs[last]!, low, high)) last--;
    this.#events.length = this.#lows.length = this.#highs.length = last + 1;
    this.#events.push(event);
    this.#lows.push(low);
    this.#highs.push(high);
  }

  rewind(): void {
    this.#next = 0;
  }

  /** True if a restart after `event` drops its step. Events must ascend. */
  drops(event: number, low: number, high: number): boolean {
    while (this.#next < this.#events.length && this.#events[this.#next]! <= event) this.#next++;
    // The first of the later restarts has the least step.
    return this.#next < this.#events.length && !isLess(low, high, this.#lows[this.#next]!, this.#highs[this.#next]!);
  }
}

/** The restarts of one run. First all events are noted, in order; then it answers which values are obsolete. */
export class Restarts {
  readonly #all = new RestartList();
  /** By numbers of tags. */
  readonly #ofTags = new Map<number, RestartList>();
  #version = 0;
  #started = false;
  #recentLow = 0xffff_ffff;
  #recentHigh = -1;

  /** Notes `file_version`: the first record of a file has it. */
  version(text: string): void {
    this.#version = versionOf(text);
  }

  /** True if summaries must be noted: a file of version 2 or later states restarts. */
  get bySteps(): boolean {
    return !(this.#version >= 2);
  }

  /** Notes a SessionLog START, which is event `event` of the run. */
  sessionStart(event: number, { low, high }: Step): void {
    if (this.bySteps) return;
    if (this.#started) this.#all.add(event, low, high);
    this.#started = true;
  }

  /** Notes a summary with values of `tags`, by their numbers: event `event` of the run. */
  summary(event: number, low: number, high: number, tags: readonly number[], count: number): void {
    if (this.bySteps && isLess(low, high, this.#recentLow, this.#recentHigh)) {
      for (let i = 0; i < count; i++) {
        const tag = tags[i]!;
        let list = this.#ofTags.get(tag);
        if (list === undefined) this.#ofTags.set(tag, (list = new RestartList()));
        list.add(event, low, high);
      }
    }
    this.#recentLow = low;
    this.#recentHigh = high;
  }

  /** Call it before {@link drops}. */
  rewind(): void {
    this.#all.rewind();
    for (const list of this.#ofTags.values()) list.rewind();
  }

  /** True if the value of `tag` in event `event` is obsolete. Events must ascend. */
  drops(event: number, tag: number, low: number, high: number): boolean {
    if (this.#all.drops(event, low, high)) return true;
    return this.#ofTags.size > 0 && this.#ofTags.get(tag)?.drops(event, low, high) === true;
  }
}

/** The number in `brain.Event:2`; -1 if there is none. */
function versionOf(text: string): number {
  const number = text.split('brain.Event:').at(-1)!.trim().toLowerCase();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/.test(number)) return Number(number);
  return /^\+?inf(?:inity)?$/.test(number) ? Infinity : -1;
}
