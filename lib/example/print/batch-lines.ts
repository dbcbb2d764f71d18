/** Prints batches of records as lines, on native threads. */
import { LoopTurns, startNative, type Bytes } from '../../base';
import { MemoryPool } from '../../io';
import { native, type LinesHandle, type PrintedLines } from '../../native';
import { partsOf, type RecordBatch } from '../../record';

/** Size of the memory for the lines of a part of a batch. */
const ROOM_BYTES = 1024 * 1024;
/** Maximum size of the memory that waits for its next use. */
const WAITING_BYTES = 8 * ROOM_BYTES;
/** Records of fewer bytes are printed by one thread: waking another one takes longer. */
const PART_BYTES = 192 * 1024;
/** Maximum number of threads that print one batch. */
const MOST_PARTS = 4;
/** Room for the line of a long record, for each of its bytes: that of most records, and that of any. */
const ROOM_PER_BYTE = [2, 8];
const ROOM_BESIDE = 4096;
/** Number of lines without native code between two checks of the clock. */
const LOOK_LINES = 64;
/** Larger lines are left to `other`. */
const MOST_ROOM = 512 * 1024 * 1024;

/** Receives the lines of a batch, in the order of its records. */
export interface LineTaker {
  /** Takes the lines of `records` records, each with a line feed. Call `free` when their memory is free again. */
  lines(text: Buffer<ArrayBuffer>, free: () => void, records: number): Promise<void> | undefined;
  /** Record `index` has no native line: it has an unusual form, is of another type, or does not fit the plan. */
  other(index: number): Promise<void> | undefined;
  /** True if no more lines are wanted. */
  readonly stopped: boolean;
}

/** A part of a batch that is being printed. */
interface Part {
  readonly begin: number;
  readonly end: number;
  readonly printed: Promise<Printed>;
}

/** Lines, and the memory that starts with them. */
interface Printed extends PrintedLines {
  readonly room: Bytes;
}

/** Prints the records that native code prints exactly as TypeScript does, and names the others. */
export class BatchLines {
  readonly #handle: LinesHandle | undefined;
  readonly #rooms = new MemoryPool(WAITING_BYTES);
  readonly #threads: number;
  readonly #turns = new LoopTurns();

  /** `handle`: the printers. Undefined: native code prints no record, as in WebAssembly. */
  constructor(handle: LinesHandle | undefined) {
    this.#handle = handle;
    this.#threads = native().info().threads;
  }

  /**
   * Prints records `begin` to `end` of `batch`. Nobody but this package has seen their memory, nor changes it before the
   * promise settles. @throws TFRecordError ENOMEM; the errors of `taker`
   */
  async print(batch: RecordBatch, taker: LineTaker, begin = 0, end = batch.length): Promise<void> {
    if (this.#handle === undefined) {
      await this.#printOthers(taker, begin, end);
      return;
    }
    const parts = this.#parts(batch, begin, end).map((from, i, all) => this.#start(batch, from, all[i + 1] ?? end));
    let failure: { readonly error: unknown } | undefined;
    for (const part of parts) {
      try {
        if (failure === undefined) await this.#take(batch, part, taker);
        // Threads use the memory of the batch.
        else await part.printed;
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  async #printOthers(taker: LineTaker, begin: number, end: number): Promise<void> {
    for (let index = begin; index < end && !taker.stopped; index++) {
      const full = taker.other(index);
      if (full !== undefined) await full;
      if (index % LOOK_LINES === 0) await this.#turns.breathe();
    }
  }

  /** Releases memory. */
  close(): void {
    this.#rooms.close();
  }

  /** The first records of parts of about the same size, one for each thread. */
  #parts(batch: RecordBatch, begin: number, end: number): number[] {
    const bytes = batch.byteLength * ((end - begin) / batch.length);
    const most = Math.min(this.#threads, MOST_PARTS, end - begin);
    const count = Math.max(1, Math.min(most, Math.floor(bytes / PART_BYTES)));
    return Array.from({ length: count }, (_, i) => begin + Math.floor(((end - begin) * i) / count));
  }

  #start(batch: RecordBatch, begin: number, end: number, roomBytes = ROOM_BYTES): Part {
    const printed = this.#printTo(batch, begin, end, roomBytes);
    // Its error is thrown later, in order.
    printed.catch(() => undefined);
    return { begin, end, printed };
  }

  /** Rejects where it cannot start, too: other parts may be under way. */
  async #printTo(batch: RecordBatch, begin: number, end: number, roomBytes: number): Promise<Printed> {
    const { source, begin: first } = partsOf(batch);
    const room = this.#rooms.lease(roomBytes, source.file);
    const { records, bytes, refused } = await startNative(source.file, () =>
      native().linesPrint!(this.#handle!, source.slab, source.frames, first + begin, first + end, room),
    );
    return { records, bytes, refused, room };
  }

  /** Passes the lines of `part` on, and then those of its records for which there was no room. */
  async #take(batch: RecordBatch, part: Part, taker: LineTaker): Promise<void> {
    const { end } = part;
    for (let current = part; ;) {
      const printed = await current.printed;
      // Passing lines on ends the lease of the room, which may then be empty.
      const { length } = printed.room;
      await this.#pass(current.begin, printed, taker);
      let next = current.begin + printed.records;
      if (next >= end || taker.stopped) return;
      let roomBytes = ROOM_BYTES;
      if (printed.records === 0) {
        const wanted = ROOM_PER_BYTE.map((factor) => factor * batch.at(next)!.length + ROOM_BESIDE);
        roomBytes = wanted.find((bytes) => bytes > length && bytes <= MOST_ROOM) ?? 0;
        if (roomBytes === 0) {
          await taker.other(next++);
          if (next >= end || taker.stopped) return;
          roomBytes = ROOM_BYTES;
        }
      }
      current = this.#start(batch, next, end, roomBytes);
    }
  }

  /** Passes the lines of a part from `begin` on to `taker`, and the records without one in their places. */
  async #pass(begin: number, { records: count, bytes, refused, room }: Printed, taker: LineTaker): Promise<void> {
    let pieces = 1;
    const free = (): void => {
      if (--pieces === 0) this.#rooms.end(room);
    };
    let [at, index] = [0, 0];
    const linesTo = (end: number, next: number): Promise<void> | undefined => {
      const text = Buffer.from(room.buffer, at, end - at);
      const records = next - index;
      [at, index] = [end, next];
      if (records === 0 || taker.stopped) return undefined;
      pieces++;
      return taker.lines(text, free, records);
    };
    for (let i = 0; i < (refused?.length ?? 0) && !taker.stopped; i += 2) {
      await linesTo(refused![i + 1]!, refused![i]!);
      if (!taker.stopped) await taker.other(begin + index++);
      if (i % (2 * LOOK_LINES) === 0) await this.#turns.breathe();
    }
    await linesTo(bytes, count);
    free();
  }
}
