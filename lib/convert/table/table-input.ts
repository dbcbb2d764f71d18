/** Inputs of columns: the rows of files become Examples, or SequenceExamples. */
import { TFRecordError } from '../../errors';
import { encodeTable, type Table, type TableBatch } from '../../example';
import { LoopTurns, newBatch, partsOf, type Origin, type RecordBatch } from '../../record';
import { CountedReader } from '../counted-reader';
import type { InputFormat, InputReader, Portion, PreparedInput, ReadSettings } from '../format';
import type { Inputs } from '../inputs';

/** A file of columns. */
export interface TableFile {
  readonly table: Table;
  /** Number of rows. */
  readonly rows: number;
  /** The rows in order. The iteration throws at damage. */
  batches(): AsyncIterable<TableBatch>;
  close(): Promise<void> | void;
}

/** A file to open. */
export interface TableInput {
  readonly path: string;
  /** The name of the file in errors. */
  readonly file: string;
}

/** Opens a file. @throws TFRecordError if it is damaged, or has a column that no feature can hold */
export type OpenTable = (input: TableInput, settings: ReadSettings) => Promise<TableFile>;

export function tableInput(open: OpenTable): InputFormat {
  return {
    takesSpec: false,
    filesOnly: true,
    readsTwice: () => false,
    prepared: (inputs, settings) => prepare(inputs, settings, open),
    units: (inputs, settings) => new CountedReader(() => rowsOf(inputs, settings, open)),
  };
}

async function prepare(inputs: Inputs, settings: ReadSettings, open: OpenTable): Promise<PreparedInput> {
  let table: Table | undefined;
  if (inputs.files.length === 1) {
    const file = await open(inputAt(inputs, 0), settings);
    await file.close();
    ({ table } = file);
  }
  return {
    table,
    open: (first, _number, own = settings) => new TableReader(inputs, first, own, open),
  };
}

async function rowsOf(inputs: Inputs, settings: ReadSettings, open: OpenTable): Promise<number[]> {
  const counts: number[] = [];
  for (let input = 0; input < inputs.files.length; input++) {
    const count = await rowsIn(inputAt(inputs, input), settings, open);
    counts.push(count);
  }
  return counts;
}

/** Number of rows of a file; 0 of one that cannot be read, if the caller may accept that. */
async function rowsIn(input: TableInput, settings: ReadSettings, open: OpenTable): Promise<number> {
  try {
    const file = await open(input, settings);
    await file.close();
    return file.rows;
  } catch (error) {
    if (error instanceof TFRecordError && !settings.policy.alwaysThrows) return 0;
    throw error;
  }
}

function inputAt({ paths, files }: Inputs, input: number): TableInput {
  return { path: paths[input]!, file: files[input]!.file };
}

/** A file that is being read. */
interface OpenFile {
  readonly file: TableFile;
  readonly batches: AsyncIterator<TableBatch>;
  /** Number of rows that were given. */
  rows: number;
}

/** Gives the records of the rows of inputs. */
class TableReader implements InputReader {
  readonly #inputs: Inputs;
  readonly #settings: ReadSettings;
  readonly #openTable: OpenTable;
  readonly #turns = new LoopTurns();
  #input: number;
  #open: OpenFile | undefined;
  /** Sizes of the files that were read to their ends. */
  #bytesBefore = 0;

  constructor(inputs: Inputs, first: number, settings: ReadSettings, open: OpenTable) {
    this.#inputs = inputs;
    this.#input = first;
    this.#settings = settings;
    this.#openTable = open;
  }

  get bytes(): number {
    if (this.#open === undefined) return this.#bytesBefore;
    const { file, rows } = this.#open;
    const share = file.rows === 0 ? 0 : rows / file.rows;
    return this.#bytesBefore + Math.floor(share * this.#size());
  }

  async next(): Promise<Portion | undefined> {
    const { signal, faults, policy } = this.#settings;
    while (this.#input < this.#inputs.files.length && !faults.stopped) {
      signal?.throwIfAborted();
      let step: IteratorResult<TableBatch> | undefined;
      const input = this.#input;
      try {
        this.#open ??= await this.#begin();
        step = await this.#open.batches.next();
        await this.#turns.breathe();
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        const place = { input, number: this.#open?.rows ?? 0 };
        await this.#end();
        faults.leaveOut(error, place);
        continue;
      }
      if (step.done === true) {
        await this.#end();
        continue;
      }
      const { file, rows: first } = this.#open;
      const { rows, vectors } = step.value;
      const records = encodeTable(file.table, vectors, rows);
      this.#open.rows += rows;
      policy.passed(rows);
      return { batch: placed(records, this.#inputs.files[input]!.file, first), input, numbers: first };
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#input = this.#inputs.files.length;
    const { file, batches } = this.#open ?? {};
    this.#open = undefined;
    await batches?.return?.();
    await file?.close();
  }

  async #begin(): Promise<OpenFile> {
    const file = await this.#openTable(inputAt(this.#inputs, this.#input), this.#settings);
    return { file, batches: file.batches()[Symbol.asyncIterator](), rows: 0 };
  }

  async #end(): Promise<void> {
    const open = this.#open;
    this.#bytesBefore += this.#size();
    this.#open = undefined;
    this.#input++;
    await open?.file.close();
  }

  #size(): number {
    return this.#inputs.files[this.#input]?.bytes ?? 0;
  }
}

/** The records of `batch`, each from the row of that number. */
function placed(batch: RecordBatch, file: string, first: number): RecordBatch {
  const { source } = partsOf(batch);
  const { frames } = source;
  const origins = (frame: number): Origin => ({
    file,
    record: first + frame,
    offset: frames[2 * frame]!,
    bytes: frames[2 * frame + 1]!,
  });
  return newBatch({ ...source, file, origins }, 0, batch.length);
}
