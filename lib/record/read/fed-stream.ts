import type { ByteSource } from '../../io';
import { FillOutcome } from '../../native';
import { Feeder } from './feeder';
import type { InputStream, Portion, Request, Requests } from './input-stream';

/** Bytes of memory per queued byte, which may be compressed. Content that does not fit comes with the next request. */
const MEMORY_PER_QUEUED = 4;
/** With this many bytes queued, the next request starts before anybody waits for it. */
const AHEAD_BYTES = 256 * 1024;

interface SeenRequest<P extends Portion> extends Request<P> {
  /** Number of chunks that were fed before the request. */
  readonly seen: number;
}

/**
 * Feeds chunks from JavaScript to native threads, which read them. One request is under way at a time, while the feeder
 * keeps native code's queue full.
 */
export class FedStream<P extends Portion> implements InputStream<P> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #requests: Requests<P>;
  readonly #mayAskAhead: boolean;
  readonly #feeder: Feeder;
  #ahead: SeenRequest<P> | undefined;
  #began = false;
  /** Portions of the last answer that were not handed out yet. */
  #came: P[] = [];
  #closed: Promise<void> | undefined;

  /** Reads `source` from byte `from` on. Calls `pull` last, because only `close` closes what it opens. */
  constructor(source: ByteSource, from: number, requests: Requests<P>) {
    this.file = source.name;
    this.inputBytes = source.size;
    this.#requests = requests;
    this.#mayAskAhead = !requests.readsAhead && requests.underWay(0) > 0;
    this.#feeder = new Feeder(source.name, source.pull(from), (chunk, last) => requests.feed(chunk, last));
  }

  prime(): void {
    this.#feeder.start();
  }

  async next(): Promise<P | undefined> {
    if (this.#closed !== undefined) return undefined;
    const before = this.#came.shift();
    if (before !== undefined) return before;
    const { readsAhead } = this.#requests;
    this.#feeder.start();
    let request = this.#ahead;
    this.#ahead = undefined;
    if (request === undefined && !(readsAhead && this.#began)) await this.#feeder.gathered(0);
    this.#began = true;
    let dry = -1;
    while (this.#closed === undefined) {
      const { seen, answer: pending } = request ?? this.#ask();
      request = undefined;
      const answer = await pending;
      if (this.#closed !== undefined || answer.outcome === FillOutcome.Cancelled) return undefined;
      this.#feeder.consumed(answer.compressedBytes);
      this.#came = answer.take();
      const portion = this.#came.shift();
      if (portion !== undefined) {
        const asksAhead = this.#mayAskAhead && answer.outcome === FillOutcome.More;
        if (asksAhead && this.#feeder.queuedBytes >= AHEAD_BYTES) this.#ahead = this.#ask();
        return portion;
      }
      if (answer.outcome === FillOutcome.Grow) continue;
      // If native code reads ahead, it may have run dry before the last chunks came. Only the second dry answer is sure.
      if (!readsAhead || dry === seen) {
        // The source's failure is thrown only after everything that it gave before was read.
        const { failure, fedChunks } = this.#feeder;
        if (failure !== undefined && fedChunks === seen) throw failure.error;
        await this.#feeder.gathered(seen);
      }
      dry = seen;
    }
    return undefined;
  }

  skip(): void {
    this.#requests.skip();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  #ask(): SeenRequest<P> {
    const request = this.#requests.ask(this.#feeder.queuedBytes * MEMORY_PER_QUEUED);
    return { ...request, seen: this.#feeder.fedChunks };
  }

  async #close(): Promise<void> {
    const closing = this.#requests.close();
    try {
      await this.#feeder.close();
    } finally {
      await closing;
    }
  }
}
