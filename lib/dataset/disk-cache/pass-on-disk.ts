import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { counted } from '../../base';
import { classifySource } from '../../io';
import {
  ErrorPolicy,
  frameRecord,
  partsOf,
  recordSequence,
  resolveReadOptions,
  type RecordBatch,
  type RecordSequence,
} from '../../record';
import { sliceChunk, type Chunk, type Operator } from '../engine/operator';
import type { RecordForm } from '../engine/records';
import type { Run } from '../engine/run';
import type { CachePosition, StoredPass } from '../stages/keeping';
import { chunkOfRecord, type StoredChunk } from './chunk-record';
import { keptForm } from './stored-form';
import { damaged, type IndexPoint, type Manifest } from './manifest';

/** A complete cache in a folder. */
export class PassOnDisk implements StoredPass {
  readonly #folder: string;
  readonly #manifest: Manifest;

  constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  get seed(): string | null {
    return this.#manifest.seed;
  }

  get size(): number {
    return this.#manifest.elements;
  }

  open(index: number, run: Run): Operator {
    return new StoredOperator(this.#folder, this.#manifest, run, index);
  }
}

/** Reads the elements of a cache from number `index` on. Throws its own errors, whatever `onError` is. */
class StoredOperator implements Operator {
  readonly #folder: string;
  readonly #manifest: Manifest;
  readonly #run: Run;
  readonly #flow: RecordSequence;
  readonly #forms = new Map<number, RecordForm>();
  #batch: RecordBatch | undefined;
  /** Number of the next record in the batch. */
  #record = 0;
  #chunk: Chunk | undefined;
  /** Number of the next element to yield, and of the element after the last one that was read. */
  #index: number;
  #read: number;
  #closed = false;

  constructor(folder: string, manifest: Manifest, run: Run, index: number) {
    this.#folder = folder;
    this.#manifest = manifest;
    this.#run = run;
    this.#index = index;
    const { shard, point } = pointBefore(manifest, index);
    const [element, record, offset] = point;
    this.#read = element;
    // An empty list of files is not a valid source: without files, `#flow` is not read.
    const files = manifest.shards.map(({ name }) => join(folder, name));
    const plan = {
      ...resolveReadOptions({ compression: 'none', readAhead: 1 }),
      policy: new ErrorPolicy(),
      ahead: run.scope.budget,
      again: run.again,
    };
    const start = { input: shard, place: offset > 0 ? { record, offset } : undefined };
    this.#flow = recordSequence(classifySource(files.map((file) => pathToFileURL(file))), plan, start);
  }

  async next(max: number): Promise<Chunk | undefined> {
    while (this.#chunk === undefined) {
      await this.#run.scope.breathe();
      const kept = await this.#nextChunk();
      if (kept === undefined) return undefined;
      const { elements, first, mark } = kept;
      const place: CachePosition = [mark, first, this.#manifest.seed];
      this.#read = first + elements.length;
      if (this.#read > this.#index) {
        this.#chunk = sliceChunk({ elements, mark: [place, 0] }, this.#index - first);
      }
    }
    const { length } = this.#chunk.elements;
    const given = Math.min(max, length);
    const chunk = sliceChunk(this.#chunk, 0, given);
    this.#chunk = given < length ? sliceChunk(this.#chunk, given) : undefined;
    this.#index += given;
    return chunk;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#flow.close();
  }

  async #nextChunk(): Promise<StoredChunk | undefined> {
    while (this.#batch === undefined || this.#record >= this.#batch.length) {
      this.#batch = this.#manifest.shards.length === 0 ? undefined : await this.#flow.next();
      this.#record = 0;
      if (this.#batch !== undefined) continue;
      if (!this.#closed) this.#checkEnd();
      return undefined;
    }
    return this.#chunkAt(this.#batch, this.#record++);
  }

  #chunkAt(batch: RecordBatch, record: number): StoredChunk {
    const { source, begin } = partsOf(batch);
    const expected = `element ${this.#read}`;
    let chunk;
    try {
      chunk = chunkOfRecord(frameRecord(source, begin + record), this.#manifest.id, (form) => this.#formAt(form));
    } catch (error) {
      const { node } = this.#manifest;
      throw damaged('TFR_DECODE', source.file, `what Node ${node} wrote`, `what ${process.version} cannot read`, error);
    }
    if (chunk === undefined) throw damaged('TFR_DECODE', source.file, expected, 'a part of another cache');
    if (chunk.first !== this.#read) throw damaged('TFR_DECODE', source.file, expected, `element ${chunk.first}`);
    return chunk;
  }

  #checkEnd(): void {
    const { elements, shards } = this.#manifest;
    if (this.#read === elements) return;
    const last = join(this.#folder, shards.at(-1)?.name ?? '');
    throw damaged(
      this.#read < elements ? 'TFR_TRUNCATED' : 'TFR_DECODE',
      last,
      counted(elements, 'element'),
      `${this.#read}`,
    );
  }

  #formAt(number: number): RecordForm {
    let form = this.#forms.get(number);
    if (form === undefined) {
      this.#forms.set(number, (form = keptForm(this.#manifest.forms[number] ?? null, this.#run.scope)));
    }
    return form;
  }
}

/** Returns the last index point at or before element `index`. */
function pointBefore({ shards }: Manifest, index: number): { readonly shard: number; readonly point: IndexPoint } {
  let found: { readonly shard: number; readonly point: IndexPoint } = { shard: 0, point: [0, 0, 0] };
  shards.forEach(({ index: points }, shard) => {
    for (const point of points) if (point[0] <= index) found = { shard, point };
  });
  return found;
}
