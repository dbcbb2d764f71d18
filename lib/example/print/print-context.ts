/** The options, limits and counts that the printers of one run share. */
import { bytesJson, printBytes, textJson, tooLongToPrint, type JsonText } from './json';

export interface PrintOptions {
  /** Prints all values in full. Default: false. */
  readonly full?: boolean | undefined;
  /** Prints the kind of each feature. Default: false. */
  readonly kinds?: boolean | undefined;
}

/** The maximum numbers that are printed. The rest is left out. */
interface PrintLimits {
  /** Names: features of an Example or of a context, or feature lists. */
  readonly names: number;
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

const SHORT: PrintLimits = { names: 4096, values: 32, steps: 16, textBytes: 256, binaryBytes: 48, rawBytes: 32 };
const FULL: PrintLimits = {
  names: Infinity,
  values: Infinity,
  steps: Infinity,
  textBytes: Infinity,
  binaryBytes: Infinity,
  rawBytes: Infinity,
};

/** Maximum number of values of a list that is printed as one string. */
const MAX_STRING_VALUES = 2 ** 22;

/**
 * Maximum number of names whose JSON is kept. Records repeat their names, but a hostile file can have any number of
 * them.
 */
const MAX_CACHED_NAMES = 4096;

export class PrintContext {
  readonly limits: PrintLimits;
  readonly kinds: boolean;
  /** Number of lists and values that were cut. */
  cuts = 0;
  readonly #names = new Map<string, string>();

  constructor(options: PrintOptions) {
    this.limits = options.full === true ? FULL : SHORT;
    this.kinds = options.kinds === true;
  }

  /** Returns the JSON of a name. */
  name(name: string): string {
    let json = this.#names.get(name);
    if (json === undefined) {
      json = textJson(name);
      if (this.#names.size < MAX_CACHED_NAMES) this.#names.set(name, json);
    }
    return json;
  }

  /** Returns the JSON of a bytes value. */
  bytes(value: Uint8Array): string {
    const { json, cut } = bytesJson(value, this.limits.textBytes, this.limits.binaryBytes);
    if (cut > 0) this.cuts++;
    return json;
  }

  /** Adds the JSON of a bytes value. */
  printBytes(value: Uint8Array, out: JsonText): void {
    if (printBytes(value, this.limits.textBytes, this.limits.binaryBytes, out) > 0) this.cuts++;
  }

  /**
   * Returns the JSON array of the first `limit` values, and the number of the others, if there are any. @throws
   * TFRecordError if it is too long
   */
  list<T>(values: readonly T[], limit: number, print: (value: T) => string): string {
    const count = values.length;
    const shown = Math.min(count, limit);
    if (shown > MAX_STRING_VALUES) throw tooLongToPrint(`A list has ${count} values`);
    let json = '[';
    for (let i = 0; i < shown; i++) json += (i === 0 ? '' : ',') + print(values[i] as T);
    return `${json}${this.#more(shown, count)}]`;
  }

  /** Adds an array like that of `list`, of `count` values. `print` adds the value at an index. */
  items(count: number, limit: number, out: JsonText, print: (index: number) => void): void {
    const shown = Math.min(count, limit);
    out.add('[');
    for (let i = 0; i < shown; i++) {
      if (i > 0) out.add(',');
      print(i);
    }
    out.add(`${this.#more(shown, count)}]`);
  }

  /**
   * Adds an array like that of `list`, of an unknown number of values. `each` calls `next` before each value, and adds
   * the value if `next` returns true.
   */
  all(out: JsonText, limit: number, each: (next: () => boolean) => void): void {
    let count = 0;
    out.add('[');
    each(() => {
      if (count++ >= limit) return false;
      if (count > 1) out.add(',');
      return true;
    });
    out.add(`${this.#more(Math.min(count, limit), count)}]`);
  }

  #more(shown: number, count: number): string {
    if (shown >= count) return '';
    this.cuts++;
    return `${shown === 0 ? '' : ','}{"more":${count - shown}}`;
  }
}
