/** Folders of TFRecord files for tests that need many records. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { reachableFolder } from '../unprivileged';
import { compress, tfrecord } from './tfrecord';

/** Returns `count` records of `length` bytes (at least 4): the number in little endian, then varying bytes. */
export function numberedRecords(count: number, length: number): Buffer[] {
  return Array.from({ length: count }, (_, number) => {
    const record = Buffer.alloc(length);
    for (let i = 4; i < length; i++) record[i] = (number * 31 + i * 7) & 0x3f;
    record.writeUInt32LE(number, 0);
    return record;
  });
}

/** A temporary folder for one test file. */
export class Folder {
  readonly path: string;
  #fresh = 0;

  /** `others`: the folder is for tests as another user, too. */
  constructor({ others = false }: { readonly others?: boolean } = {}) {
    this.path = others ? reachableFolder('tfrecord-test-') : mkdtempSync(join(tmpdir(), 'tfrecord-test-'));
  }

  /** Returns the path of `name`, which need not exist. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes `records`, compressed by the end of `name` (`.gz`, `.zlib`). Returns the path. */
  write(name: string, records: readonly Uint8Array[]): string {
    const codec = name.endsWith('.gz') ? 'gzip' : name.endsWith('.zlib') ? 'zlib' : 'none';
    return this.put(name, compress(tfrecord(records), codec));
  }

  /** Writes a file with this content. Returns the path. */
  put(name: string, content: string | Uint8Array): string {
    writeFileSync(this.at(name), content);
    return this.at(name);
  }

  /** Returns a path that this method has not returned before. */
  fresh(): string {
    return this.at(`fresh-${this.#fresh++}`);
  }

  /** Makes a folder below this one. Returns it with the paths, and the sorted names, of its entries. */
  place(): { path: string; at: (name: string) => string; names: () => string[] } {
    const path = this.fresh();
    mkdirSync(path);
    return { path, at: (name) => join(path, name), names: () => readdirSync(path).sort() };
  }

  /** Returns the names of all entries, sorted. */
  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Returns the names of temporary files and folders that writers left behind. */
  temporary(): string[] {
    return this.names().filter((name) => name.endsWith('.tmp'));
  }

  remove(): void {
    try {
      rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Windows removes no file that is still open.
      if (process.platform !== 'win32') throw error;
    }
  }
}
