import { native, type WriteResult, type WriterHandle } from '../../native';
import { compressionNumber, withCallers, callNative, startNative, faultError, streamError } from '../../base';
import { MemoryPool, type ClassifiedTarget, type Output } from '../../io';
import { WrittenIndex } from '../index/written-index';
import { FrameSlab, SLAB_BYTES } from './frame-slab';
import type { WritePlan } from './write-options';

interface Room {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Number of slabs, more than the threads, that may be under way before a caller should wait. */
const AHEAD = 2;
/**
 * Total size of slabs that may be under way before a caller should wait. A record over 1 MiB has a slab of its own.
 */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** Maximum size of the memory that waits for its next use, beside that of usual slabs. */
const SPARE_BYTES = 48 * 1024 * 1024;

const FATES = {
  atomic: 'Nothing appears under that name; a file written in place stays incomplete.',
  inPlace: 'The file is incomplete.',
};

/**
 * Sends slabs through native threads to the target. Several are under way at a time, in order; slabs are recycled. The
 * first failure is final: it gives the target up, and every later call rejects with it.
 */
export class SlabQueue {
  readonly file: string;
  /** Longest record, in bytes. */
  readonly maxRecordBytes: number;
  /** A sentence that says what happens to the target if nobody closes it. */
  readonly fate: string;
  /** True if leaving the writer open is worth a warning. */
  readonly watched: boolean;
  /** The slab to append records to; `FrameSlab.none` before the first record and after a failure. */
  slab = FrameSlab.none;
  /** Set while too many slabs are under way. Resolves when there is room; rejects, never unhandled, after a failure. */
  pressure: Promise<void> | undefined;
  /** Records and payload bytes of the slabs pushed so far. */
  records = 0;
  bytes = 0;
  failure: { readonly error: unknown } | undefined;

  readonly #handle: WriterHandle;
  readonly #output: Output | undefined;
  readonly #limit: number;
  readonly #memory: MemoryPool;
  #underWay = 0;
  #underWayBytes = 0;
  #room: Room | undefined;
  /** Resolves when the results of all earlier native calls were handled. Never rejects. */
  #tail: Promise<void> = Promise.resolve();
  /** Set by a failure. Settles when the file has been given up. */
  #aborted: Promise<unknown> | undefined;
  #fileBytes = 0;
  readonly #bytesBefore: number;
  readonly #index: WrittenIndex | undefined;
  /** The index is made of what is written. */
  readonly #indexesSlabs: boolean;
  /** True once the target has ended well: nothing can fail or be given up any more. */
  #complete = false;

  /** `indexed`: the path of the file, if its index is saved. @throws TypeError for streams that cannot be written. */
  constructor(target: ClassifiedTarget, plan: WritePlan, indexed?: string) {
    this.file = target.file;
    this.fate =
      target.fate ??
      (target.path === undefined ? 'The stream is given up.' : FATES[plan.atomic ? 'atomic' : 'inPlace']);
    this.watched = target.ownsWriter !== true;
    this.#bytesBefore = target.bytesBefore ?? 0;
    this.#output = target.open();
    this.#limit = plan.threads + AHEAD;
    this.#memory = new MemoryPool((this.#limit + 1) * SLAB_BYTES + SPARE_BYTES);
    this.maxRecordBytes = plan.maxRecordBytes;
    this.#index = indexed === undefined ? undefined : new WrittenIndex(target.file, indexed, plan.compression);
    // A ZLIB file is one stream.
    this.#indexesSlabs = target.path !== undefined && plan.compression !== compressionNumber('zlib');
    this.#handle = callNative(this.file, () =>
      native().writerOpen(target.path, plan.compression, plan.level, plan.atomic, plan.threads),
    );
  }

  start(): Promise<void> {
    return this.#through(this.#start(() => native().writerStart(this.#handle)));
  }

  /** Replaces `slab` with one that has room for a frame of `bytes`. @throws TFRecordError ENOMEM. */
  makeRoom(bytes: number): void {
    this.push();
    const { file, maxRecordBytes } = this;
    // Slabs end at the same records, whatever memory is free: GZIP members, and so the bytes of the file, depend on it.
    const capacity = Math.max(bytes, SLAB_BYTES);
    this.slab = new FrameSlab(this.#memory.lease(capacity, file), capacity, maxRecordBytes);
  }

  /** Sends `slab` off, unless it is empty. */
  push(): void {
    const { slab } = this;
    if (slab.records === 0) return;
    this.slab = FrameSlab.none;
    this.records += slab.records;
    this.bytes += slab.payloadBytes;
    this.#underWay++;
    this.#underWayBytes += slab.buffer.length;
    if (this.#isFull && this.pressure === undefined) this.#holdBack();
    const pushed = this.#follow(
      this.#start(() => native().writerPush(this.#handle, slab.buffer, slab.used, slab.records)),
      slab,
    );
    void pushed.then(() => {
      this.#takeBack(slab);
    });
  }

  /** Resolves when the target has all records so far; `sync`: when they are on the disk. */
  async flush(sync: boolean): Promise<void> {
    this.push();
    await this.#through(this.#start(() => native().writerFlush(this.#handle, sync)));
    await this.#with((output) => output.flush(sync));
  }

  /** Ends the target, and resolves with its size. An abort after the target has ended has no effect. */
  async close(): Promise<number> {
    this.push();
    const failedBefore = this.failure !== undefined;
    const closing = this.#start(() => native().writerClose(this.#handle));
    if (this.#output === undefined) {
      await this.#through(
        closing.then((result) => {
          if (result.fault === undefined && !failedBefore) this.#completed();
          if (result.replacedOther) warnOfReplaced(this.file);
          return result;
        }),
      );
    } else {
      await this.#through(closing);
      await this.#with((output) =>
        output.end().then(() => {
          this.#completed();
        }),
      );
    }
    return this.#bytesBefore + this.#fileBytes;
  }

  /** Saves the index of the complete file, if there is to be one. @throws TFRecordError if that fails */
  async saveIndex(): Promise<void> {
    await (this.#indexesSlabs ? this.#index?.save(this.#fileBytes) : this.#index?.scan());
  }

  /** Gives the target up because of `error`, unless something failed before or the target has ended. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.failure = { error };
    this.slab = FrameSlab.none;
    this.#memory.close();
    // Without memory for the promise this call fails, but native code gives the target up all the same.
    const aborted = this.#start(() => native().writerAbort(this.#handle)).catch(() => undefined);
    this.#aborted = Promise.all([aborted, this.#output?.abort(error)]);
    this.#room?.reject(error);
  }

  /** Resolves when nothing is under way any more and, after a failure, the file has been given up. */
  async settled(): Promise<void> {
    await this.#tail;
    await this.#aborted;
  }

  /** Marks the target as complete. A failure that was recorded meanwhile came too late. Frees the spare memory. */
  #completed(): void {
    this.#complete = true;
    this.failure = undefined;
    this.#memory.close();
  }

  async #through(pending: Promise<WriteResult>): Promise<void> {
    await this.#follow(pending);
    await this.#check();
  }

  async #with(step: (output: Output) => Promise<void>): Promise<void> {
    if (this.#output === undefined) return;
    try {
      await step(this.#output);
    } catch (error) {
      this.fail(streamError(error, this.file));
    }
    await this.#check();
  }

  async #check(): Promise<void> {
    if (this.failure === undefined) return;
    await this.settled();
    throw withCallers(this.failure.error);
  }

  #start(call: () => Promise<WriteResult>): Promise<WriteResult> {
    return startNative(this.file, call);
  }

  /** `slab`: the one that `pending` writes. */
  #follow(pending: Promise<WriteResult>, slab?: FrameSlab): Promise<void> {
    return (this.#tail = this.#pass(this.#tail, pending, slab));
  }

  /** Handles the result of `pending` after all `earlier` ones, and passes its output on. Never rejects. */
  async #pass(earlier: Promise<void>, pending: Promise<WriteResult>, slab?: FrameSlab): Promise<void> {
    try {
      const [result] = await Promise.all([pending, earlier]);
      const stored = this.#fileBytes;
      this.#fileBytes = result.fileBytes;
      if (result.fault !== undefined) this.fail(faultError(result.fault, { file: this.file }));
      else if (result.output !== undefined && this.failure === undefined) await this.#output?.write(result.output);
      if (slab !== undefined && this.#indexesSlabs) this.#index?.add(slab.buffer.subarray(0, slab.used), stored);
    } catch (error) {
      this.fail(streamError(error, this.file));
    }
  }

  #takeBack(slab: FrameSlab): void {
    this.#underWay--;
    this.#underWayBytes -= slab.buffer.length;
    this.#memory.end(slab.buffer);
    if (!this.#isFull) this.#letGo();
  }

  get #over(): boolean {
    return this.#complete || this.failure !== undefined;
  }

  get #isFull(): boolean {
    return this.#underWay > this.#limit || this.#underWayBytes > Math.max(AHEAD_BYTES, this.#limit * SLAB_BYTES);
  }

  #holdBack(): void {
    let room!: Omit<Room, 'promise'>;
    const promise = new Promise<void>((resolve, reject) => {
      room = { resolve, reject };
    });
    // A caller that does not wait gets a failure from the next write, or from close.
    promise.catch(() => undefined);
    this.#room = { promise, ...room };
    this.pressure = promise;
  }

  #letGo(): void {
    this.#room?.resolve();
    this.#room = undefined;
    this.pressure = undefined;
  }
}

/** Warns that another writer wrote the file meanwhile, and that `close` has replaced what it wrote. */
function warnOfReplaced(file: string): void {
  process.emitWarning(
    `${file} was written by another writer while this RecordWriter was open: close() has replaced that file.`,
    { type: 'TFRecordWarning', code: 'TFR_REPLACED' },
  );
}
