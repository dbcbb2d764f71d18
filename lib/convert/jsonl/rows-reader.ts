import { LoopTurns, type Bytes, type TFRecordError } from '../../base';
import { JsonRows, JsonRowState, type EncodedJsonRows } from '../../example';
import { MemoryPool } from '../../io';
import { batchOf, encodedBatch, LINES } from '../../record';
import { numbered } from '../batches';
import type { InputBatch, InputReader, ReadSettings, RecordNumber } from '../format';
import { FramedReader } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import { encodeRow } from './encode-row';
import type { RowKinds } from './kinds';
import { parseRow, rowError } from './parse-line';
import { isRefused, namesToRead, RowChunk, type ReadsFeature } from './row-chunk';

/** Number of lines that JavaScript reads between two checks of the clock. */
const LOOK_LINES = 16;

const TAKEN: number = JsonRowState.Taken;

/** Parsed lines, in order. */
interface RowChunks {
  /** Number of stored bytes that were read so far. */
  readonly bytes: number;
  /** Resolves with the next lines, which are valid until the next call; undefined at the end. */
  next(): Promise<RowChunk | undefined>;
  close(): Promise<void>;
}

/** The lines of files. */
export class FileChunks implements RowChunks {
  readonly #lines: FramedReader;
  readonly #rows: JsonRows;
  readonly #copyOf: string | undefined;

  constructor(inputs: Inputs, first: number, settings: ReadSettings) {
    this.#lines = new FramedReader(inputs, first, settings, { framing: LINES });
    this.#rows = new JsonRows(namesToRead(settings.choice));
    this.#copyOf = inputs.copyOf;
  }

  get bytes(): number {
    return this.#lines.bytes;
  }

  async next(): Promise<RowChunk | undefined> {
    const portion = await this.#lines.next();
    return portion && RowChunk.parse(portion, this.#copyOf, this.#rows);
  }

  async close(): Promise<void> {
    // A thread may still read the lines.
    await this.#rows.settled();
    this.#rows.free();
    await this.#lines.close();
  }
}

/** Lines that were parsed before. Frees the rows of each chunk at the next call. */
export class KeptChunks implements RowChunks {
  readonly #chunks: RowChunk[];
  #last: RowChunk | undefined;
  bytes = 0;

  /** Takes over `chunks`. Leaves out those of inputs before number `first`. */
  constructor(chunks: readonly RowChunk[], first: number) {
    this.#chunks = chunks.filter((chunk) => {
      if (chunk.input >= first) return true;
      chunk.free();
      return false;
    });
    this.#chunks.reverse();
  }

  next(): Promise<RowChunk | undefined> {
    this.#last?.free();
    this.#last = this.#chunks.pop();
    this.bytes = this.#last?.bytesRead ?? this.bytes;
    return Promise.resolve(this.#last);
  }

  async close(): Promise<void> {
    await this.#last?.settled();
    for (const chunk of [this.#last, ...this.#chunks]) chunk?.free();
    this.#last = undefined;
    this.#chunks.length = 0;
  }
}

interface RowSource {
  readonly chunks: RowChunks;
  /** Opens the files from input `first` on. */
  readonly files: (first: number) => RowChunks;
  readonly kinds: RowKinds;
  readonly reads: ReadsFeature;
  readonly settings: ReadSettings;
}

/** Encoded lines that are being delivered. */
interface Position {
  readonly chunk: RowChunk;
  readonly encoded: EncodedJsonRows;
  /** Index of the next line. */
  row: number;
  /** Index of the next record among those that native code has encoded. */
  record: number;
}

/** Delivers the records of rows. Reports the fault of a line after all records before it were delivered. */
export class RowsReader implements InputReader {
  #chunks: RowChunks;
  readonly #source: RowSource;
  readonly #memory = new MemoryPool();
  readonly #turns = new LoopTurns();
  #slab: Bytes | undefined;
  #at: Position | undefined;
  /** The fault after the records that were delivered last. */
  #fault: { readonly error: TFRecordError; readonly place: RecordNumber } | undefined;

  constructor(source: RowSource) {
    this.#source = source;
    this.#chunks = source.chunks;
  }

  get bytes(): number {
    return this.#chunks.bytes;
  }

  async next(): Promise<InputBatch | undefined> {
    const { faults } = this.#source.settings;
    for (;;) {
      if (this.#fault !== undefined) {
        const { error, place } = this.#fault;
        this.#fault = undefined;
        faults.leaveOut(error, place);
      }
      if (faults.stopped) return undefined;
      const at = (this.#at ??= await this.#load());
      if (at === undefined) return undefined;
      const isWhole = at.row === 0 && !at.encoded.states.some(isRefused);
      const batch = isWhole ? wholeBatch(at) : await this.#batchFrom(at);
      if (isWhole || at.row === at.chunk.count) this.#at = undefined;
      if (batch !== undefined) return batch;
    }
  }

  async close(): Promise<void> {
    this.#at = undefined;
    await this.#chunks.close();
    this.#memory.close();
  }

  /** Encodes the next lines. */
  async #load(): Promise<Position | undefined> {
    const chunk = await this.#chunks.next();
    if (chunk === undefined) return undefined;
    const encoded = await this.#encoded(chunk);
    if (chunk.hasLines(encoded.states)) return { chunk, encoded, row: 0, record: 0 };
    return this.#loadAgain(chunk);
  }

  #encoded(chunk: RowChunk): Promise<EncodedJsonRows> {
    const { kinds, reads } = this.#source;
    return chunk.encoded(kinds, reads, (bytes) => {
      if (this.#slab !== undefined) this.#memory.end(this.#slab);
      return (this.#slab = this.#memory.lease(bytes, chunk.file));
    });
  }

  /** Reads the lines of `chunk`, and those after it, from their file: some of the rows need their text. */
  async #loadAgain({ input, first }: RowChunk): Promise<Position | undefined> {
    await this.#chunks.close();
    this.#chunks = this.#source.files(input);
    for (;;) {
      const chunk = await this.#chunks.next();
      if (chunk === undefined) return undefined;
      if (chunk.input === input && chunk.first + chunk.count <= first) continue;
      const encoded = await this.#encoded(chunk);
      const row = chunk.input === input ? Math.max(0, first - chunk.first) : 0;
      return { chunk, encoded, row, record: countTaken(encoded.states.subarray(0, row)) };
    }
  }

  /** The records of the lines at `at` up to the first fault; undefined if there are none. Moves `at` after them. */
  async #batchFrom(at: Position): Promise<InputBatch | undefined> {
    const { chunk, encoded } = at;
    const { states, frames, slab } = encoded;
    const records: Bytes[] = [];
    const taken: number[] = [];
    for (; at.row < chunk.count && this.#fault === undefined; at.row++) {
      if (at.row % LOOK_LINES === 0) await this.#turns.breathe();
      const number = chunk.first + at.row;
      if (isTaken(states[at.row])) {
        const offset = frames[2 * at.record]!;
        records.push(slab.subarray(offset, offset + frames[2 * at.record + 1]!));
        at.record++;
      } else if (isRefused(states[at.row])) {
        const record = this.#encodedLine(chunk, at.row);
        if (record === undefined) continue;
        records.push(record);
      } else {
        continue;
      }
      taken.push(number);
    }
    if (records.length === 0) return undefined;
    return inputBatch(
      chunk,
      numbered(batchOf(records, chunk.file), chunk.file, (i) => taken[i]!),
      taken,
    );
  }

  /** The record of a line that native code refused; undefined if the line has a fault. */
  #encodedLine(chunk: RowChunk, row: number): Bytes | undefined {
    const { reads, kinds } = this.#source;
    try {
      return encodeRow(parseRow(chunk.line(row)!, reads), kinds);
    } catch (error) {
      const place = { input: chunk.input, number: chunk.first + row };
      this.#fault = { error: rowError(error, chunk.file, place.number), place };
      return undefined;
    }
  }
}

function isTaken(state: number | undefined): boolean {
  return state === TAKEN;
}

function countTaken(states: Uint8Array): number {
  return states.reduce((sum, state) => sum + Number(isTaken(state)), 0);
}

/** The records of all lines, which native code has encoded; undefined if there are none. */
function wholeBatch({ chunk, encoded: { slab, frames, states } }: Position): InputBatch | undefined {
  if (frames.length === 0) return undefined;
  const taken = new Float64Array(frames.length / 2);
  let record = 0;
  for (let row = 0; row < chunk.count; row++) if (isTaken(states[row])) taken[record++] = chunk.first + row;
  return inputBatch(
    chunk,
    numbered(encodedBatch(slab, frames), chunk.file, (i) => taken[i]!),
    taken,
  );
}

function inputBatch({ input }: RowChunk, batch: InputBatch['batch'], numbers: ArrayLike<number>): InputBatch {
  return { batch, input, numbers: Float64Array.from(numbers) };
}
