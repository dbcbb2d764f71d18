import { native, type WriteResult, type WriterHandle } from '../../native';
import {
  COMPRESSIONS,
  withCallers,
  callNative,
  startNative,
  faultError,
  fullPath,
  streamError,
  workingFolder,
  type Bytes,
} from '../../base';
import { isOneStream, type ClassifiedTarget, type Output } from '../../io';
import { scanAndSave, WrittenIndex } from '../index/written-index';
import { FrameSlab } from './frame-slab';
import { SlabRoom } from './slab-room';
import type { FrameSpan } from '../batch/record-batch';
import type { WritePlan } from './write-options';

const FATES = {
  atomic: 'Nothing appears under that name; a file written in place stays incomplete.',
  inPlace: 'The file is incomplete.',
};

/** A file whose index is saved. */
export interface IndexedOutput {
  /** Undefined: the file gets its name after its writer has closed it, and the index is saved then. */
  readonly path: string | undefined;
}

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
  /** Records and payload bytes of the slabs pushed so far. */
  records = 0;
  bytes = 0;
  failure: { readonly error: unknown } | undefined;
  /** After `close`: the CRC-32C of what was written, if it was wanted and native code has it. */
  crc32c: number | undefined;

  readonly #handle: WriterHandle;
  readonly #isPlain: boolean;
  readonly #output: Output | undefined;
  readonly #room: SlabRoom;
  /** Resolves when the results of all earlier native calls were handled. Never rejects. */
  #tail: Promise<void> = Promise.resolve();
  /** Set by a failure. Settles when the file has been given up. */
  #aborted: Promise<unknown> | undefined;
  #fileBytes = 0;
  readonly #bytesBefore: number;
  readonly #index: WrittenIndex | undefined;
  /** The full path of the file with that index, if its writer gives it its name. */
  readonly #indexed: string | undefined;
  /** The index is made of what is written. */
  readonly #indexesSlabs: boolean;
  /** True once the target has ended well: nothing can fail or be given up any more. */
  #complete = false;

  /**
   * `indexed`: the file, if its index is saved. `room`: that of several queues; default: one of its own. `sums`: `crc32c` is wanted.
   * @throws TypeError for streams that cannot be written.
   */
  constructor(
    target: ClassifiedTarget,
    plan: WritePlan,
    indexed?: IndexedOutput,
    room = new SlabRoom(plan),
    sums = false,
  ) {
    this.file = target.file;
    this.fate =
      target.fate ??
      (target.path === undefined ? 'The stream is given up.' : FATES[plan.atomic ? 'atomic' : 'inPlace']);
    this.watched = target.ownsWriter !== true;
    this.#bytesBefore = target.bytesBefore ?? 0;
    this.#output = target.open();
    this.#isPlain = COMPRESSIONS[plan.compression] === 'none';
    this.#room = room;
    room.writers++;
    this.maxRecordBytes = plan.maxRecordBytes;
    this.#index = indexed === undefined ? undefined : new WrittenIndex(target.file, plan.compression);
    this.#indexed = indexed?.path === undefined ? undefined : fullPath(indexed.path, workingFolder());
    this.#indexesSlabs = target.path !== undefined && !isOneStream(plan.compression);
    this.#handle = callNative(this.file, () =>
      native().writerOpen(target.path, plan.compression, plan.level, plan.atomic, plan.threads, sums),
    );
  }

  start(): Promise<void> {
    return this.#through(this.#start(() => native().writerStart(this.#handle, this.#bytesBefore)));
  }

  /** Replaces `slab` with one that has room for a frame of `bytes`. @throws TFRecordError ENOMEM. */
  makeRoom(bytes: number): void {
    const grown = this.#room.grown(this.slab, bytes, this.file);
    if (grown === undefined) this.push();
    this.slab = grown ?? this.#room.newSlab(bytes, this.file);
  }

  /** Set while too many slabs are under way. Resolves when there is room; rejects, never unhandled, after a failure. */
  get pressure(): Promise<void> | undefined {
    return this.#room.pressure;
  }

  /** Sends `slab` off, unless it is empty. */
  push(): void {
    const { slab } = this;
    if (slab.records === 0) return;
    this.slab = FrameSlab.none;
    this.records += slab.records;
    this.bytes += slab.payloadBytes;
    const copies = this.#room.copies(slab);
    const pushed = this.#start(() =>
      native().writerPush(this.#handle, slab.buffer, slab.used, slab.records, copies, false),
    );
    // Where it is copied, the room may free its memory at once.
    const { length } = slab.buffer;
    this.#room.sent(slab);
    const sent = copies ? undefined : slab;
    void this.#follow(pushed, sent && slab.buffer.subarray(0, slab.used)).then(() => {
      this.#room.takeBack(length, sent);
    });
  }

  /** True if frames can be sent as they are: the bytes of the file do not depend on its slabs. */
  get takesSpans(): boolean {
    return this.#isPlain && !this.#room.shared;
  }

  /** Sends frames off as they are. Their memory is held until the target has them. */
  pushSpan({ bytes, records, payloadBytes, hold }: FrameSpan): void {
    this.push();
    this.records += records;
    this.bytes += payloadBytes;
    hold.hold();
    const pushed = this.#start(() => native().writerPush(this.#handle, bytes, bytes.length, records, false, true));
    this.#room.sentBytes(bytes.length);
    void this.#follow(pushed, bytes).then(() => {
      this.#room.takeBack(bytes.length, undefined);
      hold.release();
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

  /**
   * Saves the index of the complete file, if there is to be one and the file has its name, which is `path`.
   * @throws TFRecordError if that fails
   */
  async saveIndex(path = this.#indexed): Promise<void> {
    if (this.#index === undefined || path === undefined) return;
    await (this.#indexesSlabs ? this.#index.save(path, this.#fileBytes) : scanAndSave(path));
  }

  /** Gives the target up because of `error`, unless something failed before or the target has ended. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.failure = { error };
    if (this.slab !== FrameSlab.none) this.#room.drop(this.slab);
    this.slab = FrameSlab.none;
    this.#closeRoom();
    // Without memory for the promise this call fails, but native code gives the target up all the same.
    const aborted = this.#start(() => native().writerAbort(this.#handle)).catch(() => undefined);
    this.#aborted = Promise.all([aborted, this.#output?.abort(error)]);
    this.#room.fail(error);
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
    this.#closeRoom();
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

  /** `frames`: those that `pending` writes, unless they were copied. */
  #follow(pending: Promise<WriteResult>, frames?: Bytes): Promise<void> {
    return (this.#tail = this.#pass(this.#tail, pending, frames));
  }

  /** Handles the result of `pending` after all `earlier` ones, and passes its output on. Never rejects. */
  async #pass(earlier: Promise<void>, pending: Promise<WriteResult>, frames?: Bytes): Promise<void> {
    try {
      const result = await pending;
      await earlier;
      const stored = this.#fileBytes;
      this.#fileBytes = result.fileBytes;
      this.crc32c = result.crc32c;
      if (result.fault !== undefined) this.fail(faultError(result.fault, { file: this.file }));
      else if (result.output !== undefined && this.failure === undefined) await this.#output?.write(result.output);
      if (frames !== undefined && this.#indexesSlabs) this.#index?.add(frames, stored);
    } catch (error) {
      this.fail(streamError(error, this.file));
    }
  }

  get #over(): boolean {
    return this.#complete || this.failure !== undefined;
  }

  #closeRoom(): void {
    // Other queues go on with a room that they share.
    if (!this.#room.shared) this.#room.close();
  }
}

/** Warns that another writer wrote the file meanwhile, and that `close` has replaced what it wrote. */
function warnOfReplaced(file: string): void {
  process.emitWarning(
    `${file} was written by another writer while this RecordWriter was open: close() has replaced that file.`,
    { type: 'TFRecordWarning', code: 'TFR_REPLACED' },
  );
}
