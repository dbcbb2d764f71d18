import { isRanged, MemorySource, type ByteSource, type RangedSource } from '../../io';
import { FillOutcome } from '../../native';
import type { InputStream, Portion, RangeFeed, Request, Requests } from './input-stream';
import { RangeFetcher } from './range-fetcher';

/** True if `source` is read by ranges. Bytes in memory are at hand: they are fed. */
export function readsByRanges(source: ByteSource): source is ByteSource & RangedSource {
  return isRanged(source) && !(source instanceof MemorySource);
}

interface SeenRequest<P extends Portion> {
  readonly answer: Request<P>['answer'];
  /** Number of reads that were answered before the request. */
  readonly seen: number;
}

/**
 * Reads a source of which any range can be read. Native code has requests as for a file; where bytes are missing, it runs
 * dry and says which ranges it wants. JavaScript reads these, some ahead.
 */
export class RangeStream<P extends Portion> implements InputStream<P> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #requests: Requests<P>;
  readonly #fetcher: RangeFetcher;
  readonly #pending: SeenRequest<P>[] = [];
  /** Portions of the last answer that were not handed out yet. */
  #came: P[] = [];
  /** True if the next record needs a larger slab, or more bytes: only then is more requested. */
  #stalled = false;
  /** The number of answered reads before the last request that ran dry. */
  #dry = -1;
  #closed: Promise<void> | undefined;

  /** `readAhead`: the number of reads to have under way beside the one that is needed. */
  constructor(source: RangedSource, readAhead: number, requests: Requests<P> & RangeFeed) {
    this.file = source.name;
    this.inputBytes = source.size;
    this.#requests = requests;
    this.#fetcher = new RangeFetcher(source, requests, readAhead + 1);
  }

  prime(): void {
    if (this.#closed === undefined) this.#fetcher.start(true);
  }

  async next(): Promise<P | undefined> {
    while (this.#closed === undefined) {
      const portion = this.#came.shift();
      if (portion !== undefined) return portion;
      this.#ask();
      const { seen, answer: pending } = this.#pending.shift()!;
      this.#fetcher.start();
      const answer = await pending;
      if (this.#closed !== undefined || answer.outcome === FillOutcome.Cancelled) return undefined;
      this.#came = answer.take();
      const { outcome } = answer;
      this.#stalled = outcome === FillOutcome.Grow || outcome === FillOutcome.Input;
      if (outcome === FillOutcome.End || outcome === FillOutcome.Halt) await this.#drain();
      else if (outcome === FillOutcome.Input && this.#came.length === 0) await this.#wait(seen);
    }
    return undefined;
  }

  passOver(): void {
    this.#requests.passOver();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** Starts requests: one at least is under way then. If reading has stalled, those under way are answered first. */
  #ask(): void {
    if (this.#stalled && this.#pending.length > 0) return;
    const most = this.#requests.underWay(1);
    while (this.#pending.length < most) {
      const { answer } = this.#requests.ask(this.inputBytes);
      this.#pending.push({ seen: this.#fetcher.answers, answer });
    }
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
    const answers = await Promise.all(this.#pending.splice(0).map(({ answer }) => answer));
    for (const answer of answers) answer.drop?.();
  }

  async #close(): Promise<void> {
    this.#fetcher.close();
    await this.#requests.close();
  }
}
