/** A file that a writer writes, in Node: the contract of native/core/io/file_sink.h, in TypeScript. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

import { HostFault, type HostSink } from './host';

/** NAME_MAX of all common file systems. */
const MAX_NAME = 255;
const ATTEMPTS = 32;
/** Errors of file systems that cannot sync a folder. */
const UNABLE_TO_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EROFS', 'EPERM']);

/** The files of this thread that sinks write in place: two sinks on one file would mix their bytes. */
const inPlace = new Set<string>();
/** Temporary files, which go when the process exits. */
const temporaries = new Set<string>();

function removeTemporaries(): void {
  for (const path of temporaries) ignoring(() => fs.unlinkSync(path));
}

export class NodeFileSink implements HostSink {
  readonly #path: string;
  readonly #atomic: boolean;
  #file = -1;
  /** The temporary file; '' once it is renamed or removed. */
  #temporary = '';
  /** Version of the file that is to be replaced. */
  #before = '';
  #identity: string | undefined;
  #syncable = false;
  replacedOther = false;

  constructor(path: string, atomic: boolean) {
    this.#path = path;
    this.#atomic = atomic;
  }

  open(): boolean {
    const target = fs.lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const replaceable = target === undefined || (target.isFile() && target.nlink === 1n);
    if (!this.#atomic || !replaceable || this.#path.endsWith(sep) || this.#path.endsWith('/')) {
      return this.#openInPlace();
    }
    if (target !== undefined && inPlace.has(identityOf(target))) throw inUse();
    this.#openTemporary(target);
    return true;
  }

  #openTemporary(target: fs.BigIntStats | undefined): void {
    if (target !== undefined) fs.accessSync(this.#path, fs.constants.W_OK);
    this.#before = versionOf(target);
    for (let attempt = 0; this.#file < 0; attempt++) {
      const path = temporaryPath(this.#path);
      try {
        // Only the owner can read the new bytes until the old mode is set.
        this.#file = fs.openSync(path, 'wx', target === undefined ? 0o666 : 0o600);
        this.#temporary = path;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST' || attempt >= ATTEMPTS) throw error;
      }
    }
    if (temporaries.size === 0) process.once('exit', removeTemporaries);
    temporaries.add(this.#temporary);
    this.#syncable = true;
    if (target !== undefined) this.#keepAttributes(target);
  }

  /** Some file systems have no owners and modes, so a failure here does not fail the write. */
  #keepAttributes(target: fs.BigIntStats): void {
    const own = ignoring(() => fs.fstatSync(this.#file, { bigint: true }));
    if (own?.uid !== target.uid || own.gid !== target.gid) {
      ignoring(() => fs.fchownSync(this.#file, Number(target.uid), Number(target.gid)));
    }
    ignoring(() => fs.fchmodSync(this.#file, Number(target.mode) & 0o777));
  }

  #openInPlace(): boolean {
    const { O_WRONLY, O_CREAT, O_NOCTTY, O_NONBLOCK } = fs.constants;
    // If `stat` fails, `open` fails for the same reason, and its error is reported.
    const existing = ignoring(() => fs.statSync(this.#path));
    const pipe = existing?.isFIFO() ?? false;
    const patient = pipe || (existing?.isCharacterDevice() ?? false);
    // Windows lacks the last two: they count as 0. Not O_TRUNC: a file that another writer holds must stay unchanged.
    const flags = O_WRONLY | O_CREAT | O_NOCTTY | (patient ? O_NONBLOCK : 0);
    try {
      this.#file = fs.openSync(this.#path, flags, 0o666);
    } catch (error) {
      if (pipe && codeOf(error) === 'ENXIO') return false;
      throw error;
    }
    const info = fs.fstatSync(this.#file, { bigint: true });
    this.#syncable = info.isFile() || info.isBlockDevice();
    if (!info.isFile()) return true;
    const identity = identityOf(info);
    if (inPlace.has(identity)) {
      ignoring(() => this.#close());
      throw inUse();
    }
    inPlace.add((this.#identity = identity));
    fs.ftruncateSync(this.#file);
    return true;
  }

  write(bytes: Uint8Array): number | undefined {
    try {
      const taken = fs.writeSync(this.#file, bytes);
      // Retrying a write that takes nothing would never end.
      if (taken === 0) throw new HostFault('EIO', 'write');
      return taken;
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return undefined;
      throw error;
    }
  }

  sync(): void {
    if (this.#syncable) fs.fdatasyncSync(this.#file);
  }

  commit(): void {
    if (this.#temporary === '') { this.#close(); return; }
    try {
      this.sync();
      this.#close();
      const found = versionOf(ignoring(() => fs.lstatSync(this.#path, { bigint: true })));
      this.replacedOther = found !== '' && found !== this.#before;
      fs.renameSync(this.#temporary, this.#path);
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.#forget();
    this.#syncFolder();
  }

  /** Makes the rename durable, where folders can be synced. */
  #syncFolder(): void {
    const folder = ignoring(() => fs.openSync(dirname(this.#path), 'r'));
    if (folder === undefined) return;
    try {
      fs.fsyncSync(folder);
    } catch (error) {
      const code = codeOf(error);
      if (UNABLE_TO_SYNC.has(code)) return;
      throw new HostFault(code, 'fsync', 'named');
    } finally {
      ignoring(() => fs.closeSync(folder));
    }
  }

  abandon(): void {
    ignoring(() => this.#close());
    if (this.#temporary === '') return;
    ignoring(() => fs.unlinkSync(this.#temporary));
    this.#forget();
  }

  #forget(): void {
    temporaries.delete(this.#temporary);
    if (temporaries.size === 0) process.off('exit', removeTemporaries);
    this.#temporary = '';
  }

  /** Network file systems may report late write errors here. */
  #close(): void {
    if (this.#file < 0) return;
    const file = this.#file;
    this.#file = -1;
    if (this.#identity !== undefined) inPlace.delete(this.#identity);
    this.#identity = undefined;
    fs.closeSync(file);
  }
}

/** Returns what `work` returns; undefined if it fails, and the caller does without. */
export function ignoring<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

function inUse(): HostFault {
  return new HostFault('EBUSY', 'open', 'in use');
}

function identityOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Differs after the file was written or replaced. '' for no file. */
function versionOf(file: fs.BigIntStats | undefined): string {
  return file === undefined ? '' : `${file.mtimeNs}:${file.size}`;
}

/** Returns a path beside `path` that is new each time. A name that is cut is not cut within a character. */
function temporaryPath(path: string): string {
  const suffix = `.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  const name = Buffer.from(basename(path));
  const room = MAX_NAME - 1 - suffix.length;
  let end = Math.min(name.length, room);
  while (end > 0 && end < name.length && (name[end]! & 0xc0) === 0x80) end--;
  return join(dirname(path), `.${name.subarray(0, end).toString()}${suffix}`);
}
