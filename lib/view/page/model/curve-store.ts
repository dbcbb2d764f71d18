/** The curves of the logs that a page knows, and the buckets of those that it shows. */
import { BUCKET_WIDTH, unpackNumbers } from '../../protocol/buckets';
import { MAX_WANTED, type Client, type CurvePart, type CurveState, type LogsState } from '../../protocol';
import type { Buckets } from './lines';
import { RunLooks } from './run-colors';

/** Buckets, as many as were fetched. */
interface Fetched extends Buckets {
  readonly generation: number;
  readonly values: number;
}

/** Milliseconds between two requests for buckets of growing curves. */
const PAUSE_MS = 150;

export class CurveStore {
  /** The last state, without curves; undefined before the first. */
  state: Omit<LogsState, 'curves'> | undefined;
  /** The reason why there is no state any more. */
  gone: string | undefined;
  looks = new RunLooks();
  readonly #client: Client;
  readonly #changed: () => void;
  readonly #cancel = new AbortController();
  #curves: CurveState[] = [];
  #byTag = new Map<string, number[]>();
  #runs = new Map<string, number>();
  #fetched = new Map<number, Fetched>();
  /** The curves of the charts on the screen. */
  readonly #wanted = new Map<unknown, readonly number[]>();
  #isFetching = false;

  /** @param changed called after anything has changed */
  constructor(client: Client, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
    const { signal } = this.#cancel;
    client.ask('logs', {}, { signal, credits: 1, onBatch: (state) => this.#take(state) }).catch((error: unknown) => {
      this.gone = (error as Error).message;
      changed();
    });
  }

  /** The runs, in the order of their names, with the number of their values. */
  get runs(): readonly (readonly [run: string, values: number])[] {
    return [...this.#runs].sort(([a], [b]) => collator.compare(a, b));
  }

  /** The tags, in the order of their names. */
  get tags(): readonly string[] {
    return [...this.#byTag.keys()].sort(collator.compare);
  }

  get values(): number {
    return this.#curves.reduce((sum, { values }) => sum + values, 0);
  }

  /** Returns the curves of a tag, by the names of their runs. */
  curvesOf(tag: string): readonly CurveState[] {
    const curves = (this.#byTag.get(tag) ?? []).map((curve) => this.#curves[curve]!);
    return curves.sort((a, b) => collator.compare(a.run, b.run));
  }

  /** Returns the buckets of a curve, perhaps not the latest; undefined before any were fetched. */
  bucketsOf(curve: number): Buckets | undefined {
    return this.#fetched.get(curve);
  }

  /** Sets the curves of `chart`, whose buckets will be kept up to date. */
  want(chart: unknown, curves: readonly number[]): void {
    if (curves.length === 0) this.#wanted.delete(chart);
    else this.#wanted.set(chart, curves);
    this.#fetch();
  }

  /** Reads the logs from their start. */
  readAgain(): void {
    this.#client.ask('readLogsAgain', {}).catch(() => undefined);
  }

  close(): void {
    this.#cancel.abort(new Error('The page was closed.'));
  }

  #take({ curves, ...state }: LogsState): void {
    if (this.state?.reading !== state.reading) {
      this.#curves = [];
      this.#byTag = new Map();
      this.#runs = new Map();
      this.#fetched = new Map();
    }
    this.state = state;
    for (const each of curves) {
      const { curve, tag, run, values } = each;
      const before = this.#curves[curve];
      this.#curves[curve] = each;
      this.#runs.set(run, (this.#runs.get(run) ?? 0) + values - (before?.values ?? 0));
      if (before !== undefined) continue;
      const ofTag = this.#byTag.get(tag);
      if (ofTag === undefined) this.#byTag.set(tag, [curve]);
      else ofTag.push(curve);
      // In the order of the log, so that a new run changes no colour.
      this.looks.of(run);
    }
    this.#changed();
    this.#fetch();
  }

  /** Fetches what the wanted curves lack. */
  #fetch(): void {
    const { state } = this;
    if (this.#isFetching || state === undefined) return;
    const wanted = [...new Set([...this.#wanted.values()].flat())]
      .filter((curve) => (this.#curves[curve]?.values ?? 0) !== (this.#fetched.get(curve)?.values ?? 0))
      .slice(0, MAX_WANTED)
      .map((curve) => {
        const { generation = 0, numbers = [] } = this.#fetched.get(curve) ?? {};
        // The last bucket may have got more values.
        return { curve, generation, from: Math.max(0, numbers.length / BUCKET_WIDTH - 1) };
      });
    if (wanted.length === 0) return;
    this.#isFetching = true;
    const { reading } = state;
    let parts = 0;
    const onBatch = (part: CurvePart): void => {
      parts++;
      if (this.state?.reading === reading) this.#put(part);
    };
    this.#client
      .ask('curves', { reading, wanted }, { onBatch, signal: this.#cancel.signal, credits: MAX_WANTED })
      .then(() => {
        if (parts > 0) this.#changed();
        setTimeout(() => {
          this.#isFetching = false;
          this.#fetch();
        }, PAUSE_MS);
      })
      // The request for the state has failed, too.
      .catch(() => undefined);
  }

  #put({ curve, generation, from, values, start, buckets }: CurvePart): void {
    const before = this.#fetched.get(curve)?.numbers.subarray(0, from * BUCKET_WIDTH) ?? [];
    const more = unpackNumbers(buckets);
    const numbers = new Float64Array(before.length + more.length);
    numbers.set(before);
    numbers.set(more, before.length);
    this.#fetched.set(curve, { generation, values, start, numbers });
    // The part may be later than the state.
    const known = this.#curves[curve];
    if (known === undefined || known.values >= values) return;
    this.#runs.set(known.run, (this.#runs.get(known.run) ?? 0) + values - known.values);
    this.#curves[curve] = { ...known, values };
  }
}

const collator = new Intl.Collator('en', { numeric: true });
