import { TFRecordError } from '../../base';
import { lineText, plural } from './text';

/** Counts the damage that `--on-error skip` accepted: single skipped records, and bytes that were given up unread. */
export class Losses {
  /** True if `--allow-loss` accepts bytes that were given up. */
  allowed = false;
  #records = 0;
  #bytes = 0;
  readonly #files = new Set<string>();
  /** The code of the first fault that gave up bytes. */
  #code: string | undefined;

  /** Counts a skipped error. */
  add({ code, file, lostBytes = 0 }: TFRecordError): void {
    if (lostBytes === 0) {
      this.#records++;
      return;
    }
    this.#bytes += lostBytes;
    this.#code ??= code;
    if (file !== undefined) this.#files.add(file);
  }

  /** Records that at least `bytes` were given up, by this run or an earlier run of the same job. */
  atLeast(bytes: number): void {
    this.#bytes = Math.max(this.#bytes, bytes);
  }

  /** True if bytes were given up unread. */
  get hasBytes(): boolean {
    return this.#bytes > 0;
  }

  /** Returns one sentence about the losses, without its full stop. */
  toString(): string {
    const [first] = this.#files;
    const of = first === undefined ? '' : ` of ${this.#files.size === 1 ? first : plural(this.#files.size, 'file')}`;
    const bytes = `${plural(this.#bytes, 'byte')}${of} ${this.#bytes === 1 ? 'was' : 'were'} given up unread`;
    if (this.#records === 0) return bytes;
    return `${bytes}, and ${plural(this.#records, 'record')} ${this.#records === 1 ? 'was' : 'were'} skipped`;
  }

  /** Returns the error for losses that are not allowed. */
  toError(): TFRecordError {
    const advice = '--allow-loss accepts that and ends with 0; tfrecord verify reports every fault.';
    return new TFRecordError(this.#code ?? 'TFR_CORRUPT_LENGTH', `${lineText(String(this))}. ${advice}`, {
      file: this.#files.size === 1 ? [...this.#files][0] : undefined,
      lostBytes: this.#bytes,
    });
  }
}
