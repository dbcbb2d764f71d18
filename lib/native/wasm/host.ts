/** The functions that the module imports (native/wasm/host.h): files, a clock, and the news that a job is done. */
import type { Instance } from './instance';

/** System calls in the order of native/wasm/host_fault.cc. */
const CALLS = ['open', 'read', 'write', 'close', 'fsync', 'rename', 'ftruncate'] as const;
const DETAILS = ['', 'in use', 'named'] as const;

/** A failed system call. */
export class HostFault extends Error {
  readonly errno: number;
  readonly call: (typeof CALLS)[number];
  readonly detail: (typeof DETAILS)[number];

  /** @param errno the system's positive number */
  constructor(errno: number, call: (typeof CALLS)[number], detail: (typeof DETAILS)[number] = '') {
    super(`errno ${errno} in ${call}`);
    this.errno = errno;
    this.call = call;
    this.detail = detail;
  }
}

/** The destination of a writer with a path: `ByteSink` of native/core/io/byte_sink.h. Calls throw HostFault. */
export interface HostSink {
  /** False: try again after some milliseconds. */
  open(): boolean;
  /** Returns the number of bytes written, or undefined: try again after some milliseconds. */
  write(bytes: Uint8Array): number | undefined;
  sync(): void;
  commit(): void;
  readonly replacedOther: boolean;
  abandon(): void;
}

/** The files of a system. Calls throw HostFault. */
export interface HostFiles {
  /** Opens a file for positional reads. Returns a number for the calls below. */
  open(path: string): number;
  /** Reads 1 to `to.length` bytes; 0 at the end. */
  read(file: number, to: Uint8Array, position: number): number;
  /** Size of a regular file; -1 if it is not known. */
  size(file: number): number;
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
  throw new HostFault(NO_FILES.errno('ENOSYS'), 'open');
}

/** The result of `sinkOpen` and `sinkWrite` that asks for patience. */
const WAITS = 0x7fffffff;
/** Time after which a sink that could not write is tried again, in milliseconds. */
const PATIENCE_MS = 5;

/** Returns the imports of an instance, which `instance` returns once it is there. */
export function importsFor(
  files: HostFiles,
  memory: WebAssembly.Memory,
  instance: () => Instance,
): WebAssembly.Imports {
  const sinks = new Map<number, HostSink>();
  let lastSink = 0;
  const text = (at: number, size: number): string => instance().text(at >>> 0, size >>> 0);
  const sinkOf = (sink: number): HostSink => sinks.get(sink)!;
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
      fileOpen: (path: number, size: number) => coded(() => files.open(text(path, size))),
      fileRead: (file: number, position: number, to: number, size: number) =>
        coded(() => files.read(file, instance().view(to >>> 0, size >>> 0), position)),
      fileSize: (file: number) => files.size(file),
      fileClose: (file: number) => files.close(file),
      sinkNew: (path: number, size: number, atomic: number) => {
        sinks.set(++lastSink, files.sink(text(path, size), atomic !== 0));
        return lastSink;
      },
      sinkOpen: (sink: number) => coded(() => (sinkOf(sink).open() ? 0 : WAITS)),
      sinkWrite: (sink: number, data: number, size: number) =>
        coded(() => sinkOf(sink).write(instance().view(data >>> 0, size >>> 0)) ?? WAITS),
      sinkSync: (sink: number) => done(() => sinkOf(sink).sync()),
      sinkCommit: (sink: number) => done(() => sinkOf(sink).commit()),
      sinkReplacedOther: (sink: number) => (sinkOf(sink).replacedOther ? 1 : 0),
      sinkAbandon: (sink: number) => sinkOf(sink).abandon(),
      sinkFree: (sink: number) => void sinks.delete(sink),
    },
  };
}

/** Returns 0 after `call`, or its HostFault. */
function done(call: () => void): number {
  return coded(() => {
    call();
    return 0;
  });
}

/** Returns what `call` returns, or its HostFault as `HostFault` of native/wasm/host_fault.h reads it. */
function coded(call: () => number | undefined): number {
  try {
    return call() ?? 0;
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    return -(error.errno + 4096 * CALLS.indexOf(error.call) + 65536 * DETAILS.indexOf(error.detail));
  }
}
