import { setImmediate } from 'node:timers/promises';

import { ErrorPolicy, type OnError } from '../../record';
import { Tally } from './counted';
import type { RecordForm } from './records-column';

const READY = Promise.resolve();
/** Steps of promises that a chunk takes through some stages when it is there. */
const PROMISE_STEPS = 24;
/** JavaScript may run this long, in milliseconds, between two turns of the event loop on a pipeline's account. */
const TURN_MS = 10;
const CHUNK_ELEMENTS = 256;

/** What the stages of one iterator share: its end, its turns, its counts. */
export class Scope {
  /** Elements that stages hand on at a time, at most. No result depends on it. */
  readonly chunkElements: number;
  /** By stage, in the order in which they were opened. */
  readonly tallies = new Map<string, Tally>();
  readonly #policies = new Map<string, ErrorPolicy>();
  readonly #forms = new Map<string, RecordForm>();
  readonly #ending = new AbortController();
  #turnedAt = performance.now();

  constructor(chunkElements = CHUNK_ELEMENTS) {
    this.chunkElements = chunkElements;
  }

  /** For callbacks of the user's: aborted when the iterator is closed. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get closed(): boolean {
    return this.#ending.signal.aborted;
  }

  tally(path: string): Tally {
    return known(this.tallies, path, () => new Tally());
  }

  /** What is done about errors of the stage at `path`; one policy a stage, for it counts. */
  policy(path: string, onError?: OnError): ErrorPolicy {
    return known(this.#policies, path, () => new ErrorPolicy(onError));
  }

  /** What the stage at `path` skipped. */
  skipped(path: string): number {
    return this.#policies.get(path)?.skipped ?? 0;
  }

  /**
   * The form of `key`, made by `make` where there is none yet: records that several stages show as the same, each pass
   * of a repetition and each input of an interleave, go into one batch as such.
   */
  form(key: string, make: () => RecordForm): RecordForm {
    return known(this.#forms, key, make);
  }

  close(): void {
    this.#ending.abort();
  }

  /** The same between two stages. */
  get inputElements(): number {
    return 4 * this.chunkElements;
  }

  /** Whether the event loop is due to turn. */
  get due(): boolean {
    return performance.now() - this.#turnedAt > TURN_MS;
  }

  /** To be awaited by whoever may go round for long: lets the event loop turn where it is due. */
  breathe(): Promise<void> | undefined {
    return this.due ? this.#turn() : undefined;
  }

  /** Whether `promise` settles before the event loop has turned once: whether to wait for it. */
  async settlesSoon(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const settle = (): void => void (settled = true);
    const done = promise.then(settle, settle);
    // What is ready comes within some steps of promises: the event loop is not asked for that.
    for (let step = 0; step < PROMISE_STEPS && !settled; step++) await READY;
    if (!settled) await Promise.race([done, this.#turn()]);
    return settled;
  }

  async #turn(): Promise<void> {
    await setImmediate();
    this.#turnedAt = performance.now();
  }
}

function known<T>(map: Map<string, T>, path: string, make: () => T): T {
  let value = map.get(path);
  if (value === undefined) map.set(path, (value = make()));
  return value;
}
