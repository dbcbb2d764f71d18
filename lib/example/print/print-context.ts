/** What the printers of one run share. */
import { bytesJson } from './json-bytes';
import { textJson } from './json-scalars';

export interface PrintOptions {
  /** Nothing is cut. Default false. */
  readonly full?: boolean | undefined;
  /** Every feature says its kind. Default false. */
  readonly kinds?: boolean | undefined;
}

/** From where on values are cut. */
export interface PrintLimits {
  /** Values of a list. */
  readonly values: number;
  /** Steps of a feature list. */
  readonly steps: number;
  /** Bytes of a value that is text. */
  readonly textBytes: number;
  /** Bytes of any other value. */
  readonly binaryBytes: number;
  /** Bytes of a record of unknown type. */
  readonly rawBytes: number;
}

const SHORT: PrintLimits = { values: 32, steps: 16, textBytes: 256, binaryBytes: 48, rawBytes: 32 };
const FULL: PrintLimits = {
  values: Infinity,
  steps: Infinity,
  textBytes: Infinity,
  binaryBytes: Infinity,
  rawBytes: Infinity,
};

/** Names come again with every record; hostile files may hold any number of them. */
const MAX_CACHED_NAMES = 4096;

export class PrintContext {
  readonly limits: PrintLimits;
  readonly kinds: boolean;
  /** Lists and values that were cut. */
  cuts = 0;
  readonly #names = new Map<string, string>();

  constructor(options: PrintOptions) {
    this.limits = options.full === true ? FULL : SHORT;
    this.kinds = options.kinds === true;
  }

  /** The JSON of a name. */
  name(name: string): string {
    let json = this.#names.get(name);
    if (json === undefined) {
      json = textJson(name);
      if (this.#names.size < MAX_CACHED_NAMES) this.#names.set(name, json);
    }
    return json;
  }

  /** The JSON of a bytes value. */
  bytes(value: Uint8Array): string {
    const { json, cut } = bytesJson(value, this.limits.textBytes, this.limits.binaryBytes);
    if (cut > 0) this.cuts++;
    return json;
  }

  /** A JSON array of the first `limit` values, and a note when there are more. */
  list<T>(values: readonly T[], limit: number, print: (value: T) => string): string {
    return this.items(values.length, limit, (i) => print(values[i] as T));
  }

  /** The same of `count` values that `print` finds by their number. */
  items(count: number, limit: number, print: (index: number) => string): string {
    const shown = Math.min(count, limit);
    let json = '[';
    for (let i = 0; i < shown; i++) json += (i === 0 ? '' : ',') + print(i);
    if (shown < count) {
      this.cuts++;
      json += `${shown === 0 ? '' : ','}{"more":${count - shown}}`;
    }
    return `${json}]`;
  }
}
