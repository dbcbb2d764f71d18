import type { Bytes } from '../../base';
import {
  JsonRows,
  JsonRowState,
  type EncodedJsonRows,
  type JsonRowEvent,
  type ParsedJsonRows,
  type JsonRowName,
  type RowFeatureRule,
  type RowNamesChoice,
} from '../../example';
import type { RecordBatch } from '../../record';
import { LINE_PARTS, partsOfLines } from '../batches';
import type { UnitBatch } from '../format';
import type { FeatureChoice } from '../transform/feature-choice';
import type { RowKinds } from './kinds';
import { isBlank, LITERAL_KINDS } from './parse-line';

/** Decides which features of rows are read. Undefined: all. */
export type ReadsFeature = ((name: string) => boolean) | undefined;

/** How rows become records. */
export interface RowRules {
  readonly reads: ReadsFeature;
  /** Number of features that each row must have by a spec; undefined without one. */
  readonly required: number | undefined;
  /** The rule of a feature that is read. `hasValues`: false if it is null, or an empty list, in all rows. */
  ruleOf(name: JsonRowName, hasValues: boolean): RowFeatureRule;
  /** Called for features with a value that records do not have, when the rows are delivered. Default: nobody needs them. */
  leaveOut?(name: string): void;
  /** Encodes the row in a line that native code refused. @throws RowFault, TFRecordError */
  encode(line: Bytes): Bytes;
}

/** Returns new rows for the parts of a portion. `examplesOnly`: JavaScript reads those that may be SequenceExamples. */
export function newRows(choice: RowNamesChoice, examplesOnly = false): readonly JsonRows[] {
  return Array.from({ length: LINE_PARTS }, () => new JsonRows(choice, examplesOnly));
}

/** The features that native code reads. If it does not know the choice, `encoded` leaves out features. */
export function namesToRead(choice: FeatureChoice): RowNamesChoice {
  if (choice.keepsAll || !choice.isFixed) return 'all';
  return choice.excludes ? { except: choice.names } : { only: choice.names };
}

/** The object, the buffer and the place of a line that was kept, in bytes. */
const LINE_BYTES = 256;

const REFUSED: number = JsonRowState.Refused;

/** True for the state of a line that native code leaves to JavaScript. */
export function isRefused(state: number | undefined): boolean {
  return state === REFUSED;
}

/** Lines of one file, parsed by native code, except for those that it refused. */
export class RowChunk {
  /** Number of the input. */
  readonly input: number;
  /** The file in errors. */
  readonly file: string;
  /** Number in its input of the first line. */
  readonly first: number;
  /** Number of lines. */
  readonly count: number;
  /** Number of stored bytes up to the end of these lines, after {@link RowChunk.keep}. */
  bytesRead = 0;
  readonly #rows: JsonRows;
  readonly #parsed: Omit<ParsedJsonRows, 'events'> | undefined;
  /** By the index of a name: whether it is read. Undefined for names that no row has that native code took. */
  readonly #read: (boolean | undefined)[] = [];
  /** The events that were not yet added, from index `#event` on. */
  #events: readonly JsonRowEvent[] = [];
  #leftOut: readonly string[] = [];
  /** By the index of a name: true if a row has a value of it. */
  readonly #valued: boolean[] = [];
  #event = 0;
  #lines: RecordBatch | undefined;
  #kept: ReadonlyMap<number, Bytes> | undefined;

  private constructor({ batch, input, numbers }: UnitBatch, file: string, rows: JsonRows, parsed?: ParsedJsonRows) {
    this.input = input;
    this.file = file;
    this.first = numbers;
    this.count = batch.length;
    this.#lines = batch;
    this.#rows = rows;
    if (parsed === undefined) return;
    const { events, ...rest } = parsed;
    this.#parsed = rest;
    this.#events = events;
  }

  /**
   * Parses the lines of `portion`, which must stay valid until {@link RowChunk.keep} or the last use: each of `rows`
   * parses a part of them, all at once. Returns the parts that have lines, in order.
   */
  static async parse(
    portion: UnitBatch,
    copyOf: string | undefined,
    rows: readonly JsonRows[],
  ): Promise<readonly RowChunk[]> {
    const file = copyOf ?? portion.batch.origin(0)!.file;
    const parts = partsOfLines(portion, rows.length);
    return Promise.all(
      parts.map(async (part, i) => new RowChunk(part, file, rows[i]!, await rows[i]!.parse(part.batch))),
    );
  }

  /** Memory of the rows and of the lines that were kept, in bytes. */
  get heldBytes(): number {
    let sum = this.#parsed?.heldBytes ?? 0;
    for (const { length } of this.#kept?.values() ?? []) sum += LINE_BYTES + length;
    return sum;
  }

  /** Indices of the lines that JavaScript must read, before the kinds of features are known. */
  get refused(): Iterable<number> {
    if (this.#parsed !== undefined) return Array.from(this.#parsed.refused);
    return Array.from({ length: this.count }, (_, i) => i).filter((i) => !isBlank(this.line(i)!));
  }

  /** Line `row`; undefined if it was not kept. */
  line(row: number): Bytes | undefined {
    return this.#lines === undefined ? this.#kept?.get(row) : this.#lines.at(row);
  }

  /**
   * Copies the lines that were refused: the memory of all lines is then no longer used. Call it after all kinds were
   * added. `bytesRead`: number of stored bytes that were read so far.
   */
  keep(bytesRead: number): void {
    this.bytesRead = bytesRead;
    this.#kept = new Map(Array.from(this.refused, (row) => [row, this.line(row)!.slice()]));
    this.#lines = undefined;
    this.#events = [];
    this.#event = 0;
  }

  /**
   * Adds the names and, to `kinds`, the literals that appear in rows up to row `end` (exclusive) for the first time.
   * @throws LiteralConflict
   */
  addKinds(end: number, reads: ReadsFeature, kinds?: RowKinds): void {
    const events = this.#events;
    for (; this.#event < events.length && events[this.#event]!.row < end; this.#event++) {
      const { name, literal, row } = events[this.#event]!;
      const { names } = this.#parsed!;
      if (literal !== undefined) this.#valued[name] = true;
      if (literal === undefined) {
        this.#read[name] = reads === undefined || reads(names.at(name).name);
      } else if (kinds !== undefined && this.#read[name] === true) {
        const { name: text, isList } = names.at(name);
        try {
          (isList ? kinds.lists : kinds.features).addLiteral(text, LITERAL_KINDS[literal]!);
        } catch (error) {
          throw new LiteralConflict(row, error);
        }
      }
    }
  }

  /** Encodes the rows that native code took. `memory` returns memory for so many bytes or more. */
  async encoded(rules: RowRules, memory: (bytes: number) => Bytes): Promise<EncodedJsonRows> {
    this.addKinds(this.count, rules.reads);
    const encoded = await this.#encodedNatively(rules, memory);
    return encoded ?? { slab: memory(1), frames: new Uint32Array(0), states: this.#statesWithout() };
  }

  /** Resolves with undefined if JavaScript must read all rows: native code has none, or no memory. */
  async #encodedNatively(rules: RowRules, memory: (bytes: number) => Bytes): Promise<EncodedJsonRows | undefined> {
    const names = this.#parsed?.names;
    if (names === undefined) return undefined;
    const named = Array.from({ length: names.length }, (_, i): RowFeatureRule => {
      return this.#read[i] === true ? rules.ruleOf(names.at(i), this.#valued[i] === true) : { kind: 'skip' };
    });
    const encoded = await this.#rows.encode(named, rules.required, memory, this.file);
    if (rules.leaveOut === undefined || encoded === undefined) return encoded;
    this.#leftOut = named.flatMap(({ kind }, i) => {
      return kind === 'skip' && this.#valued[i] === true ? [names.at(i).name] : [];
    });
    // It is not known whether a row with such a feature comes before the first fault, so JavaScript reads all rows.
    return this.#leftOut.length > 0 && encoded.states.some(isRefused) ? undefined : encoded;
  }

  /** The features that rows have, but records do not. Call it if no row was refused. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** The states of lines if JavaScript must read all of them. */
  #statesWithout(): Uint8Array {
    return Uint8Array.from({ length: this.count }, (_, row) => {
      const line = this.line(row);
      return line !== undefined && isBlank(line) ? JsonRowState.Blank : JsonRowState.Refused;
    });
  }

  /** True if all lines that JavaScript must read are there. `states`: those of the encoded rows. */
  hasLines(states: Uint8Array): boolean {
    return states.every((state, row) => !isRefused(state) || this.line(row) !== undefined);
  }

  /** Waits until no native thread uses the rows. */
  settled(): Promise<void> {
    return this.#rows.settled();
  }

  free(): void {
    this.#rows.free();
  }
}

/** Row `row` has a value whose kind conflicts with those of earlier rows. */
export class LiteralConflict extends Error {
  constructor(
    readonly row: number,
    override readonly cause: unknown,
  ) {
    super();
  }
}
