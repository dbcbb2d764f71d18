/** The functions that the module imports (native/wasm/host.h): files, a clock, and the news that a job is done. */
import { isObject } from '../../base';
import type { Jobs } from './jobs';

/** System calls in the order of native/wasm/host_fault.cc. */
const CALLS = ['open', 'read', 'write', 'close', 'fsync', 'rename', 'ftruncate'] as const;
const DETAILS = ['', 'in use', 'named'] as const;

type Call = (typeof CALLS)[number];

/** A failed system call, for files that report one themselves. */
export class HostFault extends Error {
  /** Name of the system's error. */
  readonly code: string;
  readonly syscall: Call;
  readonly detail: (typeof DETAILS)[number];

  constructor(code: string, syscall: Call, detail: (typeof DETAILS)[number] = '') {
    super(`${code} in ${syscall}`);
    this.code = code;
    this.syscall = syscall;
    this.detail = detail;
  }
}

/**
 * The destination of a writer with a path: `ByteSink` of native/core/io/byte_sink.h. Calls throw errors of the system,
 * which have a `code` and a `syscall`, or HostFault.
 */
export interface HostSink {
  /** False: try again after some milliseconds. */
  open(): boolean;
  /** Returns the number of bytes written, or undefined: try again after some milliseconds. */
  write(bytes: Uint8Array): number | undefined;
  sync(): void;
  commit(): void;
  readonly replacedOther: boolean;
  /** Gives up what can be given up. Does not throw. */
  abandon(): void;
}

/** The files of a system. Calls throw what those of a sink throw. */
export interface HostFiles {
  /** Opens a file for positional reads. Returns a number for the calls below. */
  open(path: string): number;
  /** Reads 1 to `to.length` bytes; 0 at the end. */
  read(file: number, to: Uint8Array, position: number): number;
  /** Size of a regular file; -1 if it is not known. An error means the same. */
  size(file: number): number;
  /** Errors are ignored: the bytes were read. */
  close(file: number): void;
  sink(path: string, atomic: boolean): HostSink;
  /** Number of the error `name` on this system. */
  errno(name: string): number;
}

/** The numbers of Linux, for the errors that a system without files can have. */
const ERRNO: Readonly<Record<string, number>> = { ENOMEM: 12, EIO: 5, ENOSYS: 38, ENOTSUP: 95, ECANCELED: 125 };

/** A system without files: a page. */
export const NO_FILES: HostFiles = {
  open: () => refuse(),
  read: () => refuse(),
  size: () => -1,
  close: () => undefined,
  sink: () => ({
    open: refuse,
    write: refuse,
    sync: refuse,
    commit: refuse,
    replacedOther: false,
    abandon: () => undefined,
  }),
  errno: (name) => ERRNO[name] ?? 5,
};

function refuse(): never {
  throw new HostFault('ENOSYS', 'open');
}

/** The result of `sinkOpen` and `sinkWrite` that asks for patience. */
const WAITS = 0x7fffffff;
/** Time after which a sink that could not write is tried again, in milliseconds. */
const PATIENCE_MS = 5;

/** The parts of an instance that its imports need. */
interface Caller {
  readonly jobs: Pick<Jobs, 'ready' | 'settle'>;
  /** The memory at `at`, until the next call. */
  view(at: number, size: number): Uint8Array<ArrayBuffer>;
  text(at: number, size: number): string;
  memoryError(): Error;
}

/** Returns the imports of an instance, which `instance` returns once it is there. */
export function importsFor(
  files: HostFiles,
  memory: WebAssembly.Memory,
  instance: () => Caller,
): WebAssembly.Imports {
  const sinks = new Map<number, HostSink>();
  let lastSink = 0;
  const text = (at: number, size: number): string => instance().text(at >>> 0, size >>> 0);
  const sinkOf = (sink: number): HostSink => sinks.get(sink)!;

  /**
   * Returns what `work` returns, or its error as `HostFault` of native/wasm/host_fault.h reads it. Errors without a call
   * of the system are mistakes of this package: they end the instance.
   * @param call what failed, if the error names none of CALLS
   */
  function coded(call: Call, work: () => number): number {
    try {
      return work();
    } catch (error) {
      const { code, syscall } = isObject(error) ? error : {};
      if (typeof code !== 'string' || typeof syscall !== 'string') throw error;
      const failed = CALLS.find((name) => name === syscall) ?? call;
      const detail = error instanceof HostFault ? error.detail : '';
      return -(files.errno(code) + 4096 * CALLS.indexOf(failed) + 65536 * DETAILS.indexOf(detail));
    }
  }

  /** Returns 0 after `work`, or its error. */
  function done(call: Call, work: () => void): number {
    return coded(call, () => {
      work();
      return 0;
    });
  }

  return {
    env: { memory },
    host: {
      outOfMemory: () => {
        throw instance().memoryError();
      },
      settled: (job: number) => instance().jobs.settle(job >>> 0),
      wait: (waiter: number) => {
        setTimeout(() => instance().jobs.ready(waiter >>> 0), PATIENCE_MS);
      },
      now: () => performance.now(),
      fileOpen: (path: number, size: number) => coded('open', () => files.open(text(path, size))),
      fileRead: (file: number, position: number, to: number, size: number) =>
        coded('read', () => files.read(file, instance().view(to >>> 0, size >>> 0), position)),
      fileSize: (file: number) => coded('read', () => files.size(file)),
      fileClose: (file: number) => void done('close', () => files.close(file)),
      sinkNew: (path: number, size: number, atomic: number) => {
        sinks.set(++lastSink, files.sink(text(path, size), atomic !== 0));
        return lastSink;
      },
      sinkOpen: (sink: number) => coded('open', () => (sinkOf(sink).open() ? 0 : WAITS)),
      sinkWrite: (sink: number, data: number, size: number) =>
        coded('write', () => sinkOf(sink).write(instance().view(data >>> 0, size >>> 0)) ?? WAITS),
      sinkSync: (sink: number) => done('fsync', () => sinkOf(sink).sync()),
      sinkCommit: (sink: number) => done('fsync', () => sinkOf(sink).commit()),
      sinkReplacedOther: (sink: number) => (sinkOf(sink).replacedOther ? 1 : 0),
      sinkAbandon: (sink: number) => sinkOf(sink).abandon(),
      sinkFree: (sink: number) => void sinks.delete(sink),
    },
  };
}
