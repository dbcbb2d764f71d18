import { availableParallelism } from 'node:os';

import { FillOutcome, native, type FillResult, type ReaderHandle } from '../../native';
import { newSlab } from '../bytes';
import { callNative, startNative } from '../faults';
import { SlabSizer } from '../memory/slab-sizer';
import type { Bytes } from '../origin';
import type { Filled, InputStream, RecordPlace } from './input-stream';
import type { ReadPlan } from './read-options';

/**
 * Most bytes that native code holds for a file of our own gzip members: it inflates so many in parallel, at 1.5 MiB
 * each.
 */
const MEMBERS_BYTES = Math.min(8, availableParallelism()) * 1.5 * 1024 * 1024;

interface Fill {
  readonly slab: Bytes;
  readonly result: Promise<FillResult>;
}

/**
 * A regular file, read by native threads, `readAhead` slabs ahead of the one that was asked for.
 *
 * Fills settle in order. Behind the end or a halt, those already under way repeat it and leave their slabs untouched, so
 * the slabs serve again; so they do behind a record that needs a larger slab, unless theirs is large enough.
 */
export class FileRecordStream implements InputStream<Filled> {
  readonly file: string;
  readonly inputBytes: number;
  readonly #plan: ReadPlan;
  readonly #handle: ReaderHandle;
  readonly #fills: Fill[] = [];
  readonly #spare: Bytes[] = [];
  readonly #sizer: SlabSizer;
  /** Fills that the rest of the file is likely to need. */
  #useful: number;
  #growTo = 0;
  /** Bytes of the slabs that wait to be filled, or to be asked for. */
  #held = 0;
  /** Bytes of the budget that are reserved for gzip members that native code inflates ahead. */
  #heldForMembers = 0;
  #closed: Promise<void> | undefined;

  /** `inputBytes`: the file's size, as `stat` tells it. `start`: where to begin in a plain file. */
  constructor(
    file: string,
    inputBytes: number,
    plan: ReadPlan,
    start: RecordPlace = { record: 0, offset: 0 },
    at = file,
  ) {
    this.file = file;
    this.inputBytes = inputBytes;
    this.#plan = plan;
    this.#sizer = new SlabSizer(plan.batchBytes);
    this.#useful = inputBytes < this.#sizer.next(undefined) ? 1 : Infinity;
    const { compression, verify, maxRecordBytes } = plan;
    const { record, offset } = start;
    const goesOn = !plan.policy.endsAtFirst;
    const countsLost = plan.policy.countsLost(inputBytes);
    const members = this.#holdMembers();
    try {
      this.#handle = callNative(file, () =>
        native().readerOpenFile(at, compression, verify, maxRecordBytes, offset, record, goesOn, countsLost, members),
      );
    } catch (error) {
      this.#dropMembers();
      throw error;
    }
  }

  prime(): void {
    this.#submit(Math.min(this.#plan.readAhead, this.#useful), 0);
  }

  async next(): Promise<Filled | undefined> {
    while (this.#closed === undefined) {
      // A record that needs a larger slab waits for the fills under way: one of them may have it.
      if (this.#growTo === 0 || this.#fills.length === 0) {
        this.#submit(Math.min(this.#plan.readAhead + 1, this.#useful), 1);
      }
      const { slab, result: pending } = this.#fills.shift()!;
      const result = await pending;
      this.#release(slab);
      if (result.compression !== 'gzip') this.#dropMembers();
      if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
      if (result.outcome === FillOutcome.Grow) {
        this.#growTo = result.growTo;
        this.#spare.push(slab);
        continue;
      }
      this.#growTo = 0;
      if (result.outcome === FillOutcome.More) {
        // What a file holds beyond its size was compressed, so there is more to come.
        this.#useful = Infinity;
        this.#sizer.learn(result);
      } else {
        await this.#drain();
      }
      return { slab, result };
    }
    return undefined;
  }

  passOver(): void {
    native().readerPassOver(this.#handle);
  }

  close(): Promise<void> {
    for (const slab of this.#spare.splice(0)) this.#plan.slabs?.give(slab);
    // Also the slab of a step that waits.
    this.#letGo(this.#held);
    this.#dropMembers();
    return (this.#closed ??= startNative(this.file, () => native().readerClose(this.#handle)));
  }

  /** Tops up the fills under way to `count`, of which those beyond `needed` have to find room. */
  #submit(count: number, needed: number): void {
    const ahead = this.#plan.ahead;
    while (this.#fills.length < count) {
      if (ahead !== undefined && this.#fills.length >= needed && ahead.room < this.#nextBytes) return;
      const slab = this.#nextSlab();
      this.#held += slab.length;
      ahead?.hold(slab.length);
      const result = callNative(this.file, () => native().readerFill(this.#handle, slab));
      this.#fills.push({ slab, result });
    }
  }

  /** `slab` waits no more. What was closed holds nothing. */
  #release(slab: Bytes): void {
    if (this.#closed === undefined) this.#letGo(slab.length);
  }

  #letGo(bytes: number): void {
    this.#held -= bytes;
    this.#plan.ahead?.release(bytes);
  }

  /** True if native code may inflate members ahead: there is no budget, or it has room, which is then reserved. */
  #holdMembers(): boolean {
    const { ahead } = this.#plan;
    if (ahead === undefined) return true;
    if (ahead.room < MEMBERS_BYTES) return false;
    this.#heldForMembers = MEMBERS_BYTES;
    ahead.hold(MEMBERS_BYTES);
    return true;
  }

  #dropMembers(): void {
    this.#plan.ahead?.release(this.#heldForMembers);
    this.#heldForMembers = 0;
  }

  get #nextBytes(): number {
    return this.#sizer.next(this.inputBytes, this.#growTo);
  }

  #nextSlab(): Bytes {
    const size = this.#nextBytes;
    this.#growTo = 0;
    for (let spare = this.#spare.pop(); spare !== undefined; spare = this.#spare.pop()) {
      if (spare.length >= size) return spare;
    }
    return this.#plan.slabs?.take(size) ?? newSlab(size, this.file);
  }

  /**
   * Waits for the fills behind the end or a halt, and keeps the slabs of those that did nothing. (Where a file changes
   * while it is read, what lies behind the halt may have been read already: it is not handed out.)
   */
  async #drain(): Promise<void> {
    const fills = this.#fills.splice(0);
    for (const { slab } of fills) this.#release(slab);
    for (const { slab, result } of fills) {
      if ((await result).frames.length === 0) this.#spare.push(slab);
    }
  }
}
