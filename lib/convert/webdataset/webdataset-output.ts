/** Writes WebDatasets: a record becomes a sample, a run of files in a tar. */
import { LoopTurns, placedError, TFRecordError } from '../../base';
import { APPENDABLE } from '../../io';
import type { RecordBatch } from '../../record';
import type { Faults, OutputFormat, OutputSink, WrittenOutput } from '../format';
import { ByteOutput } from '../output/byte-output';
import { tarStream } from './peer';
import { filesOf, withKey, type RecordFiles } from './sample-record';

/** Number of digits of a key that is made of the number of a record. */
const KEY_DIGITS = 9;
const CHUNK_BYTES = 1024 * 1024;
/** All files have the same time, so that equal records make equal tars. */
const TIME = new Date(0);

export const webdatasetOutput: OutputFormat = {
  uses: [],
  compressions: APPENDABLE,
  async open(target, { compression, level, signal, faults }) {
    const pack = tarStream().pack();
    return new SampleSink(await ByteOutput.open(target, compression, level, signal), pack, faults);
  },
};

class SampleSink implements OutputSink {
  readonly #output: ByteOutput;
  readonly #pack: import('tar-stream').Pack;
  readonly #faults: Faults;
  readonly #turns = new LoopTurns();
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #records = 0;
  #lastKey: string | undefined;

  constructor(output: ByteOutput, pack: import('tar-stream').Pack, faults: Faults) {
    this.#output = output;
    this.#pack = pack;
    this.#faults = faults;
    // The tar flows into memory; `#send` bounds it.
    pack.on('data', (data) => {
      const chunk = data as Uint8Array;
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    });
    pack.on('error', () => undefined);
  }

  async write(batch: RecordBatch): Promise<void> {
    for (let i = 0; i < batch.length && !this.#faults.stopped; i++) {
      await this.#turns.breathe();
      let made: RecordFiles;
      try {
        made = filesOf(batch.at(i)!);
      } catch (error) {
        if (!(error instanceof TFRecordError)) throw error;
        this.#faults.leaveOut(placedError(error, batch.origin(i)!));
        continue;
      }
      await this.#add(made);
    }
  }

  async close(): Promise<WrittenOutput> {
    const ended = new Promise<void>((resolve) => this.#pack.once('end', resolve));
    this.#pack.finalize();
    await ended;
    await this.#send();
    await this.#output.close();
    return { records: this.#records, fileBytes: this.#output.bytes };
  }

  abort(): Promise<void> {
    this.#pack.destroy();
    return this.#output.abort();
  }

  async #add({ key: own, files }: RecordFiles): Promise<void> {
    const key = this.#keyOf(own);
    // A key that another sample took is a feature all the same.
    const all = own === undefined || own === key ? files : withKey(own, files);
    for (const [name, content] of all) {
      const header = { name: `${key}.${name}`, size: content.length, mtime: TIME };
      await new Promise<void>((resolve, reject) => {
        this.#pack.entry(header, content, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(error);
        });
      });
      if (this.#bytes >= CHUNK_BYTES) await this.#send();
    }
    this.#records++;
  }

  /** A key that differs from that of the sample before, with which the files would be one sample. */
  #keyOf(own: string | undefined): string {
    let key = own ?? numberKey(this.#records);
    if (key === this.#lastKey) key = numberKey(this.#records);
    if (key === this.#lastKey) key += '-';
    return (this.#lastKey = key);
  }

  async #send(): Promise<void> {
    const chunk = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    if (chunk.length > 0) await this.#output.write(chunk, () => undefined);
  }
}

function numberKey(record: number): string {
  return String(record).padStart(KEY_DIGITS, '0');
}
