import { availableParallelism } from 'node:os';

import { FillOutcome } from '../../native';
import type { AheadBudget } from '../memory/slab-sizer';
import type { InputStream, Portion, Request, Requests } from './input-stream';

/**
 * Most bytes that native code holds for a file of our own gzip members: it inflates so many in parallel, at 1.5 MiB
 * each.
 */
const MEMBERS_BYTES = Math.min(8, availableParallelism()) * 1.5 * 1024 * 1024;

/** A regular file, read by native threads, some requests ahead of the one that is waited for. */
export class FileStream<P extends Portion> implements InputStream<P> {
  readonly file: string;
  readonly inputBytes: number;
  readonly #budget: AheadBudget | undefined;
  readonly #requests: Requests<P>;
  readonly #pending: Request<P>[] = [];
  /** What came with the last answer and was not given yet. */
  #came: P[] = [];
  /** True if the next record needs a larger slab. */
  #growing = false;
  /** Bytes that requests hold whose answers wait to be asked for. */
  #held = 0;
  /** Bytes of the budget that are reserved for gzip members that native code inflates ahead. */
  #heldForMembers = 0;
  #closed: Promise<void> | undefined;

  /**
   * `inputBytes`: the file's size, as `stat` tells it. `budget`: for what is read ahead. `open` opens the file;
   * `membersAhead`: native code may inflate gzip members beside each other.
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

  prime(): void {
    this.#ask(0);
  }

  async next(): Promise<P | undefined> {
    while (this.#closed === undefined) {
      const portion = this.#came.shift();
      if (portion !== undefined) return portion;
      // A record that needs a larger slab waits for the requests under way: one of them may have it.
      if (!this.#growing || this.#pending.length === 0) this.#ask(1);
      const request = this.#pending.shift()!;
      const answer = await request.answer;
      this.#release(request);
      if (answer.compression !== 'gzip') this.#dropMembers();
      if (this.#closed !== undefined || answer.outcome === FillOutcome.Cancelled) return undefined;
      this.#came = answer.take();
      this.#growing = answer.outcome === FillOutcome.Grow;
      if (answer.outcome === FillOutcome.End || answer.outcome === FillOutcome.Halt) await this.#drain();
    }
    return undefined;
  }

  passOver(): void {
    this.#requests.passOver();
  }

  close(): Promise<void> {
    // Also what a step waits for.
    this.#letGo(this.#held);
    this.#dropMembers();
    return (this.#closed ??= this.#requests.close());
  }

  /** Tops up the requests under way. Those beyond the `needed` have to find room. */
  #ask(needed: number): void {
    const budget = this.#budget;
    const most = this.#requests.underWay(needed);
    while (this.#pending.length < most) {
      const lacksRoom = budget !== undefined && budget.room < this.#requests.nextBytes(this.inputBytes);
      if (lacksRoom && this.#pending.length >= needed) return;
      const request = this.#requests.ask(this.inputBytes);
      this.#held += request.bytes;
      budget?.hold(request.bytes);
      this.#pending.push(request);
    }
  }

  /** `request` waits no more. What was closed holds nothing. */
  #release({ bytes }: Request<P>): void {
    if (this.#closed === undefined) this.#letGo(bytes);
  }

  #letGo(bytes: number): void {
    this.#held -= bytes;
    this.#budget?.release(bytes);
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
   * Waits for the answers behind the end or a halt. (Where a file changes while it is read, what lies behind the halt may
   * have been read already: it is not handed out.)
   */
  async #drain(): Promise<void> {
    const repeating = this.#pending.splice(0);
    for (const request of repeating) this.#release(request);
    for (const { answer } of repeating) (await answer).drop();
  }
}
