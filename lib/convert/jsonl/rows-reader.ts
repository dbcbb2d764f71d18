import { LoopTurns, type Bytes, type TFRecordError } from '../../base';
import { JsonRowState, type EncodedJsonRows } from '../../example';
import { MemoryPool } from '../../io';
import { batchOf, encodedBatch } from '../../record';
import { numbered } from '../batches';
import type { InputBatch, InputReader, ReadSettings, RecordNumber } from '../format';
import { rowError } from './parse-line';
import { isRefused, type RowChunk, type RowRules } from './row-chunk';
import type { RowChunks } from './row-chunks';

/** Number of lines that JavaScript reads between two checks of the clock. */
const LOOK_LINES = 16;

const TAKEN: number = JsonRowState.Taken;

interface RowSource {
  readonly chunks: RowChunks;
  /** Opens the files from input `first` on. */
  readonly files: (first: number) => RowChunks;
  /** Number of stored bytes of the inputs of the reader before `input`. */
  readonly bytesBefore: (input: number) => number;
  readonly rules: RowRules;
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
  /** Number of stored bytes of the inputs before the files that are open. */
  #bytesBefore = 0;
  /** Number of bytes that were read before the files were opened again. */
  #bytes = 0;
  readonly #source: RowSource;
  readonly #memory = new MemoryPool();
  readonly #turns = new LoopTurns();
  /** Slabs of the current chunks. */
  #slabs: Bytes[] = [];
  /** The current chunks that have more records. */
  #positions: Position[] = [];
  /** The next chunk, if it was kept without lines that JavaScript must read. */
  #again: RowChunk | undefined;
  /** The fault after the records that were delivered last. */
  #fault: { readonly error: TFRecordError; readonly place: RecordNumber } | undefined;

  constructor(source: RowSource) {
    this.#source = source;
    this.#chunks = source.chunks;
  }

  get bytes(): number {
    // The lines of a file that is read again were counted before.
    return Math.max(this.#bytes, this.#bytesBefore + this.#chunks.bytes);
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
      if (this.#positions.length === 0) this.#positions = await this.#load();
      const [at] = this.#positions;
      if (at === undefined) return undefined;
      const isWhole = at.row === 0 && !at.encoded.states.some(isRefused);
      const batch = isWhole ? wholeBatch(at) : await this.#batchFrom(at);
      if (isWhole) for (const name of at.chunk.leftOut) this.#source.rules.leaveOut?.(name);
      if (isWhole || at.row === at.chunk.count) this.#positions.shift();
      if (batch !== undefined) return batch;
    }
  }

  async close(): Promise<void> {
    this.#positions = [];
    await this.#chunks.close();
    this.#memory.close();
  }

  /** Encodes the next lines. */
  async #load(): Promise<Position[]> {
    const again = this.#again;
    this.#again = undefined;
    if (again !== undefined) return this.#loadAgain(again);
    const positions = await this.#encoded(await this.#chunks.next());
    const lacking = positions.findIndex(({ chunk, encoded }) => !chunk.hasLines(encoded.states));
    if (lacking < 0) return positions;
    const { chunk } = positions[lacking]!;
    if (lacking === 0) return this.#loadAgain(chunk);
    this.#again = chunk;
    return positions.slice(0, lacking);
  }

  async #encoded(chunks: readonly RowChunk[]): Promise<Position[]> {
    const { rules } = this.#source;
    for (const slab of this.#slabs) this.#memory.end(slab);
    this.#slabs = [];
    return Promise.all(
      chunks.map(async (chunk) => {
        const encoded = await chunk.encoded(rules, (bytes) => {
          const slab = this.#memory.lease(bytes, chunk.file);
          this.#slabs.push(slab);
          return slab;
        });
        return { chunk, encoded, row: 0, record: 0 };
      }),
    );
  }

  /** Reads the lines of `chunk`, and those after it, from their file: some of the rows need their text. */
  async #loadAgain({ input, first }: RowChunk): Promise<Position[]> {
    this.#bytes = this.bytes;
    await this.#chunks.close();
    this.#chunks = this.#source.files(input);
    this.#bytesBefore = this.#source.bytesBefore(input);
    for (;;) {
      const chunks = await this.#chunks.next();
      if (chunks.length === 0) return [];
      const rest = chunks.filter((chunk) => chunk.input > input || chunk.first + chunk.count > first);
      if (rest.length === 0) continue;
      const positions = await this.#encoded(rest);
      for (const at of positions) {
        if (at.chunk.input === input) at.row = Math.max(0, first - at.chunk.first);
        at.record = countTaken(at.encoded.states.subarray(0, at.row));
      }
      return positions;
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
    try {
      return this.#source.rules.encode(chunk.line(row)!);
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
