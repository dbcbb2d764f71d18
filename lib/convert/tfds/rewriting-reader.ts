/** Reads the records of a data set, and changes them: to rows of steps, and to names of classes. */
import { LoopTurns, placedError, type Origin, type TFRecordError } from '../../base';
import { BatchMemory } from '../../example';
import { MemoryPool } from '../../io';
import { newBatch, partsOf, type RecordBatch } from '../../record';
import type { Rewrite, RewrittenRecords } from '../../schema/tfds';
import { parseTable, type TableBatch } from '../../table';
import { sliceOf } from '../batches';
import type { InputBatch, InputReader, ReadSettings } from '../format';
import type { Inputs } from '../input/inputs';
import { firstEvent } from '../table/table-output';
import type { ExpectedShards } from './shard-reader';

/** Records that were read, and are not yet rewritten. */
interface Waiting {
  readonly batch: RecordBatch;
  readonly input: number;
  /** Number in the split of the first. */
  readonly first: number;
}

/** Records that are being rewritten. */
interface Current extends Waiting {
  readonly pieces: Iterator<RewrittenRecords, void>;
  /** The parsed records, whose memory is released at the end. */
  readonly parsed: TableBatch;
  /** The fault of the record after them. */
  readonly error: TFRecordError | undefined;
  /** Number of records of `batch` that are parsed or left out. */
  readonly done: number;
}

export class RewritingReader implements InputReader {
  readonly #reader: InputReader;
  readonly #inputs: Inputs;
  readonly #shards: ExpectedShards;
  readonly #rewrite: Rewrite;
  readonly #settings: ReadSettings;
  readonly #turns = new LoopTurns();
  readonly #pool = new MemoryPool();
  #waiting: Waiting | undefined;
  #current: Current | undefined;
  #input: number;
  /** Maximum number of records to parse at once. Small after a fault, so that many faults do not parse all that follows again and again. */
  #atOnce = Infinity;
  /** Number of rows of the current input that were delivered. */
  #rows = 0;

  /** `first`: the number of the first input that `reader` reads, from its first record on. */
  constructor(
    reader: InputReader,
    inputs: Inputs,
    shards: ExpectedShards,
    rewrite: Rewrite,
    settings: ReadSettings,
    first = 0,
  ) {
    this.#reader = reader;
    this.#inputs = inputs;
    this.#shards = shards;
    this.#rewrite = rewrite;
    this.#settings = settings;
    this.#input = first;
  }

  get bytes(): number {
    return this.#reader.bytes;
  }

  async next(): Promise<InputBatch | undefined> {
    const { signal, faults } = this.#settings;
    while (!faults.stopped) {
      signal?.throwIfAborted();
      await this.#turns.breathe();
      const current = this.#current;
      const made = current?.pieces.next();
      if (made !== undefined && made.done !== true) return this.#delivered(current!, made.value);
      if (current !== undefined) this.#end(current);
      else if (!(await this.#begin())) return undefined;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#current = undefined;
    this.#waiting = undefined;
    this.#pool.close();
    await this.#reader.close();
  }

  /** Parses the next records. Returns false at the end. */
  async #begin(): Promise<boolean> {
    const waiting = this.#waiting ?? (await this.#read());
    this.#waiting = undefined;
    if (waiting === undefined) return false;
    const { first } = waiting;
    const batch = sliceOf(waiting.batch, 0, Math.min(this.#atOnce, waiting.batch.length));
    const { rows, value, error } = await parseTable(batch, this.#rewrite.table, true, this.#pool);
    const event = firstEvent(batch, rows);
    const checked = event === undefined ? this.#rewrite.check(value) : { rows: event.row, error: event.error };
    const parsed = checked.error === undefined ? value : await this.#again(sliceOf(batch, 0, checked.rows), value);
    const fault = checked.error ?? error;
    this.#atOnce = fault === undefined ? 2 * this.#atOnce : 1;
    this.#current = {
      ...waiting,
      parsed,
      error: fault,
      done: parsed.rows + (fault === undefined ? 0 : 1),
      pieces: this.#rewrite.records(parsed, first),
    };
    return true;
  }

  /** Parses the records before a fault alone. */
  async #again(batch: RecordBatch, before: TableBatch): Promise<TableBatch> {
    BatchMemory.endOf(before, this.#pool);
    const { value } = await parseTable(batch, this.#rewrite.table, true, this.#pool);
    return value;
  }

  async #read(): Promise<Waiting | undefined> {
    const portion = await this.#reader.next();
    if (portion === undefined) return undefined;
    const { batch, input, numbers } = portion;
    if (input !== this.#input) this.#rows = 0;
    this.#input = input;
    const { first } = this.#shards.get(this.#inputs.files[input]!.file)!;
    return { batch, input, first: first + (typeof numbers === 'number' ? numbers : numbers[0]!) };
  }

  #delivered({ batch, input }: Current, { records, sources }: RewrittenRecords): InputBatch {
    const { source } = partsOf(records);
    const origins = (frame: number): Origin => batch.origin(sources[frame]!)!;
    const numbers = this.#rows;
    this.#rows += records.length;
    return { batch: newBatch({ ...source, file: source.file, origins }, 0, records.length), input, numbers };
  }

  /** Leaves out the record at fault after `current`, and goes on after it. */
  #end({ batch, input, first, parsed, error, done }: Current): void {
    this.#current = undefined;
    const { rows } = parsed;
    BatchMemory.endOf(parsed, this.#pool);
    if (done < batch.length) this.#waiting = { batch: sliceOf(batch, done), input, first: first + done };
    if (error === undefined) return;
    this.#settings.faults.leaveOut(placedError(error, batch.origin(rows)!), { input, number: this.#rows });
  }
}
