/** JSON Lines in: plain rows, and protobuf's canonical JSON. */
import { TFRecordError } from '../../errors';
import { Event, Example, SequenceExample } from '../../example';
import {
  encodedBatch,
  LINES,
  LoopTurns,
  newBatch,
  newSlab,
  partsOf,
  type Bytes,
  type Origin,
  type RecordBatch,
} from '../../record';
import type { Faults, InputFormat, InputReader, Portion, ReadSettings, RecordNumber } from '../format';
import { FramedReader, silentPolicy } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import { encodeRow } from './encode-row';
import { RowKinds } from './kinds';
import { isBlank, lineError, parseRow, RowFault } from './parse-line';
import { specEncoder } from './spec-rows';

/** Lines between two looks at the clock. */
const LOOK_LINES = 16;

/** The record of a line. @throws RowFault */
type LineEncoder = (line: Bytes) => Uint8Array;

const units: InputFormat['units'] = (inputs, settings) =>
  new FramedReader(inputs, 0, settings, { framing: LINES, policy: silentPolicy(settings.policy) });

export const rowLinesInput: InputFormat = {
  takesSpec: true,
  readsTwice: ({ spec }) => spec === undefined,
  framing: LINES,
  units,
  async prepared(inputs, settings, progress) {
    const { spec } = settings;
    const encode = spec === undefined ? await kindsEncoder(inputs, settings, progress) : specEncoder(spec);
    return { open: (first, _number, own = settings) => new LineReader(inputs, first, own, encode) };
  },
};

export const messageLinesInput: InputFormat = {
  takesSpec: false,
  readsTwice: () => false,
  framing: LINES,
  units,
  prepared: (inputs, settings) =>
    Promise.resolve({ open: (first, _number, own = settings) => new LineReader(inputs, first, own, encodeMessage) }),
};

/** Looks at all lines, so that each feature has one kind. Lines that are no rows are left to the second pass. */
async function kindsEncoder(
  inputs: Inputs,
  settings: ReadSettings,
  progress: (bytes: number) => void,
): Promise<LineEncoder> {
  const kinds = new RowKinds();
  const turns = new LoopTurns();
  const reader = units(inputs, settings);
  try {
    for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
      const { batch, numbers } = portion;
      for (let i = 0; i < batch.length; i++) {
        const line = batch.at(i)!;
        if (i % LOOK_LINES === 0) await turns.breathe();
        if (isBlank(line)) continue;
        try {
          kinds.add(parseRow(line));
        } catch (error) {
          if (!(error instanceof RowFault)) throw error;
          const fault = lineError(error, inputs.copyOf ?? batch.origin(i)!.file, (numbers as number) + i);
          // Mixed kinds concern all rows; what else is wrong concerns this one, and the second pass finds it.
          if (error.isMixed || settings.policy.alwaysThrows) throw fault;
        }
      }
      progress(reader.bytes);
    }
  } finally {
    await reader.close();
  }
  return (line) => encodeRow(parseRow(line), kinds);
}

/** The record of a message in canonical JSON. Its first member says which it is. */
function encodeMessage(line: Bytes): Uint8Array {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  const [, member] = /^\s*\{\s*"([^"\\]*)"/.exec(text) ?? [];
  const isExample = member === undefined || member === 'features';
  const type = isExample
    ? Example
    : member === 'context' || /^feature_?[lL]ists$/.test(member)
      ? SequenceExample
      : Event;
  return type.encode(type.fromJSON(text));
}

/** Gives the records of the lines of inputs. */
class LineReader implements InputReader {
  readonly #lines: FramedReader;
  readonly #encode: LineEncoder;
  readonly #faults: Faults;
  /** The name in errors of an input that is a copy. */
  readonly #copyOf: string | undefined;
  readonly #turns = new LoopTurns();
  /** Lines behind a fault, from line `at` on. */
  #rest: { readonly portion: Portion; readonly at: number } | undefined;
  /** The fault behind the records that were given last. */
  #fault: { readonly error: TFRecordError; readonly place: RecordNumber } | undefined;

  constructor(inputs: Inputs, first: number, settings: ReadSettings, encode: LineEncoder) {
    this.#lines = new FramedReader(inputs, first, settings, { framing: LINES });
    this.#encode = encode;
    this.#faults = settings.faults;
    this.#copyOf = inputs.copyOf;
  }

  get bytes(): number {
    return this.#lines.bytes;
  }

  async next(): Promise<Portion | undefined> {
    for (;;) {
      if (this.#fault !== undefined) {
        const { error, place } = this.#fault;
        this.#fault = undefined;
        this.#faults.leaveOut(error, place);
      }
      if (this.#faults.stopped) return undefined;
      const portion = this.#rest?.portion ?? (await this.#lines.next());
      if (portion === undefined) return undefined;
      const encoded = await this.#encoded(portion, this.#rest?.at ?? 0);
      if (encoded !== undefined) return encoded;
    }
  }

  close(): Promise<void> {
    return this.#lines.close();
  }

  /** The records of the lines from `begin` on, up to the first fault. */
  async #encoded(portion: Portion, begin: number): Promise<Portion | undefined> {
    const { batch, input, numbers } = portion;
    const first = numbers as number;
    const records: Uint8Array[] = [];
    const lines: number[] = [];
    this.#rest = undefined;
    for (let i = begin; i < batch.length; i++) {
      const line = batch.at(i)!;
      if (i % LOOK_LINES === 0) await this.#turns.breathe();
      if (isBlank(line)) continue;
      try {
        records.push(this.#encode(line));
        lines.push(first + i);
      } catch (error) {
        const place = { input, number: first + i };
        this.#fault = { error: this.#errorOf(error, batch.origin(i)!.file, place.number), place };
        this.#rest = { portion, at: i + 1 };
        break;
      }
    }
    if (records.length === 0) return undefined;
    const file = this.#copyOf ?? batch.origin(0)!.file;
    return { batch: gathered(records, lines, file), input, numbers: Float64Array.from(lines) };
  }

  #errorOf(error: unknown, file: string, line: number): TFRecordError {
    const name = this.#copyOf ?? file;
    if (error instanceof RowFault) return lineError(error, name, line);
    if (!(error instanceof TFRecordError)) throw error;
    const { code, message, feature, expected, found } = error;
    const details = { file: name, record: line, feature, expected, found, cause: error };
    return new TFRecordError(code, `Line ${line + 1} of ${name}: ${message}`, details);
  }
}

/** The batch of `records`, each from the line of that number. */
function gathered(records: readonly Uint8Array[], lines: readonly number[], file: string): RecordBatch {
  const frames = new Uint32Array(2 * records.length);
  let size = 0;
  for (const [i, { length }] of records.entries()) {
    frames[2 * i] = size;
    frames[2 * i + 1] = length;
    size += length;
  }
  const slab = newSlab(size, file);
  for (const [i, record] of records.entries()) slab.set(record, frames[2 * i]);
  const origins = (frame: number): Origin => ({
    file,
    record: lines[frame]!,
    offset: frames[2 * frame]!,
    bytes: frames[2 * frame + 1]!,
  });
  return newBatch({ ...partsOf(encodedBatch(slab, frames)).source, file, origins }, 0, records.length);
}
