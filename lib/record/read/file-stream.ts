import { availableParallelism } from 'node:os';

import { hasMembers } from '../../io';
import { FillOutcome } from '../../native';
import type { AheadShare, Answer, InputStream, Portion, Request, Requests } from './input-stream';
import type { AheadBudget } from './slab-sizer';

/**
 * Maximum memory in which native code inflates our own gzip members in parallel: one per core, at most 8, of 1.5 MiB
 * each.
 */
const MEMBERS_BYTES = Math.min(8, availableParallelism()) * 1.5 * 1024 * 1024;

/**
 * Maximum number of bytes under way before the file's turn: enough to keep native threads busy for some milliseconds.
 */
const ASKED_BYTES = 4 * 1024 * 1024;

/** A request whose answer was not used yet. */
interface Pending<P extends Portion> {
  readonly answer: Request<P>['answer'];
  /** Bytes that the request holds of the budget and of `share`. */
  bytes: number;
  readonly share: AheadShare | undefined;
}

/** Reads a regular file with native threads, with some requests ahead of the one that is awaited. */
export class FileStream<P extends Portion> implements InputStream<P> {
  readonly file: string;
  readonly inputBytes: number;
  readonly #budget: AheadBudget | undefined;
  readonly #requests: Requests<P>;
  readonly #pending: Pending<P>[] = [];
  /** Portions of the last answer that were not handed out yet. */
  #came: P[] = [];
  /** True if the next record needs a larger slab. */
  #growing = false;
  /** The request that a step awaits. */
  #waiting: Pending<P> | undefined;
  /** Set before the file's turn. */
  #share: AheadShare | undefined;
  /** Before the file's turn: true while the file is compressed and may have more. */
  #readsOn = false;
  /** Before the file's turn: true once its end or a halt came. */
  #over = false;
  /** Before the file's turn: the number of bytes under way. */
  #asked = 0;
  /** Bytes of the budget that are reserved for inflating gzip members ahead. */
  #heldForMembers = 0;
  #closed: Promise<void> | undefined;

  /**
   * `inputBytes`: the file's size. `budget`: the budget for reading ahead. `open` opens the file; `membersAhead`: native
   * code may inflate gzip members in parallel.
   */
  constructor(
    file: string,
    inputBytes: number,
    budget: AheadBudget | undefined,
    open: (membersAhead: boolean) => Requests<P>,
  ) {
    this.file = file;
    this.inputBytes = inputBytes;
    this.#budget = budget;
    const membersAhead = this.#holdMembers();
    try {
      this.#requests = open(membersAhead);
    } catch (error) {
      this.#dropMembers();
      throw error;
    }
  }

  prime(share?: AheadShare): void {
    this.#share = share;
    if (!this.#growing) this.#ask(0);
    this.#readOn();
  }

  async next(): Promise<P | undefined> {
    while (this.#closed === undefined) {
      const portion = this.#came.shift();
      if (portion !== undefined) return portion;
      // If a record needs a larger slab, first wait for the requests under way: one of their slabs may be large enough.
      if (!this.#growing || this.#pending.length === 0) this.#ask(1);
      const pending = this.#pending.shift()!;
      this.#waiting = pending;
      const answer = await pending.answer;
      this.#letGo(pending);
      if (!hasMembers(answer.compression)) this.#dropMembers();
      if (this.#closed !== undefined || answer.outcome === FillOutcome.Cancelled) return undefined;
      this.#came = answer.take();
      this.#growing = answer.outcome === FillOutcome.Grow;
      if (answer.outcome === FillOutcome.End || answer.outcome === FillOutcome.Halt) await this.#drain();
    }
    return undefined;
  }

  skip(): void {
    this.#requests.skip();
  }

  close(): Promise<void> {
    const closed = (this.#closed ??= this.#requests.close());
    if (this.#waiting !== undefined) this.#letGo(this.#waiting);
    for (const pending of this.#pending) this.#letGo(pending);
    this.#dropMembers();
    return closed;
  }

  /** Starts requests until enough are under way. Those beyond the `needed` ones start only if the budget has room. */
  #ask(needed: number): void {
    const most = this.#requests.underWay(needed);
    while (this.#pending.length < most) {
      if (this.#pending.length >= needed && !this.#hasRoom()) return;
      this.#submit();
    }
  }

  /** Before the file's turn: starts as many requests as there is room for. */
  #readOn(): void {
    while (this.#share !== undefined && this.#readsOn && this.#asked < ASKED_BYTES && this.#hasRoom()) this.#submit();
  }

  #hasRoom(): boolean {
    const bytes = this.#requests.nextBytes(this.inputBytes);
    return [this.#budget, this.#share].every((budget) => budget === undefined || budget.room >= bytes);
  }

  #submit(): void {
    const share = this.#share;
    const { bytes, answer } = this.#requests.ask(this.inputBytes);
    const pending: Pending<P> = { answer, share, bytes: 0 };
    this.#pending.push(pending);
    this.#hold(pending, bytes);
    if (share === undefined) return;
    this.#asked += bytes;
    // A failure is reported at the file's turn.
    answer.then((came) => this.#answered(pending, bytes, came)).catch(() => undefined);
  }

  /** Handles the answer to a request of `asked` bytes that was started before the file's turn. */
  #answered(pending: Pending<P>, asked: number, answer: Answer<P>): void {
    const { outcome, compression } = answer;
    this.#asked -= asked;
    const share = this.#share;
    if (share === undefined || this.#closed !== undefined) return;
    this.#growing = outcome === FillOutcome.Grow;
    const mayReadOn = outcome === FillOutcome.More || (this.#growing && this.#asked === 0);
    this.#readsOn = mayReadOn && !this.#over && compression !== 'none';
    if (this.#growing) {
      // This answer has no records. The next request gets a larger slab, unless one under way already has one.
      this.#pending.splice(this.#pending.indexOf(pending), 1);
      answer.take();
      this.#letGo(pending);
    } else {
      const unused = pending.bytes - answer.memory();
      if (unused < 0) this.#hold(pending, -unused);
      else this.#letGo(pending, unused);
    }
    this.#readOn();
    // Answers after the end repeat it, and may arrive before it. They change nothing.
    if (this.#over || outcome === FillOutcome.More || this.#growing) return;
    this.#over = true;
    if (outcome === FillOutcome.End && compression !== 'none') share.ended();
  }

  #hold(pending: Pending<P>, bytes: number): void {
    pending.bytes += bytes;
    this.#budget?.hold(bytes);
    pending.share?.hold(bytes);
  }

  #letGo(pending: Pending<P>, bytes = pending.bytes): void {
    pending.bytes -= bytes;
    this.#budget?.release(bytes);
    pending.share?.release(bytes);
  }

  /** True if native code may inflate members ahead: there is no budget, or it has room, which is then reserved. */
  #holdMembers(): boolean {
    const budget = this.#budget;
    if (budget === undefined) return true;
    if (budget.room < MEMBERS_BYTES) return false;
    this.#heldForMembers = MEMBERS_BYTES;
    budget.hold(MEMBERS_BYTES);
    return true;
  }

  #dropMembers(): void {
    this.#budget?.release(this.#heldForMembers);
    this.#heldForMembers = 0;
  }

  /**
   * Waits for the answers after the end or a halt. (If the file changes while it is read, records after the halt may
   * already have been read; they are not handed out.)
   */
  async #drain(): Promise<void> {
    const repeating = this.#pending.splice(0);
    for (const pending of repeating) this.#letGo(pending);
    const answers = await Promise.all(repeating.map(({ answer }) => answer));
    for (const answer of answers) answer.drop?.();
  }
}
