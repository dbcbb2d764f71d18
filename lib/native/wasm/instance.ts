/** One instance of tfrecord.wasm: its memory, its calls, and its end. */
import { lengthOf, viewOf } from '../../base';
import { exportsOf, type WasmExports } from './exports';
import { importsFor, NO_FILES, type HostFiles } from './host';
import { Jobs } from './jobs';

/** The largest memory that WebAssembly has, in pages of 64 KiB. */
const MAX_PAGES = 65_536;
const FIRST_PAGES = 64;
/** Added to the numbers of the system's errors: native/wasm/host_fault.cc. */
const HOST_ERRORS = 10_000;
/** Errors that core itself reports, with the numbers of wasi-libc. */
const OWN_ERRORS: Readonly<Record<number, string>> = { 11: 'ECANCELED', 29: 'EIO', 48: 'ENOMEM', 58: 'ENOTSUP' };

export interface InstanceOptions {
  /** Default: there are none. */
  readonly files?: HostFiles | undefined;
  /** Upper limit of the memory, in pages of 64 KiB. Default: 4 GiB. */
  readonly maxPages?: number | undefined;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class Instance {
  readonly exports: WasmExports;
  readonly jobs: Jobs;
  readonly #files: HostFiles;
  readonly #memory: WebAssembly.Memory;
  readonly #literals = new Map<number, string>();
  #bytes = new Uint8Array();
  #numbers = new Float64Array();
  #bits = new BigInt64Array();
  #end: Error | undefined;

  constructor(module: WebAssembly.Module, { files = NO_FILES, maxPages = MAX_PAGES }: InstanceOptions = {}) {
    this.#files = files;
    this.#memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: maxPages });
    const instance = new WebAssembly.Instance(
      module,
      importsFor(files, this.#memory, () => this),
    );
    this.exports = exportsOf(instance, (call) => this.#guarded(call));
    this.jobs = new Jobs(this.exports);
    (instance.exports['_initialize'] as () => void)();
  }

  /** Returns `call` with an end: after a trap, the instance's memory cannot be trusted, so every later call throws. */
  #guarded(call: (...args: number[]) => number): (...args: number[]) => number {
    return (...args) => {
      if (this.#end !== undefined) throw this.#end;
      try {
        return call(...args);
      } catch (cause) {
        if (!isMemoryError(cause)) {
          this.#end = new Error(
            'The WebAssembly build of tfrecord-native has stopped after an error of its own. Load the page again, or ' +
              'start a new process; please report this, with the file that it read.',
            { cause },
          );
        }
        throw this.#end ?? cause;
      }
    };
  }

  /**
   * Returns a registry that calls `free` with what belonged to a collected object. After the end of the instance, whose
   * memory goes as a whole, it calls nothing: nobody would catch the error, so Node would end the process.
   */
  whenCollected<T>(free: (held: T) => void): FinalizationRegistry<T> {
    return new FinalizationRegistry((held) => {
      if (this.#end === undefined) free(held);
    });
  }

  /** The error of a call for which there is no memory, as the addon throws it. */
  memoryError(): Error {
    const error = new Error('ENOMEM: not enough memory');
    return Object.assign(error, { code: 'ENOMEM', errno: -this.#files.errno('ENOMEM'), syscall: 'malloc' });
  }

  /** The system's number for the errno of a fault. */
  systemErrno(errno: number): number {
    return errno >= HOST_ERRORS ? errno - HOST_ERRORS : this.#files.errno(OWN_ERRORS[errno] ?? 'EIO');
  }

  /** All memory. A call may move it: take it again after each one. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#refresh();
    return this.#bytes;
  }
  get numbers(): Float64Array {
    this.#refresh();
    return this.#numbers;
  }
  get bits(): BigInt64Array {
    this.#refresh();
    return this.#bits;
  }

  #refresh(): void {
    const { buffer } = this.#memory;
    if (this.#bytes.buffer === buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#numbers = new Float64Array(buffer);
    this.#bits = new BigInt64Array(buffer);
  }

  /** The memory at `at`, until the next call. */
  view(at: number, size: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(at, at + size);
  }

  /** Returns a copy of the memory at `at`. */
  copy(at: number, size: number): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(at, at + size);
  }

  text(at: number, size: number): string {
    return decoder.decode(this.copy(at, size));
  }

  /** The C string at `at`, which never changes. */
  literal(at: number): string {
    let text = this.#literals.get(at);
    if (text === undefined) {
      text = this.text(at, this.bytes.indexOf(0, at) - at);
      this.#literals.set(at, text);
    }
    return text;
  }

  /** Copies `bytes` to memory at `at`, which has room for `size` of them, the true length of `bytes`. */
  #put(bytes: Uint8Array, at: number, size: number): void {
    // A view of this size: shared memory can have grown since its length was read.
    if (size > 0) this.bytes.set(viewOf(bytes, 0, size), at);
  }

  /** Returns the address of a copy of the bytes, which `tfr_free` frees. */
  newCopy(bytes: Uint8Array): number {
    const size = lengthOf(bytes);
    const at = this.exports.tfr_alloc(size);
    this.#put(bytes, at, size);
    return at;
  }

  /** Returns what `use` returns for a copy of the bytes, which exists during the call. */
  withBytes<T>(bytes: Uint8Array, use: (at: number, size: number) => T): T {
    const size = lengthOf(bytes);
    const at = this.exports.tfr_alloc(size);
    try {
      this.#put(bytes, at, size);
      return use(at, size);
    } finally {
      this.exports.tfr_free(at);
    }
  }

  withText<T>(text: string, use: (at: number, size: number) => T): T {
    return this.withBytes(encoder.encode(text), use);
  }
}

function isMemoryError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOMEM';
}
