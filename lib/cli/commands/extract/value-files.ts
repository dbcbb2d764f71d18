/** Writes files in a folder, which get their names when they are complete, and are never outside the folder. */
import { mkdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { fromNodeError, codeOf } from '../../../base';
import { giveName, giveNewName, temporaryName, writeWhole } from '../../../io';
import { UsageError } from '../../terminal/reporter';
import { lineText, plural } from '../../terminal/text';
import { extensionOf } from './file-names';

/** Number of files that are written at a time. */
const AT_A_TIME = 16;

/** Writes files into a folder. */
export class ValueFiles {
  readonly #root: string;
  readonly #force: boolean;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  /** Folders that exist within the root. */
  readonly #folders = new Map<string, Promise<string>>();
  readonly #types = new Map<string, number>();
  #count = 0;
  #bytes = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(root: string, force: boolean, signal: AbortSignal) {
    this.#root = root;
    this.#force = force;
    this.#signal = signal;
  }

  /** Number of files that were passed to `write`. */
  get count(): number {
    return this.#count;
  }

  /** The files as members of a summary. `types`: their number by content. */
  get summary(): { readonly folder: string; readonly files: number; readonly bytes: number; readonly types: object } {
    return { folder: this.#root, files: this.#count, bytes: this.#bytes, types: Object.fromEntries(this.#types) };
  }

  /** The files as text, such as `3 files to out (2 png, 1 txt; 24 bytes)`. */
  get text(): string {
    const types = [...this.#types].sort(([, a], [, b]) => b - a).map(([type, count]) => `${count} ${type}`);
    const kinds = types.length === 0 ? '' : ` (${types.join(', ')}; ${plural(this.#bytes, 'byte')})`;
    return `${plural(this.#count, 'file')} to ${lineText(this.#root)}${kinds}`;
  }

  /** Writes a file, whose content is of `type`. Resolves when the next file may be written. @throws the error of this or an earlier file */
  async write(segments: readonly string[], bytes: Uint8Array, type = extensionOf(bytes)): Promise<void> {
    this.#signal.throwIfAborted();
    const writing = this.#write(segments, bytes).catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#count++;
    this.#bytes += bytes.length;
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    this.#running.add(writing);
    void writing.then(() => this.#running.delete(writing));
    if (this.#running.size >= AT_A_TIME) await Promise.race(this.#running);
    this.#check();
  }

  /** Resolves when all files are written. @throws the error of a file */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#check();
  }

  /** Resolves when all writes have ended. Never rejects. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #write(segments: readonly string[], bytes: Uint8Array): Promise<void> {
    const folder = await this.#folder(segments.slice(0, -1));
    const path = join(folder, segments.at(-1)!);
    try {
      // A temporary name that contains that of the file could be too long.
      const temporary = temporaryName(join(folder, 'extract'));
      await writeWhole(path, bytes, { temporary, publish: this.#force ? giveName : publishNew });
    } catch (error) {
      throw error instanceof UsageError ? error : fromNodeError(error, path);
    }
  }

  /** Resolves to the path of a folder within the root, and creates it if it is missing. */
  #folder(segments: readonly string[]): Promise<string> {
    const path = join(this.#root, ...segments);
    let made = this.#folders.get(path);
    if (made === undefined) {
      // Folder by folder, so that no folder is created through a link.
      const parent = segments.length > 0 ? this.#folder(segments.slice(0, -1)) : undefined;
      this.#folders.set(path, (made = this.#make(path, parent)));
    }
    return made;
  }

  /** Creates a folder. @throws UsageError if a link leads out of the root */
  async #make(path: string, parent: Promise<string> | undefined): Promise<string> {
    await parent;
    try {
      await mkdir(path, { recursive: true });
      const [root, real] = [await realpath(this.#root), await realpath(path)];
      if (real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return path;
    } catch (error) {
      throw fromNodeError(error, path, 'mkdir');
    }
    throw new UsageError(`${lineText(path)} is a link that leads out of ${lineText(this.#root)}`);
  }
}

async function publishNew(temporary: string, path: string): Promise<void> {
  await giveNewName(temporary, path).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? exists(path) : error;
  });
}

function exists(path: string): UsageError {
  return new UsageError(`${lineText(path)} exists: --force replaces files, --name gives others`);
}
