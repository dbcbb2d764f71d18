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

  /** The path of `name`, written or not. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes `records`, compressed as the end of `name` says (`.gz`, `.zlib`); returns the path. */
  write(name: string, records: readonly Uint8Array[]): string {
    const codec = name.endsWith('.gz') ? 'gzip' : name.endsWith('.zlib') ? 'zlib' : 'none';
    writeFileSync(this.at(name), compress(tfrecord(records), codec));
    return this.at(name);
  }

  /** Names of what is there, sorted. */
  names(): string[] {
    return readdirSync(this.path).sort();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
