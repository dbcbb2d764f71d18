import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, FRAME_BYTES, fromNodeError } from '../../base';
import { RecordWriter } from '../../record';
import type { Chunk, Mark } from '../engine/operator';
import type { RecordForm } from '../engine/records';
import { bytesOf } from '../engine/sizes';
import type { Keeper } from '../stages/keeping';
import type { CacheKey } from './cache-key';
import { chunkRecord } from './chunk-record';
import { formData, type FormData } from './stored-form';
import { readManifest, shardName, writeManifest, type IndexPoint, type Shard } from './manifest';

/** Size of a file from which on the next chunk goes to another file. */
const SHARD_BYTES = 256 * 1024 * 1024;
/** Bytes of elements in a record; a larger element has a record of its own. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Approximate number of index points in a file: places where reading can begin. */
const POINTS = 256;
/** Error codes of renaming if another process made the folder first. */
const THERE: ReadonlySet<unknown> = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES', 'ENOTDIR']);

interface OpenShard {
  readonly writer: RecordWriter;
  readonly name: string;
  readonly index: IndexPoint[];
  records: number;
  bytes: number;
}

/**
 * Writes the elements of a pass to a temporary folder, which gets its name when the pass is complete. A pass that does
 * not complete leaves nothing under that name.
 */
export class DiskKeeper implements Keeper {
  readonly #folder: string;
  readonly #key: CacheKey;
  readonly #seed: string | null;
  readonly #shardBytes: number;
  readonly #id = randomBytes(8).toString('hex');
  readonly #temporary: string;
  readonly #forms: (FormData | null)[] = [];
  readonly #formNumbers = new Map<RecordForm, number | undefined>();
  readonly #shards: Shard[] = [];
  #shard: OpenShard | undefined;
  #elements = 0;
  #made = false;
  #over = false;
  /** Resolves when the writes so far are done: they run one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string, key: CacheKey, seed: string | null, shardBytes = SHARD_BYTES) {
    this.#folder = folder;
    this.#key = key;
    this.#seed = seed;
    this.#shardBytes = shardBytes;
    this.#temporary = `${folder}.${process.pid}-${this.#id}.tmp`;
  }

  add(chunk: Chunk, mark: Mark): Promise<void> {
    return this.#then(() => this.#add(chunk, mark));
  }

  finish(): Promise<void> {
    return this.#then(() => this.#finish());
  }

  /** Waits for this keeper's own writes only. */
  async drop(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#work.catch(() => undefined);
    await this.#shard?.writer.abort();
    if (this.#made) await rm(this.#temporary, { recursive: true, force: true });
  }

  #then(step: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(() => (this.#over ? undefined : step()));
    return this.#work;
  }

  async #add(chunk: Chunk, mark: Mark): Promise<void> {
    const { elements } = chunk;
    const { length } = elements;
    if (length > 1 && bytesOf(elements) > CHUNK_BYTES) {
      const half = length >> 1;
      await this.#add({ ...chunk, elements: elements.slice(0, half) }, mark);
      await this.#add({ ...chunk, elements: elements.slice(half, length) }, [mark[0], mark[1] + half]);
      return;
    }
    const record = chunkRecord({ elements, first: this.#elements, mark }, this.#id, (form) => this.#formNumber(form));
    const shard = (this.#shard ??= await this.#openShard());
    const last = shard.index.at(-1);
    if (last === undefined || shard.bytes - last[2] >= this.#shardBytes / POINTS) {
      shard.index.push([this.#elements, shard.records, shard.bytes]);
    }
    await shard.writer.write(record);
    shard.records++;
    shard.bytes += record.length + FRAME_BYTES;
    this.#elements += length;
    if (shard.bytes >= this.#shardBytes) await this.#closeShard();
  }

  async #openShard(): Promise<OpenShard> {
    await this.#make();
    const name = shardName(this.#shards.length);
    const writer = await RecordWriter.open(join(this.#temporary, name), { compression: 'none' });
    return { writer, name, index: [], records: 0, bytes: 0 };
  }

  async #closeShard(): Promise<void> {
    if (this.#shard === undefined) return;
    const { writer, name, index } = this.#shard;
    const { fileBytes } = await writer.close();
    this.#shard = undefined;
    this.#shards.push({ name, bytes: fileBytes, index });
  }

  async #make(): Promise<void> {
    if (this.#made) return;
    await mkdir(this.#temporary).catch((error: unknown) => {
      throw fromNodeError(error, this.#temporary);
    });
    this.#made = true;
  }

  async #finish(): Promise<void> {
    await this.#closeShard();
    await this.#make();
    await writeManifest(this.#temporary, {
      ...this.#key,
      id: this.#id,
      seed: this.#seed,
      elements: this.#elements,
      forms: this.#forms,
      shards: this.#shards,
    });
    await this.#giveName();
    this.#over = true;
  }

  /** Renames the folder. If another pass was faster, its cache stays and this one is removed. */
  async #giveName(): Promise<void> {
    try {
      await rename(this.#temporary, this.#folder);
    } catch (error) {
      const there = THERE.has(codeOf(error)) ? await readManifest(this.#folder, this.#key) : undefined;
      if (there === undefined) throw fromNodeError(error, this.#folder);
      await rm(this.#temporary, { recursive: true, force: true });
      return;
    }
    await syncFolder(dirname(this.#folder));
  }

  /** Number of `form` in the manifest; undefined if its rows must be stored as values. */
  #formNumber(form: RecordForm): number | undefined {
    if (!this.#formNumbers.has(form)) {
      const data = formData(form);
      this.#formNumbers.set(form, data === undefined ? undefined : this.#forms.push(data) - 1);
    }
    return this.#formNumbers.get(form);
  }
}

/** Flushes the entry of a folder, so that it survives a power failure; not all file systems can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // The entry exists; only its durability is unknown.
  }
}
