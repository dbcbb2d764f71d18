/** One file or stream, read and parsed by native threads. */
import { FillOutcome, native, type ExamplesHandle, type ParserHandle, type PieceResult } from '../../native';
import { Feeder, feedNative, type ChunkPull, type InputStream, type ReadPlan } from '../../record';

/** What native threads have parsed of a file. */
export interface ParsedRead {
  readonly result: PieceResult;
}

/** What all streams of a reader have in common. */
export interface ExamplePlan {
  readonly read: ReadPlan;
  readonly parser: ParserHandle;
  /** Records a piece, as the reader wants them now. */
  readonly wanted: { records: number };
}

/** Bytes of records that may be under way, in pieces: those of large records are fewer. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/** A regular file: `readAhead` pieces, and one more, are asked for ahead of the one that is wanted. */
export class FileExampleStream implements InputStream<ParsedRead> {
  readonly file: string;
  readonly #plan: ExamplePlan;
  readonly #handle: ExamplesHandle;
  readonly #pending: Promise<PieceResult>[] = [];
  /** Of the largest piece so far. */
  #pieceBytes = 1;
  #closed: Promise<void> | undefined;

  constructor(file: string, plan: ExamplePlan) {
    const { compression, verify, maxRecordBytes, policy } = plan.read;
    this.file = file;
    this.#plan = plan;
    this.#handle = native().examplesOpenFile(
      file,
      compression,
      verify,
      maxRecordBytes,
      plan.parser,
      policy.endsAtFirst,
    );
  }

  prime(): void {
    this.#submit();
  }

  async next(): Promise<ParsedRead | undefined> {
    if (this.#closed !== undefined) return undefined;
    this.#submit();
    const result = await (this.#pending.shift() as Promise<PieceResult>);
    if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
    this.#pieceBytes = Math.max(this.#pieceBytes, sum(result.lengths));
    // Those behind the end or a halt repeat it.
    if (result.outcome !== FillOutcome.More) await Promise.all(this.#pending.splice(0));
    return { result };
  }

  passOver(): void {
    native().examplesPassOver(this.#handle);
  }

  close(): Promise<void> {
    return (this.#closed ??= native().examplesClose(this.#handle));
  }

  #submit(): void {
    const { read, wanted } = this.#plan;
    const most = Math.min(read.readAhead + 2, Math.max(2, Math.floor(AHEAD_BYTES / this.#pieceBytes)));
    while (this.#pending.length < most) {
      this.#pending.push(native().examplesNext(this.#handle, wanted.records));
    }
  }
}

/** Chunks from JavaScript: one piece at a time. */
export class FedExampleStream implements InputStream<ParsedRead> {
  readonly file: string;
  readonly #plan: ExamplePlan;
  readonly #inputBytes: number | undefined;
  readonly #handle: ExamplesHandle;
  readonly #feeder: Feeder;
  #started = false;
  #closed: Promise<void> | undefined;

  /** `open` is called last: what it opens is closed by `close` only. */
  constructor(file: string, open: () => ChunkPull, inputBytes: number | undefined, plan: ExamplePlan) {
    const { compression, verify, maxRecordBytes, policy } = plan.read;
    this.file = file;
    this.#plan = plan;
    this.#inputBytes = inputBytes;
    this.#handle = native().examplesOpenFed(compression, verify, maxRecordBytes, plan.parser, policy.endsAtFirst);
    this.#feeder = new Feeder(file, open(), (chunk, last) => {
      feedNative(file, () => native().examplesFeed(this.#handle, chunk, last));
    });
  }

  prime(): void {
    this.#feeder.start();
  }

  async next(): Promise<ParsedRead | undefined> {
    this.#feeder.start();
    if (!this.#started) await this.#feeder.gathered(0);
    this.#started = true;
    let dry = -1;
    while (this.#closed === undefined) {
      const seen = this.#feeder.fedChunks;
      const result = await native().examplesNext(this.#handle, this.#plan.wanted.records);
      if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
      this.#feeder.consumed(result.compressedBytes);
      if (result.outcome !== FillOutcome.Input) return { result: { ...result, totalBytes: this.#inputBytes ?? -1 } };
      if (result.lengths.length > 0) return { result: { ...result, outcome: FillOutcome.More } };
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

  async #close(): Promise<void> {
    const closing = native().examplesClose(this.#handle);
    try {
      await this.#feeder.close();
    } finally {
      await closing;
    }
  }
}

function sum(lengths: Uint32Array): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total;
}
