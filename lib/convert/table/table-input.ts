/** Reads inputs of columns: rows of files become Examples, or SequenceExamples. */
import { invalidArgValue, TFRecordError, fullPath, LoopTurns, objectScheme, type Text } from '../../base';
import { encodeTable, type ColumnReading, type Table, type TableBatch } from '../../table';
import { pullStored, type ChunkPull } from '../../io';
import { numbered } from '../batches';
import type { InputFormat, InputReader, InputBatch, ReadSettings } from '../format';
import { copyBytes } from '../input/copy-input';
import { CountedReader } from '../input/counted-reader';
import { filesInput, type PreparedFiles } from '../input/files-input';
import type { Inputs } from '../input/inputs';

/** A file of columns. */
export interface TableFile {
  readonly table: Table;
  /** Number of rows, if it is known before they are read. */
  readonly rows?: number | undefined;
  /** Number of stored bytes that were read so far. Default: estimated from the rows that were delivered. */
  readonly bytes?: number | undefined;
  /** Counts the rows, if their number is not known, and closes the file. Rejects at damage. */
  countRows?(): Promise<number>;
  /** Number of rows that `countRows` counted: those before the damage, if there is any. */
  readonly counted?: number | undefined;
  /** The rows in order. The iteration throws at damage. */
  batches(): AsyncIterable<TableBatch>;
  close(): Promise<void> | void;
}

/** A file to open. */
export interface TableInput {
  /** Its path; undefined for a stream. */
  readonly path: string | undefined;
  /** The name of the file in errors. */
  readonly file: string;
  /** Opens the stream of its bytes. */
  readonly pull: () => Promise<ChunkPull>;
}

/** Opens a file. @throws TFRecordError if it is damaged, or has a column that no feature can hold */
export type OpenTable = (input: TableInput, settings: ReadSettings) => Promise<TableFile>;

/** The rules by which a job reads the columns of files. */
export function columnReading({ choice, spec, dates, notes }: Omit<ReadSettings, 'rounds'>): ColumnReading {
  const note = (text: Text): void => {
    notes.add(text);
  };
  return { choice: choice.keepsAll ? undefined : choice, plan: spec?.plan, dates, note };
}

/** A format of columns to read. */
interface TableReading {
  readonly name: string;
  /** Opens a file, or, if `streams` is true, a stream. */
  readonly open: OpenTable;
  readonly streams: boolean;
}

/** Makes the input format for `reading`. */
export function tableInput({ name, open, streams }: TableReading): InputFormat {
  return filesInput({
    uses: ['dates'],
    check(inputs) {
      if (streams || inputs.paths.length === inputs.files.length) return;
      throw invalidArgValue('input', `files, because ${name} cannot be read from a stream`, inputs.files.at(-1)?.file);
    },
    copied: streams ? copyBytes : undefined,
    prepared: (inputs, settings) => prepare(inputs, settings, open),
    units: (inputs, settings) => new CountedReader(() => rowsOf(inputs, settings, open)),
  });
}

async function prepare(inputs: Inputs, settings: ReadSettings, open: OpenTable): Promise<PreparedFiles> {
  let table: Table | undefined;
  // Kept until it is read, because a stream cannot be opened again.
  let opened: TableFile | undefined;
  if (inputs.files.length === 1) {
    const file = await open(inputAt(inputs, 0), settings);
    if (inputs.repeatable) await file.close();
    else opened = file;
    ({ table } = file);
  }
  const taken = (): TableFile | undefined => {
    const file = opened;
    opened = undefined;
    return file;
  };
  const begin: OpenTable = async (input, own) => taken() ?? (await open(input, own));
  return {
    table,
    open: (first, _number, own) => new TableReader(inputs, first, own, begin),
    close: async () => taken()?.close(),
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

/** Number of rows of a file; if the caller may accept damage, of the rows before it. */
async function rowsIn(input: TableInput, settings: ReadSettings, open: OpenTable): Promise<number> {
  let file: TableFile | undefined;
  try {
    file = await open(input, settings);
    return file.rows ?? (await file.countRows!());
  } catch (error) {
    if (error instanceof TFRecordError && !settings.policy.alwaysThrows) return file?.counted ?? 0;
    throw error;
  } finally {
    await file?.close();
  }
}

function inputAt({ files, source, copyOf }: Inputs, input: number): TableInput {
  const { file, bytes } = files[input]!;
  return {
    path:
      bytes !== undefined && source.kind === 'paths' && objectScheme(file) === undefined
        ? fullPath(file, source.folder)
        : undefined,
    file: copyOf ?? file,
    pull: () => pullStored(source, input),
  };
}

/** A file that is being read. */
interface OpenFile {
  readonly file: TableFile;
  readonly batches: AsyncIterator<TableBatch>;
  /** Number of rows that were delivered. */
  rows: number;
}

/** Delivers the records of the rows of inputs. */
class TableReader implements InputReader {
  readonly #inputs: Inputs;
  readonly #settings: ReadSettings;
  readonly #openTable: OpenTable;
  readonly #turns = new LoopTurns();
  #input: number;
  #open: OpenFile | undefined;
  /** Total size of the files that were read to their ends. */
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
    if (file.bytes !== undefined) return this.#bytesBefore + file.bytes;
    const share = file.rows === undefined || file.rows === 0 ? 0 : rows / file.rows;
    return this.#bytesBefore + Math.floor(share * this.#size());
  }

  async next(): Promise<InputBatch | undefined> {
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
      return { batch: numbered(records, this.#name(input), (row) => first + row), input, numbers: first };
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
    this.#bytesBefore += Math.max(this.#size(), open?.file.bytes ?? 0);
    this.#open = undefined;
    this.#input++;
    await open?.file.close();
  }

  #name(input: number): string {
    return this.#inputs.copyOf ?? this.#inputs.files[input]!.file;
  }

  #size(): number {
    return this.#inputs.files[this.#input]?.bytes ?? 0;
  }
}
