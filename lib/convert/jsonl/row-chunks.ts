import type { JsonRows } from '../../example';
import { LINES } from '../../record';
import type { ReadSettings } from '../format';
import { FramedReader } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import type { LinesAgain } from '../input/surveyed-lines';
import { RowChunk } from './row-chunk';

/** Parsed lines, in order. */
export interface RowChunks {
  /** Number of stored bytes that were read so far. */
  readonly bytes: number;
  /**
   * Resolves with the next lines, which are valid until the next call; none at the end.
   * @throws TFRecordError TFR_STATE_MISMATCH if a file lost lines since the survey
   */
  next(): Promise<readonly RowChunk[]>;
  close(): Promise<void>;
}

/** The lines of files. */
export class FileChunks implements RowChunks {
  readonly #lines: FramedReader;
  readonly #rows: readonly JsonRows[];
  readonly #copyOf: string | undefined;
  readonly #check: LinesAgain | undefined;

  /** Reads the files from input `first` on with `rows`. `check`: the lines that a survey has found. */
  constructor(inputs: Inputs, first: number, settings: ReadSettings, rows: readonly JsonRows[], check?: LinesAgain) {
    this.#check = check;
    this.#lines = new FramedReader(inputs, first, settings, { framing: LINES });
    this.#rows = rows;
    this.#copyOf = inputs.copyOf;
  }

  get bytes(): number {
    return this.#lines.bytes;
  }

  async next(): Promise<readonly RowChunk[]> {
    const portion = await this.#lines.next();
    if (portion === undefined) {
      this.#check?.finish();
      return [];
    }
    this.#check?.take(portion);
    return RowChunk.parse(portion, this.#copyOf, this.#rows);
  }

  async close(): Promise<void> {
    for (const rows of this.#rows) {
      // A thread may still read the lines.
      await rows.settled();
      rows.free();
    }
    await this.#lines.close();
  }
}

/** Number of chunks that were kept and are encoded at once. */
const AT_ONCE = 2;

/** Lines that were parsed before. Frees the rows of each chunk at the next call. */
export class KeptChunks implements RowChunks {
  /** Those that were not yet returned, the last one first. */
  readonly #chunks: RowChunk[];
  #current: readonly RowChunk[] = [];
  bytes = 0;

  /** Takes over `chunks`. Leaves out those of inputs before number `first`. */
  constructor(chunks: readonly RowChunk[], first: number) {
    for (const chunk of chunks) if (chunk.input < first) chunk.free();
    this.#chunks = chunks.filter(({ input }) => input >= first).reverse();
  }

  next(): Promise<readonly RowChunk[]> {
    for (const chunk of this.#current) chunk.free();
    this.#current = this.#chunks.splice(-AT_ONCE).reverse();
    this.bytes = this.#current.at(-1)?.bytesRead ?? this.bytes;
    return Promise.resolve(this.#current);
  }

  async close(): Promise<void> {
    for (const chunk of this.#current) await chunk.settled();
    for (const chunk of [...this.#current, ...this.#chunks]) chunk.free();
    this.#current = [];
    this.#chunks.length = 0;
  }
}
