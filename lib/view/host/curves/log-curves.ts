/** Follows the logs of TensorBoard for pages: the curves of their scalars, in bounded memory. */
import { basename, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { objectScheme, TFRecordError } from '../../../base';
import { eventBlocks, isEventFile, type ValueBlock } from '../../../events';
import type { CurvePart, LogsState, Problem, WantedCurve } from '../../protocol';
import { Feed } from '../feed';
import { problemOf } from '../problem';
import type { FileOptions } from '../viewed-file';
import { Curve } from './curve';

/** Bounds of what is kept. Tests change them. */
export const bounds = {
  /** Maximum number of curves. */
  curves: 16_384,
  /** Maximum number of buckets of all curves (80 bytes each), and of one curve. */
  buckets: 2 ** 18,
  ofCurve: 2048,
};
/** Minimum number of buckets of a curve that may have more values. */
const FEW_BUCKETS = 16;
const MAX_NAME = 1024;
const MAX_PROBLEMS = 20;
/** Milliseconds between two looks at the files, between two updates of a page, and before reading again. */
const POLL_MS = 250;
const STATE_MS = 100;
const AGAIN_MS = 1000;
/** Maximum number of curves in an update. */
const MAX_CHANGES = 1024;

/** A curve, and the names that it has. */
export interface NamedCurve {
  readonly run: string;
  readonly tag: string;
  readonly curve: Curve;
}

/** A page that receives updates. */
interface Watcher {
  readonly changed: Set<number>;
  readonly feed: Feed<true>;
}

export class LogCurves {
  readonly #sources: string[] = [];
  readonly #options: FileOptions;
  readonly #watchers = new Set<Watcher>();
  #curves: NamedCurve[] = [];
  #runs = new Map<string, Map<string, number>>();
  /** Numbers of curves by those of tags; -1 for tags without one. */
  #numbers = new WeakMap<ValueBlock['tags'], number[]>();
  #limit = bounds.ofCurve;
  #reading = 0;
  #leftOut = 0;
  #faults = 0;
  #problems: Problem[] = [];
  #ended: Problem | null = null;
  /** Ends the reading under way; undefined before the first. */
  #stop: AbortController | undefined;
  #over: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: FileOptions) {
    this.#options = options;
  }

  /** The log folders and event files. */
  get sources(): readonly string[] {
    return this.#sources;
  }

  /** Adds log folders and event files, but none that a folder holds. If the logs are followed already, they are read again. */
  add(sources: readonly string[]): void {
    const before = this.#sources.length;
    for (const source of sources)
      if (!this.#sources.some((folder) => holds(folder, source))) this.#sources.push(source);
    if (this.#stop !== undefined && this.#sources.length > before) this.readAgain();
  }

  /** Forgets all curves, and reads the logs from their start. */
  readAgain(): void {
    this.#reading++;
    this.#curves = [];
    this.#runs = new Map();
    this.#numbers = new WeakMap();
    this.#limit = bounds.ofCurve;
    this.#leftOut = this.#faults = 0;
    this.#problems = [];
    this.#ended = null;
    for (const watcher of this.#watchers) {
      watcher.changed.clear();
      watcher.feed.put(true);
    }
    this.#stop?.abort();
    if (this.#stop !== undefined) this.#start();
  }

  /** Yields the state, and then what changes, until `signal` aborts. The first call begins to follow the logs. */
  async *states(signal: AbortSignal): AsyncGenerator<LogsState, null> {
    if (this.#stop === undefined) this.#start();
    const watcher: Watcher = { changed: new Set(this.#curves.keys()), feed: new Feed<true>() };
    this.#watchers.add(watcher);
    try {
      watcher.feed.put(true);
      while ((await watcher.feed.next(signal)) !== undefined) {
        yield this.#state(watcher);
        if (watcher.changed.size > 0) watcher.feed.put(true);
        await setTimeout(STATE_MS, undefined, { signal }).catch(() => undefined);
      }
      return null;
    } finally {
      this.#watchers.delete(watcher);
    }
  }

  /** Yields the buckets that a page lacks. */
  async *parts(reading: number, wanted: readonly WantedCurve[]): AsyncGenerator<CurvePart, null> {
    for (const { curve, generation, from } of wanted) {
      const found = reading === this.#reading ? this.#curves[curve]?.curve : undefined;
      if (found === undefined) continue;
      const first = generation === found.generation ? Math.min(from, found.buckets) : 0;
      const { values, start } = found;
      yield { curve, generation: found.generation, from: first, values, start, buckets: found.packed(first) };
    }
    return null;
  }

  /** Returns the curves with these numbers. @throws TFRecordError TFR_STATE_MISMATCH if the logs were read again since */
  named(reading: number, curves: readonly number[]): NamedCurve[] {
    if (reading !== this.#reading) {
      throw new TFRecordError('TFR_STATE_MISMATCH', 'The logs are being read again. Ask again.');
    }
    return curves.flatMap((curve) => this.#curves[curve] ?? []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop?.abort();
    await this.#over;
  }

  #state(watcher: Watcher): LogsState {
    const changed = [...watcher.changed].slice(0, MAX_CHANGES);
    for (const curve of changed) watcher.changed.delete(curve);
    return {
      reading: this.#reading,
      curves: changed.map((number) => {
        const { run, tag, curve } = this.#curves[number]!;
        return { curve: number, run, tag, values: curve.values, gaps: curve.gaps };
      }),
      leftOut: this.#leftOut,
      faults: this.#faults,
      problems: this.#problems,
      ended: this.#ended,
    };
  }

  /** Begins a reading, after the one before it. */
  #start(): void {
    const stop = (this.#stop = new AbortController());
    this.#over = this.#over.then(() => this.#follow(stop.signal));
  }

  async #follow(signal: AbortSignal): Promise<void> {
    if (this.#sources.length === 0 || this.#closed || signal.aborted) return;
    let isChanged = false;
    const onError = (error: TFRecordError): 'skip' | 'stop' => {
      // To go on would give the values of a file twice.
      isChanged = error.code === 'TFR_STATE_MISMATCH';
      if (isChanged) return 'stop';
      this.#note(error);
      return 'skip';
    };
    const options = { ...this.#options, kinds: ['scalar'], follow: true, pollMs: POLL_MS, signal, onError } as const;
    const source = eventBlocks(this.#sources, options);
    try {
      for await (const block of source.blocks) {
        if (signal.aborted) return;
        this.#take(block);
      }
    } catch (error) {
      if (signal.aborted) return;
      isChanged = error instanceof TFRecordError && error.code === 'TFR_STATE_MISMATCH';
      if (!isChanged) {
        this.#ended = problemOf(error);
        this.#tell();
        return;
      }
    } finally {
      await source.close();
    }
    if (!isChanged) return;
    await setTimeout(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) this.readAgain();
  }

  #note(error: TFRecordError): void {
    if (++this.#faults <= MAX_PROBLEMS) this.#problems = [...this.#problems, problemOf(error)];
    this.#tell();
  }

  #take(block: ValueBlock): void {
    const { tags, run, rows, tagIds, steps, wallTimes, scalars } = block;
    let numbers = this.#numbers.get(tags);
    if (numbers === undefined) this.#numbers.set(tags, (numbers = []));
    const changed = new Set<number>();
    for (let row = 0; row < rows; row++) {
      const tag = tagIds[row]!;
      const number = (numbers[tag] ??= this.#numberOf(run, tags[tag]!.name));
      if (number < 0) {
        this.#leftOut++;
        continue;
      }
      this.#curves[number]!.curve.add(Number(steps[row]), wallTimes[row]!, scalars[row]!);
      changed.add(number);
    }
    this.#tell(changed);
  }

  /** Returns the number of a curve, a new one if there is room; else -1. */
  #numberOf(run: string, tag: string): number {
    let ofRun = this.#runs.get(run);
    const known = ofRun?.get(tag);
    if (known !== undefined) return known;
    const number = this.#curves.length;
    if (number >= bounds.curves || run.length > MAX_NAME || tag.length > MAX_NAME) return -1;
    if (ofRun === undefined) this.#runs.set(run, (ofRun = new Map<string, number>()));
    ofRun.set(tag, number);
    this.#curves.push({ run, tag, curve: new Curve(this.#limit) });
    while (this.#limit > FEW_BUCKETS && this.#limit * this.#curves.length > bounds.buckets) {
      this.#limit /= 2;
      for (const { curve } of this.#curves) curve.limitTo(this.#limit);
    }
    return number;
  }

  #tell(changed: Iterable<number> = []): void {
    for (const watcher of this.#watchers) {
      for (const curve of changed) watcher.changed.add(curve);
      watcher.feed.put(true);
    }
  }
}

/** Returns the event files among `paths`. */
export function logsAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => isEventFile(basename(path)));
}

/** True if `folder` is `path`, or holds it. */
function holds(folder: string, path: string): boolean {
  if (folder === path) return true;
  if (objectScheme(folder) !== undefined || objectScheme(path) !== undefined) return false;
  const [outer, inner] = [resolve(folder), resolve(path)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
