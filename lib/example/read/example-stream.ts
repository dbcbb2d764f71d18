/** One file or stream, read and parsed by native threads. */
import { FillOutcome, native, type ExamplesHandle, type ParserHandle } from '../../native';
import { callNative, Feeder, startNative, type ChunkPull, type InputStream, type ReadPlan } from '../../record';
import type { Int64As } from '../../tensor';
import { StreamHead, type Plan } from '../parse';
import type { PieceSizer } from './piece-sizer';
import { PieceTaker, type ParsedRead } from './piece-taker';
import type { TransientMemory } from '../columns';

/** The settings that all streams of a reader share. */
export interface ExamplePlan {
  readonly read: ReadPlan;
  readonly plan: Plan;
  readonly int64: Int64As;
  readonly parser: ParserHandle;
  readonly sizer: PieceSizer;
  /** Of readers whose batches are transient. */
  readonly memory: TransientMemory | undefined;
}

function newTaker(file: string, handle: ExamplesHandle, { plan, int64, memory }: ExamplePlan): PieceTaker {
  return new PieceTaker(handle, plan, { int64AsNumber: int64 === 'number', file, memory });
}

/** A piece that is asked for, by its number. */
interface Asked {
  readonly records: number;
  readonly piece: Promise<number>;
}

/** A regular file: `readAhead` pieces, and one more, are asked for ahead of the one that is wanted. */
export class FileExampleStream implements InputStream<ParsedRead> {
  readonly file: string;
  readonly inputBytes: number;
  readonly #plan: ExamplePlan;
  readonly #handle: ExamplesHandle;
  readonly #taker: PieceTaker;
  readonly #pending: Asked[] = [];
  /** Parts of the piece that came last. */
  #parts: ParsedRead[] = [];
  #closed: Promise<void> | undefined;

  constructor(file: string, inputBytes: number, examples: ExamplePlan, at: string) {
    const { parser } = examples;
    const { compression, verify, maxRecordBytes, policy } = examples.read;
    this.file = file;
    this.inputBytes = inputBytes;
    this.#plan = examples;
    const stop = policy.endsAtFirst;
    const countsLost = policy.countsLost(inputBytes);
    this.#handle = callNative(file, () =>
      native().examplesOpenFile(at, compression, verify, maxRecordBytes, parser, stop, countsLost),
    );
    this.#taker = newTaker(file, this.#handle, examples);
  }

  prime(): void {
    this.#submit();
  }

  async next(): Promise<ParsedRead | undefined> {
    if (this.#closed !== undefined) return undefined;
    const part = this.#parts.shift();
    if (part !== undefined) return part;
    this.#submit();
    const { sizer } = this.#plan;
    const { records, piece } = this.#pending.shift()!;
    const number = await piece;
    if (this.#closed !== undefined) return undefined;
    const parts = this.#taker.take(number, sizer);
    sizer.came(records, parts);
    const { outcome } = parts.at(-1)!.result;
    if (outcome === FillOutcome.Cancelled) return undefined;
    // Those behind the end or a halt repeat it.
    if (outcome !== FillOutcome.More) {
      const repeating = this.#pending.splice(0);
      for (const { records: others } of repeating) sizer.came(others, []);
      for (const repeated of await Promise.all(repeating.map((asked) => asked.piece))) {
        if (this.#closed === undefined) this.#taker.drop(repeated);
      }
    }
    this.#parts = parts;
    return parts.shift();
  }

  passOver(): void {
    native().examplesPassOver(this.#handle);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  #close(): Promise<void> {
    this.#taker.settle();
    return startNative(this.file, () => native().examplesClose(this.#handle));
  }

  #submit(): void {
    const { read, sizer } = this.#plan;
    const most = Math.min(read.readAhead + 2, sizer.mostPieces);
    while (this.#pending.length < most) {
      const records = sizer.ask();
      const piece = callNative(this.file, () => native().examplesNext(this.#handle, records));
      this.#pending.push({ records, piece });
    }
  }
}

/** Chunks from JavaScript: one piece at a time. */
export class FedExampleStream implements InputStream<ParsedRead> {
  readonly file: string;
  readonly #sizer: PieceSizer;
  readonly #inputBytes: number | undefined;
  readonly #handle: ExamplesHandle;
  readonly #taker: PieceTaker;
  readonly #feeder: Feeder;
  /** Until the first records came. */
  #head: StreamHead | undefined = new StreamHead();
  #started = false;
  /** Parts of the piece that came last. */
  #parts: ParsedRead[] = [];
  #closed: Promise<void> | undefined;

  /** `open` is called last: what it opens is closed by `close` only. */
  constructor(file: string, open: () => ChunkPull, inputBytes: number | undefined, examples: ExamplePlan) {
    const { parser, sizer } = examples;
    const { compression, verify, maxRecordBytes, policy } = examples.read;
    this.file = file;
    this.#sizer = sizer;
    this.#inputBytes = inputBytes;
    const stop = policy.endsAtFirst;
    const countsLost = policy.countsLost(inputBytes);
    this.#handle = callNative(file, () =>
      native().examplesOpenFed(compression, verify, maxRecordBytes, parser, stop, countsLost),
    );
    this.#taker = newTaker(file, this.#handle, examples);
    this.#feeder = new Feeder(file, open(), (chunk, last) => {
      this.#head?.add(chunk);
      callNative(file, () => native().examplesFeed(this.#handle, chunk, last));
    });
  }

  prime(): void {
    this.#feeder.start();
  }

  async next(): Promise<ParsedRead | undefined> {
    if (this.#closed !== undefined) return undefined;
    const part = this.#parts.shift();
    if (part !== undefined) return part;
    this.#feeder.start();
    if (!this.#started) await this.#feeder.gathered(0);
    this.#started = true;
    let dry = -1;
    while (this.#closed === undefined) {
      const seen = this.#feeder.fedChunks;
      const records = this.#sizer.ask();
      const number = await callNative(this.file, () => native().examplesNext(this.#handle, records));
      if (this.#closed !== undefined) return undefined;
      const parts = this.#taker.take(number, this.#sizer);
      this.#sizer.came(records, parts);
      const { outcome, compressedBytes } = parts.at(-1)!.result;
      if (outcome === FillOutcome.Cancelled) return undefined;
      this.#feeder.consumed(compressedBytes);
      if (outcome !== FillOutcome.Input || parts[0]!.lengths.length > 0) {
        const head = this.#head?.bytes;
        this.#head = undefined;
        this.#parts = parts.map((each) => this.#known(each, head));
        return this.#parts.shift();
      }
      // What was read ahead may have run dry before the last chunks came: the second answer knows them.
      if (dry === seen) {
        // All that came before a failure of the source was delivered, unless it came meanwhile.
        const { failure, fedChunks } = this.#feeder;
        if (failure !== undefined && fedChunks === seen) throw failure.error;
        await this.#feeder.gathered(seen);
      }
      dry = seen;
    }
    return undefined;
  }

  passOver(): void {
    native().examplesPassOver(this.#handle);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** `read` with what the source says of itself, and with its head; behind records there may be more. */
  #known(read: ParsedRead, head: Uint8Array | undefined): ParsedRead {
    const { outcome } = read.result;
    const result = {
      ...read.result,
      totalBytes: this.#inputBytes ?? -1,
      outcome: outcome === FillOutcome.Input ? FillOutcome.More : outcome,
    };
    return { ...read, result, head };
  }

  async #close(): Promise<void> {
    this.#taker.settle();
    const closing = startNative(this.file, () => native().examplesClose(this.#handle));
    try {
      await this.#feeder.close();
    } finally {
      await closing;
    }
  }
}
