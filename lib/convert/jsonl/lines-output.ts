/** Writes JSON Lines: plain rows, and protobuf's canonical JSON. */
import { LoopTurns, placedError, TFRecordError, type Bytes } from '../../base';
import { APPENDABLE } from '../../io';
import { JsonText, RowPrinter } from '../../example';
import { type RecordBatch } from '../../record';
import type { Faults, OutputFormat, OutputSink, WriteSettings, WrittenOutput } from '../format';
import { ByteOutput } from '../output/byte-output';
import { ExampleLines } from './print-example';
import { printMessage, printRow } from './print-other';
import { TextBuffer } from './text-buffer';

/** Text is written in chunks of this size. */
const CHUNK_BYTES = 768 * 1024;
/** Number of lines between two checks of the clock. */
const LOOK_LINES = 64;

export const rowLinesOutput: OutputFormat = linesOutput(false);
export const messageLinesOutput: OutputFormat = linesOutput(true);

function linesOutput(canonical: boolean): OutputFormat {
  return {
    uses: canonical ? [] : ['spec'],
    compressions: APPENDABLE,
    async open(target, settings) {
      const { compression, level, signal } = settings;
      return new LinesSink(await ByteOutput.open(target, compression, level, signal), settings, canonical);
    },
  };
}

class LinesSink implements OutputSink {
  readonly #output: ByteOutput;
  readonly #faults: Faults;
  readonly #text = new TextBuffer();
  readonly #print: (batch: RecordBatch, index: number) => void;
  readonly #turns = new LoopTurns();
  #records = 0;

  constructor(output: ByteOutput, { faults, spec }: WriteSettings, canonical: boolean) {
    this.#output = output;
    this.#faults = faults;
    this.#print =
      spec === undefined ? this.#recordPrinter(canonical) : this.#rowPrinter(new RowPrinter(spec.plan, { full: true }));
  }

  async write(batch: RecordBatch): Promise<void> {
    for (let i = 0; i < batch.length && !this.#faults.stopped; i++) {
      try {
        this.#print(batch, i);
        this.#records++;
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        this.#text.drop();
        this.#faults.leaveOut(placedError(error, batch.origin(i)!));
      }
      if (this.#text.at >= CHUNK_BYTES) await this.#send();
      if (i % LOOK_LINES === 0) await this.#turns.breathe();
    }
  }

  async close(): Promise<WrittenOutput> {
    if (this.#text.at > 0) await this.#send();
    await this.#output.close();
    return { records: this.#records, fileBytes: this.#output.bytes };
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }

  #send(): Promise<void> | undefined {
    const text = this.#text.take();
    return this.#output.write(text, () => {
      this.#text.giveBack(text);
    });
  }

  #recordPrinter(canonical: boolean): (batch: RecordBatch, index: number) => void {
    const lines = new ExampleLines(this.#text, { canonical });
    const printOther = canonical ? printMessage : printRow;
    return (batch, index) => {
      const record: Bytes = batch.at(index)!;
      if (lines.print(record)) return;
      this.#text.begin();
      printOther(record, () => batch.origin(index)!, this.#text);
    };
  }

  #rowPrinter(printer: RowPrinter): (batch: RecordBatch, index: number) => void {
    return (batch, index) => {
      this.#text.begin();
      const out = new JsonText();
      printer.print(batch, index, out);
      const json = out.done();
      if (typeof json === 'string') this.#text.text(json);
      else for (const piece of json) this.#text.raw(piece);
      this.#text.byte(0x0a);
    };
  }
}
