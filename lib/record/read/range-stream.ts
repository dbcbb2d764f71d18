import { RANGE_BYTES, type RangedSource } from '../../io';
import { FillOutcome } from '../../native';
import type { InputStream, Portion, Request, Requests } from './input-stream';
import { RangeFetcher } from './range-fetcher';
import type { ReadPlan } from './read-options';
import type { AheadBudget } from './slab-sizer';

/** A request whose answer was not used yet. */
interface Pending<P extends Portion> {
  readonly answer: Request<P>['answer'];
  /** Number of reads that were answered before the request. */
  readonly seen: number;
  /** Bytes that the request holds of the budget. */
  readonly bytes: number;
}

/**
 * Reads a source of which any range can be read. Native code has requests as for a file; where bytes are missing, it runs
 * dry and says which ranges it wants. JavaScript reads these, some ahead.
 */
export class RangeStream<P extends Portion> implements InputStream<P> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #budget: AheadBudget | undefined;
  readonly #requests: Requests<P>;
  readonly #fetcher: RangeFetcher;
  readonly #pending: Pending<P>[] = [];
  /** The request that a step awaits. */
  #waiting: Pending<P> | undefined;
  /** Bytes of the budget that are reserved for ranges ahead, which JavaScript reads and native code then keeps. */
  #heldForRanges = 0;
  /** Portions of the last answer that were not handed out yet. */
  #came: P[] = [];
  /** True if the next record needs a larger slab, or more bytes: only then is more requested. */
  #stalled = false;
  /** The number of answered reads before the last request that ran dry. */
  #dry = -1;
  #closed: Promise<void> | undefined;

  /**
   * `readAhead`: the number of reads to have under way beside the one that is needed, as far as the budget `ahead` has
   * room. `open` opens the source; `reach`: how far native code may reach ahead, in bytes.
   */
  constructor(
    source: RangedSource,
    { readAhead, ahead }: Pick<ReadPlan, 'readAhead' | 'ahead'>,
    open: (reach: number) => Requests<P>,
  ) {
    this.file = source.name;
    this.inputBytes = source.size;
    this.#budget = ahead;
    const reads = 1 + this.#holdRanges(readAhead);
    try {
      const requests = open(reads * RANGE_BYTES);
      this.#requests = requests;
      this.#fetcher = new RangeFetcher(source, requests, reads);
    } catch (error) {
      this.#dropRanges();
      throw error;
    }
  }

  prime(): void {
    if (this.#closed === undefined) this.#fetcher.start(true);
  }

  async next(): Promise<P | undefined> {
    while (this.#closed === undefined) {
      const portion = this.#came.shift();
      if (portion !== undefined) return portion;
      this.#ask();
      const pending = this.#pending.shift()!;
      const { seen } = pending;
      this.#waiting = pending;
      this.#fetcher.start();
      const answer = await pending.answer;
      this.#waiting = undefined;
      if (this.#closed !== undefined) return undefined;
      this.#budget?.release(pending.bytes);
      if (answer.outcome === FillOutcome.Cancelled) return undefined;
      this.#came = answer.take();
      const { outcome } = answer;
      this.#stalled = outcome === FillOutcome.Grow || outcome === FillOutcome.Input;
      if (outcome === FillOutcome.End || outcome === FillOutcome.Halt) await this.#drain();
      else if (outcome === FillOutcome.Input && this.#came.length === 0) await this.#wait(seen);
    }
    return undefined;
  }

  skip(): void {
    this.#requests.skip();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Starts requests: one at least is under way then, and more if the budget has room. If reading has stalled, those under
   * way are answered first.
   */
  #ask(): void {
    if (this.#stalled && this.#pending.length > 0) return;
    const count = this.#requests.underWay(1);
    while (this.#pending.length < count) {
      if (this.#pending.length > 0 && !this.#hasRoom()) return;
      const { answer, bytes } = this.#requests.ask(this.inputBytes);
      this.#pending.push({ seen: this.#fetcher.answers, answer, bytes });
      this.#budget?.hold(bytes);
    }
  }

  #hasRoom(): boolean {
    return this.#budget === undefined || this.#budget.room >= this.#requests.nextBytes(this.inputBytes);
  }

  /** Native code ran dry in a request that was made after `seen` answers. Waits for more, if that is sure. */
  async #wait(seen: number): Promise<void> {
    // If native code reads ahead, it may have run dry before the last answers came. Only the second dry answer is sure.
    const isSure = this.#pending.length === 0 && (!this.#requests.readsAhead || this.#dry === seen);
    this.#dry = seen;
    if (isSure) await this.#fetcher.answered(seen);
  }

  /** Waits for the answers after the end or a halt, which repeat it. */
  async #drain(): Promise<void> {
    const repeating = this.#pending.splice(0);
    for (const { bytes } of repeating) this.#budget?.release(bytes);
    this.#dropRanges();
    const answers = await Promise.all(repeating.map(({ answer }) => answer));
    for (const answer of answers) answer.drop?.();
  }

  async #close(): Promise<void> {
    this.#fetcher.close();
    for (const { bytes } of this.#pending) this.#budget?.release(bytes);
    if (this.#waiting !== undefined) this.#budget?.release(this.#waiting.bytes);
    this.#dropRanges();
    await this.#requests.close();
  }

  /** Reserves memory for at most `readAhead` ranges ahead of the one that is needed. Returns their number. */
  #holdRanges(readAhead: number): number {
    const budget = this.#budget;
    if (budget === undefined) return readAhead;
    const count = Math.max(0, Math.min(readAhead, Math.floor(budget.room / RANGE_BYTES)));
    this.#heldForRanges = Math.min(count * RANGE_BYTES, this.inputBytes ?? Infinity);
    budget.hold(this.#heldForRanges);
    return count;
  }

  #dropRanges(): void {
    this.#budget?.release(this.#heldForRanges);
    this.#heldForRanges = 0;
  }
}
