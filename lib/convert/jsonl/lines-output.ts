/** Writes JSON Lines: plain rows, and protobuf's canonical JSON. */
import { LoopTurns, placedError, TFRecordError, type Bytes } from '../../base';
import { APPENDABLE } from '../../io';
import { BatchLines, JsonText, LineForm, RowPrinter, type LineTaker } from '../../example';
import { type RecordBatch } from '../../record';
import type { Faults, OutputFormat, OutputSink, RowSpec, WrittenOutput } from '../format';
import { ByteOutput } from '../output/byte-output';
import { ExampleLines } from './print-example';
import { printMessage, printRow } from './print-other';
import { TextBuffer } from './text-buffer';

/** Text is written in chunks of this size. */
const CHUNK_BYTES = 768 * 1024;
/** Lines of native code are written without a copy from this size on. */
const OWN_CHUNK_BYTES = 128 * 1024;
/** Number of lines between two checks of the clock. */
const LOOK_LINES = 64;

export const rowLinesOutput: OutputFormat = linesOutput(false);
export const messageLinesOutput: OutputFormat = linesOutput(true);

function linesOutput(canonical: boolean): OutputFormat {
  return {
    uses: canonical ? [] : ['spec'],
    compressions: APPENDABLE,
    async open(target, settings) {
      const { compression, level, signal, faults, spec } = settings;
      const lines = new LineChunks(await ByteOutput.open(target, compression, level, signal));
      return spec === undefined ? new RecordsSink(lines, faults, canonical) : new RowsSink(lines, faults, spec);
    },
  };
}

/** Writes lines in chunks, in order. */
class LineChunks {
  readonly text = new TextBuffer();
  readonly #output: ByteOutput;

  constructor(output: ByteOutput) {
    this.#output = output;
  }

  /** Call it after a line was added to the text. Returns a promise if the caller should wait. */
  added(): Promise<void> | undefined {
    return this.text.at >= CHUNK_BYTES ? this.#send() : undefined;
  }

  /** Adds `lines`. Calls `free` when their memory is free again. */
  async add(lines: Buffer<ArrayBuffer>, free: () => void): Promise<void> {
    if (lines.length < OWN_CHUNK_BYTES) {
      this.text.begin();
      this.text.raw(lines);
      free();
      await this.added();
      return;
    }
    if (this.text.at > 0) await this.#send();
    await this.#output.write(lines, free);
  }

  async close(records: number): Promise<WrittenOutput> {
    if (this.text.at > 0) await this.#send();
    await this.#output.close();
    return { records, fileBytes: this.#output.bytes };
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }

  #send(): Promise<void> | undefined {
    const text = this.text.take();
    return this.#output.write(text, () => {
      this.text.giveBack(text);
    });
  }
}

/** Prints records by themselves: on native threads, and here those that native code does not print. */
class RecordsSink implements OutputSink {
  readonly #lines: LineChunks;
  readonly #faults: Faults;
  readonly #native: BatchLines;
  readonly #printer: ExampleLines;
  readonly #printOther: typeof printRow;
  #records = 0;

  constructor(lines: LineChunks, faults: Faults, canonical: boolean) {
    this.#lines = lines;
    this.#faults = faults;
    this.#native = new BatchLines(canonical ? LineForm.Messages : LineForm.Rows);
    this.#printer = new ExampleLines(lines.text, { canonical });
    this.#printOther = canonical ? printMessage : printRow;
  }

  async write(batch: RecordBatch): Promise<void> {
    const faults = this.#faults;
    const taker: LineTaker = {
      lines: (text, free, records) => {
        this.#records += records;
        return this.#lines.add(text, free);
      },
      other: (index) => this.#other(batch, index),
      get stopped() {
        return faults.stopped;
      },
    };
    await this.#native.print(batch, taker);
  }

  #other(batch: RecordBatch, index: number): Promise<void> | undefined {
    const { text } = this.#lines;
    return addLine(batch, index, this.#lines, this.#faults, () => {
      const record: Bytes = batch.at(index)!;
      if (!this.#printer.print(record)) {
        text.begin();
        this.#printOther(record, () => batch.origin(index)!, text);
      }
      this.#records++;
    });
  }

  async close(): Promise<WrittenOutput> {
    this.#native.close();
    return this.#lines.close(this.#records);
  }

  abort(): Promise<void> {
    this.#native.close();
    return this.#lines.abort();
  }
}

/** Prints rows by a spec. */
class RowsSink implements OutputSink {
  readonly #lines: LineChunks;
  readonly #faults: Faults;
  readonly #printer: RowPrinter;
  readonly #turns = new LoopTurns();
  #records = 0;

  constructor(lines: LineChunks, faults: Faults, { plan }: RowSpec) {
    this.#lines = lines;
    this.#faults = faults;
    this.#printer = new RowPrinter(plan, { full: true });
  }

  async write(batch: RecordBatch): Promise<void> {
    for (let i = 0; i < batch.length && !this.#faults.stopped; i++) {
      const full = addLine(batch, i, this.#lines, this.#faults, () => {
        this.#print(batch, i);
      });
      if (full !== undefined) await full;
      if (i % LOOK_LINES === 0) await this.#turns.breathe();
    }
  }

  #print(batch: RecordBatch, index: number): void {
    const { text } = this.#lines;
    text.begin();
    const out = new JsonText();
    this.#printer.print(batch, index, out);
    const json = out.done();
    if (typeof json === 'string') text.text(json);
    else for (const piece of json) text.raw(piece);
    text.byte(0x0a);
    this.#records++;
  }

  close(): Promise<WrittenOutput> {
    return this.#lines.close(this.#records);
  }

  abort(): Promise<void> {
    return this.#lines.abort();
  }
}

/** Calls `print`, which adds the line of record `index`. Leaves the record out if that fails and the caller accepts it. */
function addLine(
  batch: RecordBatch,
  index: number,
  lines: LineChunks,
  faults: Faults,
  print: () => void,
): Promise<void> | undefined {
  try {
    print();
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    lines.text.drop();
    faults.leaveOut(placedError(error, batch.origin(index)!));
  }
  return lines.added();
}
