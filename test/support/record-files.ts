/** Folders of TFRecord files for tests that need many records. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compress, tfrecord } from './tfrecord';

/** `count` records of `length` bytes (4 and more): the number in little endian, then bytes that differ. */
export function numberedRecords(count: number, length: number): Buffer[] {
  return Array.from({ length: count }, (_, number) => {
    const record = Buffer.alloc(length);
    for (let i = 4; i < length; i++) record[i] = (number * 31 + i * 7) & 0x3f;
    record.writeUInt32LE(number, 0);
    return record;
  });
}

/** A folder of files for one test file. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'tfrecord-test-'));
  #fresh = 0;

  /** The path of `name`, written or not. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes `records`, compressed as the end of `name` says (`.gz`, `.zlib`); returns the path. */
  write(name: string, records: readonly Uint8Array[]): string {
    const codec = name.endsWith('.gz') ? 'gzip' : name.endsWith('.zlib') ? 'zlib' : 'none';
    return this.put(name, compress(tfrecord(records), codec));
  }

  /** Writes a file of this content; returns the path. */
  put(name: string, content: string | Uint8Array): string {
    writeFileSync(this.at(name), content);
    return this.at(name);
  }

  /** A path that this method has not returned before. */
  fresh(): string {
    return this.at(`fresh-${this.#fresh++}`);
  }

  /** Names of all entries, sorted. */
  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Names of temporary files and folders that writing left behind. */
  temporary(): string[] {
    return this.names().filter((name) => name.endsWith('.tmp'));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
