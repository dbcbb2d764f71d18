import { FillOutcome, native, type ReaderHandle, type ReaderSpec, type ReadStart, type SlabFill } from '../../native';
import { callNative, startNative, type Bytes } from '../../base';
import { MemoryPool, type ByteSource, type Identity, type RangedSource } from '../../io';
import { endOf, type SlabSizer } from './slab-sizer';
import type { Answer, FilledSlab, Request, Requests } from './input-stream';
import type { ReadPlan } from './read-options';
import { readerSpec, type InputSettings } from './reader-spec';
import { notedIndex } from '../index/known-indexes';

const NO_SLAB: Bytes = new Uint8Array(0);

/**
 * Returns the spec of a reader of the file at the full path `at`. If `plan` notes an index, the reader adds to it, and uses what
 * earlier readers added.
 */
function notingSpec(plan: ReadPlan, settings: InputSettings, at: string, identity: Identity | undefined): ReaderSpec {
  const spec = readerSpec(plan, settings);
  if (plan.notes !== true || identity === undefined) return spec;
  const noted = notedIndex(at, identity, spec);
  return { ...spec, index: noted ?? spec.index, checkpoints: spec.checkpoints ?? noted };
}

/** Requests slabs, which native threads fill with the records of one file. All files of a reader share the sizer. */
export class SlabRequests implements Requests<FilledSlab> {
  readonly readsAhead = false;
  readonly #file: string;
  readonly #handle: ReaderHandle;
  readonly #readAhead: number;
  readonly #memory: MemoryPool;
  /** True if the pool belongs to this stream alone. */
  readonly #ownsMemory: boolean;
  readonly #shown: ReadPlan['shown'];
  readonly #sizer: SlabSizer;
  /** Size of a fed source, if known. Native code knows the size of a file. */
  readonly #totalBytes: number | undefined;
  /** Number of slabs that the rest of the input probably needs. */
  #useful = Infinity;
  /** Size of the slab that the next record needs, if it did not fit. */
  #growTo = 0;

  private constructor(file: string, handle: ReaderHandle, plan: ReadPlan, sizer: SlabSizer, totalBytes?: number) {
    this.#file = file;
    this.#handle = handle;
    this.#readAhead = plan.readAhead;
    this.#memory = plan.memory ?? new MemoryPool();
    this.#ownsMemory = plan.memory === undefined;
    this.#shown = plan.shown;
    this.#sizer = sizer;
    this.#totalBytes = totalBytes;
  }

  /** Opens the regular file of `bytes` at the path `at`, to read from `start` on. */
  static ofFile(
    file: string,
    bytes: number,
    plan: ReadPlan,
    sizer: SlabSizer,
    start: ReadStart | undefined,
    at: string,
    membersAhead: boolean,
    identity?: Identity,
  ): SlabRequests {
    const spec = notingSpec(plan, { bytes, at, start, membersAhead }, at, identity);
    const handle = callNative(file, () => native().readerOpenFile(at, spec));
    const requests = new SlabRequests(file, handle, plan, sizer);
    if (bytes < sizer.next(undefined)) requests.#useful = 1;
    return requests;
  }

  /** Opens a stream of bytes that come through `feed`, from `start` on; `bytes` is its whole size, if known. */
  static ofFed(
    { name: file, size: bytes }: ByteSource,
    plan: ReadPlan,
    sizer: SlabSizer,
    start: ReadStart | undefined,
  ): SlabRequests {
    const handle = callNative(file, () => native().readerOpenFed(readerSpec(plan, { bytes, start })));
    return new SlabRequests(file, handle, plan, sizer, bytes);
  }

  /** Opens a source of which any range can be read, to read from `start` on. `reach`: how far ahead, in bytes. */
  static ofRanges(
    { name, size }: RangedSource,
    plan: ReadPlan,
    sizer: SlabSizer,
    start: ReadStart | undefined,
    reach: number,
    identity?: Identity,
  ): SlabRequests {
    const spec = notingSpec(plan, { bytes: size, start }, name, identity);
    const handle = callNative(name, () => native().readerOpenRanges(spec, size, reach));
    return new SlabRequests(name, handle, plan, sizer);
  }

  underWay(needed: number): number {
    return Math.min(this.#readAhead + needed, this.#useful);
  }

  nextBytes(bytes: number | undefined): number {
    return this.#sizer.next(bytes, this.#growTo);
  }

  ask(bytes: number | undefined): Request<FilledSlab> {
    const slab = this.#memory.lease(this.nextBytes(bytes), this.#file);
    this.#growTo = 0;
    const filling = callNative(this.#file, () => native().readerFill(this.#handle, slab));
    return { bytes: slab.length, answer: filling.then((result) => this.#answer(slab, result)) };
  }

  feed(chunk: Uint8Array, last: boolean): void {
    callNative(this.#file, () => {
      native().readerFeed(this.#handle, chunk, last);
    });
  }

  wants(): Float64Array {
    return callNative(this.#file, () => native().readerWants(this.#handle));
  }

  feedRange(at: number, bytes: Uint8Array): void {
    callNative(this.#file, () => {
      native().readerFeedRange(this.#handle, at, bytes);
    });
  }

  endAt(at: number): void {
    native().readerEndAt(this.#handle, at);
  }

  skip(): void {
    native().readerSkip(this.#handle);
  }

  close(): Promise<void> {
    if (this.#ownsMemory) this.#memory.close();
    return startNative(this.#file, () => native().readerClose(this.#handle));
  }

  #answer(slab: Bytes, result: SlabFill): Answer<FilledSlab> {
    const { outcome, compression, compressedBytes, frames } = result;
    // A fill without records leaves nothing in its slab.
    if (frames.length === 0) this.#memory.end(slab);
    const filled = frames.length === 0 ? NO_SLAB : slab;
    return {
      outcome,
      compression,
      compressedBytes,
      memory: () => filled.length + frames.byteLength,
      take: () => this.#take(filled, result),
    };
  }

  #take(slab: Bytes, result: SlabFill): FilledSlab[] {
    const { outcome } = result;
    if (outcome === FillOutcome.Grow) this.#growTo = result.growTo;
    if (outcome === FillOutcome.Grow || outcome === FillOutcome.Input) return [];
    this.#growTo = 0;
    // There is more, although the slab was large enough for the file: its content is compressed.
    if (outcome === FillOutcome.More) this.#useful = Infinity;
    this.#sizer.learn(result);
    const end = endOf(result);
    const records = this.#shown === undefined || end === 0 ? slab : this.#shown.show(slab, end, this.#file);
    return [
      { slab: records, result: this.#totalBytes === undefined ? result : { ...result, totalBytes: this.#totalBytes } },
    ];
  }
}
