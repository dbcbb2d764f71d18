/** Reads WebDatasets: a sample of a tar becomes an Example. */
import { LoopTurns, MAX_RECORD_BYTES, TFRecordError, type Bytes } from '../../base';
import { newSlab, pullStored } from '../../io';
import { encodedBatch } from '../../record';
import { numbered } from '../batches';
import type { InputBatch, InputFormat, InputReader, ReadSettings } from '../format';
import { copyBytes } from '../input/copy-input';
import { CountedReader } from '../input/counted-reader';
import { filesInput } from '../input/files-input';
import type { Inputs } from '../input/inputs';
import { unzipped } from '../input/unzipped';
import { watched, type CountedPull } from '../input/watched-pull';
import { tarStream } from './peer';
import { samplesIn, type Sample } from './samples';

/** Approximate size of a batch, and its maximum number of records. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RECORDS = 1024;

export const webdatasetInput: InputFormat = filesInput({
  uses: [],
  noSpec: 'the names of the files in a tar say what features hold',
  copied: copyBytes,
  prepared: (inputs, settings) => {
    tarStream();
    return Promise.resolve({ open: (first, _number, own = settings) => new SampleReader(inputs, first, own) });
  },
  units: (inputs, settings) => new CountedReader(() => countsOf(inputs, settings)),
});

/** A tar that is being read. */
interface OpenTar {
  readonly stored: CountedPull;
  readonly samples: AsyncGenerator<Sample, void, undefined>;
}

async function openTar(inputs: Inputs, input: number, settings: ReadSettings, counts: boolean): Promise<OpenTar> {
  const { signal, maxRecordBytes: maxBytes = MAX_RECORD_BYTES } = settings;
  const file = nameOf(inputs, input);
  const stored = watched(await pullStored(inputs.source, input), signal);
  return { stored, samples: samplesIn(await unzipped(stored, file), { file, maxBytes, counts }) };
}

function nameOf({ copyOf, files }: Inputs, input: number): string {
  return copyOf ?? files[input]!.file;
}

/** Numbers of samples; if the caller may accept damage, of those before it. */
async function countsOf(inputs: Inputs, settings: ReadSettings): Promise<number[]> {
  const counts: number[] = [];
  for (let input = 0; input < inputs.files.length; input++) {
    let count = 0;
    try {
      const { samples } = await openTar(inputs, input, settings, true);
      for await (const _ of samples) count++;
    } catch (error) {
      if (!(error instanceof TFRecordError) || settings.policy.alwaysThrows) throw error;
    }
    counts.push(count);
  }
  return counts;
}

/** Delivers the records of samples. Reports a fault after all records before it were delivered. */
class SampleReader implements InputReader {
  readonly #inputs: Inputs;
  readonly #settings: ReadSettings;
  readonly #turns = new LoopTurns();
  #input: number;
  #open: OpenTar | undefined;
  /** Number of the next sample in its input. */
  #number = 0;
  #bytesBefore = 0;
  /** The fault after the records that were delivered last. */
  #fault: { readonly error: TFRecordError; readonly number: number; readonly ends: boolean } | undefined;

  constructor(inputs: Inputs, first: number, settings: ReadSettings) {
    this.#inputs = inputs;
    this.#input = first;
    this.#settings = settings;
  }

  get bytes(): number {
    return this.#bytesBefore + (this.#open?.stored.bytes ?? 0);
  }

  async next(): Promise<InputBatch | undefined> {
    const { signal, faults, policy } = this.#settings;
    while (this.#input < this.#inputs.files.length) {
      signal?.throwIfAborted();
      if (this.#fault !== undefined) {
        const { error, number, ends } = this.#fault;
        const place = { input: this.#input, number };
        this.#fault = undefined;
        if (ends) await this.#end();
        faults.leaveOut(error, place);
      }
      if (faults.stopped) break;
      const batch = this.#input < this.#inputs.files.length ? await this.#batch() : undefined;
      if (batch === undefined) continue;
      policy.passed(batch.batch.length);
      return batch;
    }
    return undefined;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#input = this.#inputs.files.length;
    await open?.samples.return();
    await open?.stored.close();
  }

  /** The next records of one input, up to a fault; undefined if there are none. */
  async #batch(): Promise<InputBatch | undefined> {
    const records: Bytes[] = [];
    const numbers: number[] = [];
    const input = this.#input;
    let size = 0;
    while (size < BATCH_BYTES && records.length < BATCH_RECORDS) {
      const record = await this.#sample();
      await this.#turns.breathe();
      if (record === undefined) break;
      records.push(record);
      numbers.push(this.#number - 1);
      size += record.length;
    }
    if (records.length === 0) return undefined;
    const file = nameOf(this.#inputs, input);
    const slab = newSlab(Math.max(size, 1), file);
    const frames = new Uint32Array(2 * records.length);
    let at = 0;
    records.forEach((record, i) => {
      slab.set(record, at);
      frames.set([at, record.length], 2 * i);
      at += record.length;
    });
    const batch = numbered(encodedBatch(slab, frames), file, (i) => numbers[i]!);
    return { batch, input, numbers: Float64Array.from(numbers) };
  }

  /** The next record; undefined at a fault, and at the end of an input. */
  async #sample(): Promise<Bytes | undefined> {
    if (this.#fault !== undefined || this.#input >= this.#inputs.files.length) return undefined;
    try {
      this.#open ??= await openTar(this.#inputs, this.#input, this.#settings, false);
      const step = await this.#open.samples.next();
      if (step.done === true) {
        await this.#end();
        return undefined;
      }
      const { record } = step.value;
      const number = this.#number++;
      if (!(record instanceof TFRecordError)) return record;
      this.#fault = { error: record, number, ends: false };
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      this.#fault = { error, number: this.#number, ends: true };
    }
    return undefined;
  }

  async #end(): Promise<void> {
    const open = this.#open;
    this.#bytesBefore += this.#inputs.files[this.#input]?.bytes ?? open?.stored.bytes ?? 0;
    this.#open = undefined;
    this.#number = 0;
    this.#input++;
    await open?.samples.return();
    await open?.stored.close();
  }
}
