import { LoopTurns, type Bytes, type TFRecordError } from '../../base';
import { type Framing, type RecordBatch } from '../../record';
import { numbered } from '../batches';
import type { Faults, InputReader, InputBatch, ReadSettings, RecordNumber, UnitBatch } from '../format';
import { FramedReader } from './framed-input';
import type { Inputs } from './inputs';
import type { LinesAgain } from './surveyed-lines';

/** Number of lines between two checks of the clock. */
const LOOK_LINES = 16;

/** Some lines, and their records if they have been decoded. */
export interface LinePiece {
  readonly lines: UnitBatch;
  readonly records?: InputBatch | undefined;
}

/** Makes records of lines: of JSON values, or of rows of fields. */
export interface LineDecoder {
  /**
   * Divides lines into pieces, in order. The next one is requested after the decoder has decoded the lines of the one
   * before. Lines without records may be missing. Default: one piece.
   */
  pieces?(lines: UnitBatch): AsyncIterator<LinePiece, undefined>;
  /** Waits until the memory of the lines is no longer used. Default: it is not used. */
  close?(): Promise<void>;
  /** Begins a batch of up to `most` records. Drops the records of the previous one. */
  begin(most: number): void;
  /**
   * Decodes a line of `input`, after all lines before it. Returns false if the line has no record. Throws if it is
   * invalid.
   */
  take(line: Bytes, input: number): boolean;
  /** Returns the records of the batch. `file`: for errors about memory. */
  records(file: string): RecordBatch;
  /**
   * Returns the error about line `number` of `file`, for `error`, which `take` threw. @throws that error if no later
   * line can be read; `error` if it is not about the line
   */
  errorOf(error: unknown, file: string, number: number): TFRecordError;
}

/**
 * Delivers the records of the lines of inputs. Reports the fault of a line after all records before it were delivered.
 */
export class DecodingReader implements InputReader {
  readonly #lines: FramedReader;
  readonly #decoder: LineDecoder;
  readonly #faults: Faults;
  /** The name of the original, for errors, if the input is a copy. */
  readonly #copyOf: string | undefined;
  readonly #check: LinesAgain | undefined;
  readonly #turns = new LoopTurns();
  /** The pieces of the current lines. */
  #pieces: AsyncIterator<LinePiece, undefined> | undefined;
  /** The lines after a fault, from line `at` on. */
  #rest: { readonly portion: UnitBatch; readonly at: number } | undefined;
  /** The fault after the records that were delivered last. */
  #fault: { readonly error: TFRecordError; readonly place: RecordNumber } | undefined;

  /** `check`: the lines that a survey has found. */
  constructor(
    inputs: Inputs,
    first: number,
    settings: ReadSettings,
    framing: Framing,
    decoder: LineDecoder,
    check?: LinesAgain,
  ) {
    this.#check = check;
    this.#lines = new FramedReader(inputs, first, settings, { framing });
    this.#decoder = decoder;
    this.#faults = settings.faults;
    this.#copyOf = inputs.copyOf;
  }

  get bytes(): number {
    return this.#lines.bytes;
  }

  async next(): Promise<InputBatch | undefined> {
    for (;;) {
      if (this.#fault !== undefined) {
        const { error, place } = this.#fault;
        this.#fault = undefined;
        this.#faults.leaveOut(error, place);
      }
      if (this.#faults.stopped) return undefined;
      const piece = this.#rest === undefined ? await this.#nextPiece() : { lines: this.#rest.portion };
      if (piece === undefined) return undefined;
      const records = piece.records ?? (await this.#decoded(piece.lines, this.#rest?.at ?? 0));
      if (records !== undefined) return records;
    }
  }

  async close(): Promise<void> {
    await this.#decoder.close?.();
    await this.#lines.close();
  }

  async #nextPiece(): Promise<LinePiece | undefined> {
    for (;;) {
      const piece = await this.#pieces?.next();
      if (piece?.value !== undefined) return piece.value;
      const lines = await this.#lines.next();
      if (lines === undefined) {
        this.#check?.finish();
        return undefined;
      }
      this.#check?.take(lines);
      this.#pieces = this.#decoder.pieces?.(lines);
      if (this.#pieces === undefined) return { lines };
    }
  }

  /** The records of the lines from `begin` up to the first fault; undefined if there are none. */
  async #decoded(portion: UnitBatch, begin: number): Promise<InputBatch | undefined> {
    const { batch, input, numbers } = portion;
    const taken: number[] = [];
    this.#rest = undefined;
    this.#decoder.begin(batch.length - begin);
    for (let i = begin; i < batch.length; i++) {
      const line = batch.at(i)!;
      if (i % LOOK_LINES === 0) await this.#turns.breathe();
      try {
        if (this.#decoder.take(line, input)) taken.push(numbers + i);
      } catch (error) {
        const place = { input, number: numbers + i };
        this.#fault = { error: this.#decoder.errorOf(error, this.#fileOf(batch, i), place.number), place };
        this.#rest = { portion, at: i + 1 };
        break;
      }
    }
    if (taken.length === 0) return undefined;
    const file = this.#fileOf(batch, 0);
    const records = numbered(this.#decoder.records(file), file, (i) => taken[i]!);
    return { batch: records, input, numbers: Float64Array.from(taken) };
  }

  #fileOf(batch: RecordBatch, i: number): string {
    return this.#copyOf ?? batch.origin(i)!.file;
  }
}
