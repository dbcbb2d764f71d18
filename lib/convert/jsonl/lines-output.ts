/** Writes JSON Lines: plain rows, and protobuf's canonical JSON. */
import { placedError, TFRecordError, type Bytes } from '../../base';
import { APPENDABLE } from '../../io';
import { JsonText, LineForm, recordLines, rowLines, RowPrinter, type BatchLines, type LineTaker } from '../../example';
import { type RecordBatch } from '../../record';
import type { Faults, OutputFormat, OutputSink, RowSpec, WrittenOutput } from '../format';
import { ByteOutput } from '../output/byte-output';
import { LineChunks } from '../output/line-chunks';
import { MessageSink } from './message-sink';
import { ExampleLines } from './print-example';
import { printMessage, printRow } from './print-other';
import type { TextBuffer } from '../output/text-buffer';

export const rowLinesOutput: OutputFormat = linesOutput(false);
export const messageLinesOutput: OutputFormat = linesOutput(true);

function linesOutput(canonical: boolean): OutputFormat {
  return {
    uses: canonical ? [] : ['spec'],
    compressions: APPENDABLE,
    async open(target, settings) {
      const { compression, level, signal, faults, spec, message } = settings;
      const lines = new LineChunks(await ByteOutput.open(target, compression, level, signal));
      if (message !== undefined) return new MessageSink(lines, faults, message);
      if (spec !== undefined) return new LinesSink(lines, faults, rowLines(spec.plan), rowPrinter(spec));
      const native = recordLines(canonical ? LineForm.Messages : LineForm.Rows);
      return new LinesSink(lines, faults, native, recordPrinter(lines.text, canonical));
    },
  };
}

/** Adds the line of record `index` of `batch` to `text`. @throws TFRecordError */
type AddLine = (batch: RecordBatch, index: number, text: TextBuffer) => void;

/** Prints records on native threads, and here those that native code does not print. */
class LinesSink implements OutputSink {
  readonly #lines: LineChunks;
  readonly #faults: Faults;
  readonly #native: BatchLines;
  readonly #addLine: AddLine;
  #records = 0;

  constructor(lines: LineChunks, faults: Faults, native: BatchLines, addLine: AddLine) {
    this.#lines = lines;
    this.#faults = faults;
    this.#native = native;
    this.#addLine = addLine;
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

  /** Leaves the record out if it has no line and the caller accepts that. */
  #other(batch: RecordBatch, index: number): Promise<void> | undefined {
    const lines = this.#lines;
    try {
      this.#addLine(batch, index, lines.text);
      this.#records++;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      lines.text.drop();
      this.#faults.leaveOut(placedError(error, batch.origin(index)!));
    }
    return lines.added();
  }

  async close(): Promise<WrittenOutput> {
    this.#native.close();
    return { records: this.#records, fileBytes: await this.#lines.close() };
  }

  abort(): Promise<void> {
    this.#native.close();
    return this.#lines.abort();
  }
}

/** Prints records by themselves. */
function recordPrinter(text: TextBuffer, canonical: boolean): AddLine {
  const printer = new ExampleLines(text, { canonical });
  const printOther = canonical ? printMessage : printRow;
  return (batch, index) => {
    const record: Bytes = batch.at(index)!;
    if (printer.print(record)) return;
    text.begin();
    printOther(record, () => batch.origin(index)!, text);
  };
}

/** Prints rows by a spec. */
function rowPrinter({ plan }: RowSpec): AddLine {
  const printer = new RowPrinter(plan, { full: true });
  return (batch, index, text) => {
    text.begin();
    const out = new JsonText();
    printer.print(batch, index, out);
    text.line(out.done());
  };
}
