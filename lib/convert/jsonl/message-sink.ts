import { LoopTurns, placedError, TFRecordError } from '../../base';
import { JsonText } from '../../example';
import type { MessageLines } from '../../messages';
import type { RecordBatch } from '../../record';
import type { Faults, OutputSink, WrittenOutput } from '../format';
import type { LineChunks } from '../output/line-chunks';

/** Number of records between two checks of the clock. */
const LOOK_RECORDS = 16;

/** Prints records, messages of one type, as protobuf's canonical JSON. */
export class MessageSink implements OutputSink {
  readonly #lines: LineChunks;
  readonly #faults: Faults;
  readonly #message: MessageLines;
  readonly #turns = new LoopTurns();
  #records = 0;

  constructor(lines: LineChunks, faults: Faults, message: MessageLines) {
    this.#lines = lines;
    this.#faults = faults;
    this.#message = message;
  }

  async write(batch: RecordBatch): Promise<void> {
    for (let i = 0; i < batch.length && !this.#faults.stopped; i++) {
      if (i % LOOK_RECORDS === 0) await this.#turns.breathe();
      const full = this.#add(batch, i);
      if (full !== undefined) await full;
    }
  }

  /** Leaves the record out if it is no such message and the caller accepts that. */
  #add(batch: RecordBatch, index: number): Promise<void> | undefined {
    const { text } = this.#lines;
    text.begin();
    try {
      const out = new JsonText();
      this.#message.print(batch.at(index)!, out);
      text.line(out.done());
      this.#records++;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      text.drop();
      this.#faults.leaveOut(placedError(error, batch.origin(index)!));
    }
    return this.#lines.added();
  }

  async close(): Promise<WrittenOutput> {
    return { records: this.#records, fileBytes: await this.#lines.close() };
  }

  abort(): Promise<void> {
    return this.#lines.abort();
  }
}
