import { FillOutcome, native, type ExamplesHandle, type ParserHandle, type ReadStart } from '../../native';
import { callNative, startNative } from '../../base';
import { readerSpec, type Answer, type ReadPlan, type Request, type Requests } from '../../record';
import type { MemoryPool, RangedSource } from '../../io';
import type { Int64As } from '../../tensor';
import type { Plan } from '../parse';
import { PIECE_BYTES, type PieceSizer } from './piece-sizer';
import { PieceTaker, type Piece } from './piece-taker';

/** The settings that all streams of a reader share. */
export interface ExamplePlan {
  readonly read: ReadPlan;
  readonly plan: Plan;
  readonly int64: Int64As;
  readonly parser: ParserHandle;
  readonly sizer: PieceSizer;
  /** The pool of a reader with transient batches; undefined for other readers. */
  readonly pool: MemoryPool | undefined;
}

/** Requests parsed pieces of one file from native threads. */
export class PieceRequests implements Requests<Piece> {
  readonly readsAhead = true;
  readonly #file: string;
  readonly #handle: ExamplesHandle;
  readonly #readAhead: number;
  readonly #sizer: PieceSizer;
  readonly #taker: PieceTaker;
  /** Size of a fed source, if known. Native code knows the size of a file. */
  readonly #totalBytes: number | undefined;
  /** Memory of the largest piece that was read before the file's turn. */
  #largest = PIECE_BYTES;
  #closed = false;

  private constructor(
    file: string,
    handle: ExamplesHandle,
    { read, plan, int64, sizer, pool }: ExamplePlan,
    totalBytes?: number,
  ) {
    this.#file = file;
    this.#handle = handle;
    this.#readAhead = read.readAhead;
    this.#sizer = sizer;
    this.#taker = new PieceTaker(handle, plan, { int64AsNumber: int64 === 'number', file, pool });
    this.#totalBytes = totalBytes;
  }

  /** Opens the regular file of `bytes` at the path `at`. */
  static ofFile(file: string, bytes: number, examples: ExamplePlan, at: string): PieceRequests {
    const spec = readerSpec(examples.read, { bytes, at });
    const handle = callNative(file, () => native().examplesOpenFile(at, spec, examples.parser));
    return new PieceRequests(file, handle, examples);
  }

  /** Opens a source whose bytes come through `feed`; `bytes` is its size, if known. */
  static ofFed(file: string, bytes: number | undefined, examples: ExamplePlan): PieceRequests {
    const spec = readerSpec(examples.read, { bytes });
    const handle = callNative(file, () => native().examplesOpenFed(spec, examples.parser));
    return new PieceRequests(file, handle, examples, bytes);
  }

  /** Opens a source of which any range can be read. `reach`: how far ahead, in bytes. */
  static ofRanges(
    { name, size }: RangedSource,
    examples: ExamplePlan,
    start: ReadStart | undefined,
    reach: number,
  ): PieceRequests {
    const { read, parser } = examples;
    const spec = readerSpec(read, { bytes: size, start });
    const handle = callNative(name, () => native().examplesOpenRanges(spec, parser, size, reach));
    return new PieceRequests(name, handle, examples);
  }

  /**
   * One more than requested, also with `readAhead: 0`: native code holds a piece until it is taken, and its threads parse
   * the next one meanwhile.
   */
  underWay(needed: number): number {
    return Math.min(this.#readAhead + 1 + needed, this.#sizer.maxPieces);
  }

  nextBytes(): number {
    return this.#largest;
  }

  ask(): Request<Piece> {
    const records = this.#sizer.ask();
    const coming = callNative(this.#file, () => native().examplesNext(this.#handle, records));
    return { bytes: this.#largest, answer: coming.then((number) => this.#answer(records, number)) };
  }

  feed(chunk: Uint8Array, last: boolean): void {
    callNative(this.#file, () => {
      native().examplesFeed(this.#handle, chunk, last);
    });
  }

  wants(): Float64Array {
    return callNative(this.#file, () => native().examplesWants(this.#handle));
  }

  feedRange(at: number, bytes: Uint8Array): void {
    callNative(this.#file, () => {
      native().examplesFeedRange(this.#handle, at, bytes);
    });
  }

  endAt(at: number): void {
    native().examplesEndAt(this.#handle, at);
  }

  skip(): void {
    native().examplesSkip(this.#handle);
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#taker.settle();
    return startNative(this.#file, () => native().examplesClose(this.#handle));
  }

  #answer(records: number, number: number): Answer<Piece> {
    if (this.#closed) return CLOSED;
    const report = this.#taker.report(number);
    const { outcome, compression, compressedBytes } = report.result;
    return {
      outcome,
      compression,
      compressedBytes,
      memory: () => {
        const bytes = this.#taker.bytes(number, report);
        this.#largest = Math.max(this.#largest, bytes);
        return bytes;
      },
      take: () => {
        const pieces = this.#taker.take(number, report, this.#sizer);
        this.#sizer.came(records, pieces);
        return this.#known(outcome, pieces);
      },
      drop: () => {
        this.#sizer.came(records, []);
        if (!this.#closed) this.#taker.drop(number);
      },
    };
  }

  /** Adds the size of a fed source to the `pieces` of one request. There are none if native code needs more input. */
  #known(outcome: FillOutcome, pieces: Piece[]): Piece[] {
    const dry = outcome === FillOutcome.Input;
    if (dry && pieces[0]!.lengths.length === 0) return [];
    const totalBytes = this.#totalBytes;
    if (!dry && totalBytes === undefined) return pieces;
    return pieces.map((piece) => {
      const { result } = piece;
      return {
        ...piece,
        result: {
          ...result,
          totalBytes: totalBytes ?? result.totalBytes,
          // More may follow these records.
          outcome: result.outcome === FillOutcome.Input ? FillOutcome.More : result.outcome,
        },
      };
    });
  }
}

const CLOSED: Answer<Piece> = {
  outcome: FillOutcome.Cancelled,
  compression: 'none',
  compressedBytes: 0,
  memory: () => 0,
  take: () => [],
};
