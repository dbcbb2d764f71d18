/** Rows of JSON Lines whose values native code holds: parsed first, and encoded once the kinds of all features are known. */
import { TextDecoder, TextEncoder } from 'node:util';

import { startNative, type Bytes } from '../../base';
import { native, RowChoiceMode, type JsonRowsHandle, type NativeJsonRows, type RowBinding } from '../../native';
import { partsOf, type RecordBatch } from '../../record';
import { hasLoneSurrogate } from '../../tensor';
import type { FeatureKind } from '../message';

/** The features to read: all, or those that are in a list, or those that are not. */
export type RowNamesChoice = 'all' | { readonly only: readonly string[] } | { readonly except: readonly string[] };

/** A feature of rows. */
export interface JsonRowName {
  readonly name: string;
  /** True for a feature list; false for a feature, also of a context. */
  readonly isList: boolean;
}

/** A name or a literal that appears for the first time in some rows. */
export interface JsonRowEvent {
  /** Index of the row. */
  readonly row: number;
  /** Index of the name. */
  readonly name: number;
  /** Index of the kind of the literal; undefined where the name appears. */
  readonly literal: number | undefined;
}

/** The features of rows, by number. Decodes each when it is used for the first time. */
export class JsonRowNames {
  readonly #text: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #sections: Uint8Array;
  readonly #decoded: (JsonRowName | undefined)[] = [];

  constructor({ names, nameEnds, sections }: NativeJsonRows) {
    this.#text = names;
    this.#ends = nameEnds;
    this.#sections = sections;
  }

  get length(): number {
    return this.#ends.length;
  }

  /** The feature with number `index`, which is less than the length. */
  at(index: number): JsonRowName {
    return (this.#decoded[index] ??= {
      name: UTF8.decode(this.#text.subarray(this.#ends[index - 1] ?? 0, this.#ends[index])),
      isList: this.#sections[index] === 1,
    });
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Rows that were parsed. */
export interface ParsedJsonRows {
  readonly names: JsonRowNames;
  /** In the order of the rows, their features and their values. Rows that were refused have none. */
  readonly events: readonly JsonRowEvent[];
  /** Indices of the lines that native code leaves to JavaScript, in order. */
  readonly refused: ArrayLike<number>;
  /** Memory that the rows take, in bytes. */
  readonly heldBytes: number;
}

/** Rows that were encoded. */
export interface EncodedJsonRows {
  readonly slab: Bytes;
  /** Pairs (offset in the slab, length) of the records, one for each row that was taken. */
  readonly frames: Uint32Array<ArrayBuffer>;
  /** The `JsonRowState` of each line. */
  readonly states: Uint8Array;
}

/** The kind of a feature whose values are to be encoded; `none`: it never has a value; `skip`: it is left out. */
export type RowFeatureKind = FeatureKind | 'none' | 'skip';

/** How the values of a feature are encoded. */
export interface RowFeatureRule {
  readonly kind: RowFeatureKind;
  /** By a spec: the number of values. Default: any. */
  readonly count?: number | undefined;
  /** By a spec: true if each row must have the feature. Default: false. */
  readonly required?: boolean | undefined;
}

const REQUIRED = 8;
const ANY_COUNT = 2 ** 32 - 1;

const KINDS: Readonly<Record<RowFeatureKind, number>> = { none: 0, bytes: 1, float: 2, int64: 3, skip: 4 };

/** The functions for rows; undefined in the WebAssembly build. */
function rowBinding(): RowBinding | undefined {
  const binding = native();
  return binding.jsonRowsNew === undefined ? undefined : (binding as RowBinding);
}

/** Rows of one batch of lines at a time. One call may be pending. */
export class JsonRows {
  readonly #binding = rowBinding();
  readonly #handle: JsonRowsHandle | undefined;
  #lines = 0;
  /** Resolves after the last call. It does not hold what that resolved with. */
  #settled: Promise<void> = Promise.resolve();

  /**
   * `choice`: native code skips the values of other features, which may then have any form. `examplesOnly`: it refuses rows
   * that may be SequenceExamples.
   */
  constructor(choice: RowNamesChoice = 'all', examplesOnly = false) {
    const [mode, names] =
      choice === 'all'
        ? [RowChoiceMode.All, []]
        : 'only' in choice
          ? [RowChoiceMode.Only, choice.only]
          : [RowChoiceMode.Except, choice.except];
    // No line has the name of half a character, and UTF-8 would make another name of it.
    const whole = [...new Set(names)].filter((name) => !hasLoneSurrogate(name));
    const encoder = new TextEncoder();
    this.#handle = this.#binding?.jsonRowsNew(
      mode,
      whole.map((name) => encoder.encode(name)),
      examplesOnly,
    );
  }

  /**
   * Drops the rows, and parses the lines of `batch`, whose memory no other code may change until the promise settles.
   * Resolves with undefined if native code cannot do it: there is no memory for the rows, or this is WebAssembly.
   */
  async parse(batch: RecordBatch): Promise<ParsedJsonRows | undefined> {
    const { source, begin } = partsOf(batch);
    this.#lines = batch.length;
    const rows = await this.#call(source.file, (binding, handle) =>
      binding.jsonRowsParse(handle, source.slab, source.frames, begin, begin + batch.length),
    );
    return rows && parsedRows(rows);
  }

  /**
   * Encodes the rows that were parsed. `rules`: those of each name. `required`: the number of features that each row must
   * have by a spec, which rows need not name; undefined without one. Then `none` is the kind of a feature without a value, and
   * null that of a missing one. `memory` returns memory for so many bytes or more. Resolves with undefined if there is no
   * memory for the records.
   */
  async encode(
    rules: readonly RowFeatureRule[],
    required: number | undefined,
    memory: (bytes: number) => Bytes,
    file: string,
  ): Promise<EncodedJsonRows | undefined> {
    const kinds = Uint8Array.from(rules, (rule) => KINDS[rule.kind] + (rule.required === true ? REQUIRED : 0));
    const counts = Uint32Array.from(rules, ({ count }) => count ?? ANY_COUNT);
    const bytes = await this.#call(file, (binding, handle) =>
      binding.jsonRowsEncode(handle, kinds, counts, required ?? -1),
    );
    if (bytes === undefined) return undefined;
    // An empty slab would look as if it had been transferred.
    const slab = memory(Math.max(1, bytes));
    const frames = new Uint32Array(2 * this.#lines);
    const states = new Uint8Array(this.#lines);
    const records = this.#binding!.jsonRowsTake(this.#handle!, slab, frames, states);
    return { slab, frames: frames.subarray(0, 2 * records), states };
  }

  /** Waits until no native thread uses the rows, or the memory of their lines. Never rejects. */
  settled(): Promise<void> {
    return this.#settled;
  }

  /** Drops the rows, and their memory. */
  free(): void {
    if (this.#handle !== undefined) this.#binding!.jsonRowsFree(this.#handle);
  }

  #call<T>(
    file: string,
    call: (binding: RowBinding, handle: JsonRowsHandle) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [binding, handle] = [this.#binding, this.#handle];
    if (binding === undefined || handle === undefined) return Promise.resolve(undefined);
    const pending = startNative(file, () => call(binding, handle));
    const done = (): void => undefined;
    this.#settled = pending.then(done, done);
    return pending;
  }
}

function parsedRows(rows: NativeJsonRows): ParsedJsonRows {
  const { events, refused, heldBytes } = rows;
  return {
    names: new JsonRowNames(rows),
    events: Array.from({ length: events.length / 3 }, (_, i) => {
      const what = events[3 * i + 2]!;
      return { row: events[3 * i]!, name: events[3 * i + 1]!, literal: what === 0 ? undefined : what - 1 };
    }),
    refused,
    heldBytes,
  };
}
