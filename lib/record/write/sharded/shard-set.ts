import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { types } from 'node:util';

import {
  callersHere,
  fromNodeError,
  inParallel,
  onAbort,
  withCallers,
  writerTurns,
  type Bytes,
  type Origin,
} from '../../../base';
import { scanAndSave } from '../../index/written-index';
import { forgetTemporary, givenLength, makeFolder, temporaryName } from '../../../io';
import { listBatch, listedRecord } from '../../batch/gather-records';
import type { RecordBatch } from '../../batch/record-batch';
import { appendList, appendRecord, checkLengths, recordLength, type RecordLimits } from '../append-records';
import { FrameSlab } from '../frame-slab';
import { closedError, quiet, rejection } from '../rejections';
import { SlabQueue } from '../slab-queue';
import { HELD_BYTES, SlabRoom } from '../slab-room';
import { watchUnclosedWriter } from '../unclosed-writers';
import type { WritePlan } from '../write-options';
import { FileGroups, type FileList } from './file-groups';
import { OpenFiles } from './open-files';
import { publish, removeMade, type Publication } from './publish';
import { ShardOutput } from './shard-output';

/** Number of shards that are completed at a time. */
const CLOSING = 16;

/** From this number of records on, native code copies those of a list; fewer are copied one by one. */
const WORTH_LISTING = 8;
/** Total size of the slabs that are sent off at a time: each costs objects, which should be gone before V8 keeps them. */
const RELIEF_BYTES = 128 * 1024;
/** All slabs are compared once the largest are sent: one of so many. */
const COMPARED = 8;

/** Chooses the shard of each record, in the order in which they are written. */
interface ShardChoice {
  /** Returns the number of the shard of `record`. */
  fileOf(record: Bytes, origin: () => Origin): number;
  /** The same for a record of `length` bytes, if its content does not matter. */
  readonly fileOfLength?: ((length: number) => number) | undefined;
}

/** A complete file of a set. */
interface WrittenShard {
  /** Number by which records were written to it. */
  readonly index: number;
  readonly records: number;
  /** Payload of the records, uncompressed, without framing. */
  readonly bytes: number;
  /** Size of the file. */
  readonly fileBytes: number;
  /** CRC-32C of the file, as eight hexadecimal digits. */
  readonly crc32c: string;
}

interface Shard {
  readonly index: number;
  readonly temporary: string;
  readonly queue: SlabQueue;
  readonly output: ShardOutput;
  /** Set once no more records come. */
  closing: Promise<void> | undefined;
  fileBytes: number;
}

/** Returns the names of all shards, in the order of `shards`, and what they replace. */
export type Naming = (
  shards: readonly WrittenShard[],
) => Promise<Pick<Publication, 'replaced' | 'manifest'> & { readonly paths: readonly string[] }>;

/**
 * Files that are written side by side, under temporary names in a folder beside them, and get their names together. All
 * share their memory and their back-pressure, so there may be many: slabs that are not full are written when all of them
 * take 12 MiB, the largest first. The first failure is final.
 */
export class ShardSet implements RecordLimits {
  /** The name in messages. */
  readonly file: string;
  readonly maxRecordBytes: number;
  /** Records in slabs count among `records`. */
  readonly slab = FrameSlab.none;
  readonly #plan: WritePlan;
  readonly #staging: string;
  /** The outermost folder that was made for the files. */
  readonly #made: string | undefined;
  readonly #nameOf: (index: number) => string;
  readonly #room: SlabRoom;
  readonly #files = new OpenFiles();
  readonly #shards = new Map<number, Shard>();
  /** Those of the last batch, for the next one; undefined while a batch is divided: a choice may write another. */
  #groups: FileGroups | undefined;
  /** Some whose slabs were the largest when all were compared, the largest last, and what the least of them held. */
  #largest: SlabQueue[] = [];
  #leastUsed = 0;
  #failure: { readonly error: unknown } | undefined;
  #closed: Promise<readonly WrittenShard[]> | undefined;
  /** True from the moment at which files get their names, if that succeeds. */
  #publishing = false;
  #finished = false;
  #aborted = false;
  #givenUp: Promise<void> | undefined;
  #end = (): void => undefined;

  private constructor(
    file: string,
    path: string,
    plan: WritePlan,
    made: string | undefined,
    nameOf: (index: number) => string,
  ) {
    this.file = file;
    this.maxRecordBytes = plan.maxRecordBytes;
    this.#plan = plan;
    this.#made = made;
    this.#nameOf = nameOf;
    this.#staging = temporaryName(path, true);
    this.#room = new SlabRoom(plan, true);
    this.#room.onFailure = (error) => void this.#giveUp(error);
  }

  /**
   * Makes the folder of `path`, in which the files will be. `file`: the name in messages. `nameOf`: the name of a shard in
   * messages.
   */
  static async open(file: string, path: string, plan: WritePlan, nameOf: (index: number) => string): Promise<ShardSet> {
    plan.signal?.throwIfAborted();
    const set = new ShardSet(file, path, plan, await makeFolder(dirname(path)), nameOf);
    try {
      await mkdir(set.#staging);
      plan.signal?.throwIfAborted();
    } catch (error) {
      await set.#cleanUp();
      throw fromNodeError(error, file, 'mkdir');
    }
    return set;
  }

  /** Gives the files up when `owner` is collected, with a warning, or when the signal aborts. */
  watch(owner: object): void {
    // Outside the set, so that its listeners do not keep the owner alive.
    const { signal } = this.#plan;
    let stopListening = (): void => undefined;
    const settle = watchUnclosedWriter(owner, {
      writer: 'ShardedWriter',
      file: this.file,
      fate: 'None of its files appears.',
      giveUp: () => void this.#giveUp(closedError(this, 'dropped')),
    });
    if (signal !== undefined) stopListening = onAbort(signal, () => void this.#giveUp(signal.reason));
    this.#end = () => {
      stopListening();
      settle();
    };
    if (signal?.aborted === true) void this.#giveUp(signal.reason);
  }

  /** Number of records that were written. */
  get records(): number {
    let records = 0;
    for (const { queue } of this.#shards.values()) records += queue.records + queue.slab.records;
    return records;
  }

  get state(): 'open' | 'closing' | 'closed' | 'aborted' | 'failed' {
    if (this.#finished) return 'closed';
    if (this.#aborted) return 'aborted';
    if (this.#failure !== undefined) return 'failed';
    return this.#closed === undefined ? 'open' : 'closing';
  }

  /** Returns a rejection after a failure or `close`; undefined if records may be written. */
  refuse(): Promise<never> | undefined {
    if (this.#failure !== undefined) return quiet(rejection(withCallers(this.#failure.error)));
    return this.#closed === undefined ? undefined : rejection(closedError(this, 'closed'));
  }

  /** @throws TypeError for a value that is no record; TFRecordError for one that is too long */
  check(record: Uint8Array | string): void {
    recordLength(this, record);
  }

  /** Writes a record, which was checked, to shard `index`. Returns a promise if the caller should wait. */
  write(index: number, record: Uint8Array | string): Promise<void> | undefined {
    const { queue } = this.#shard(index);
    const written = types.isUint8Array(record)
      ? queue.slab.append(record, givenLength('record', record))
      : queue.slab.appendText(record);
    if (!written)
      return this.#append(() => {
        appendRecord(queue, record, recordLength(queue, record));
      });
    return --writerTurns.left > 0 && this.#room.pressure === undefined ? undefined : this.#look();
  }

  /**
   * Writes all records of `batch` to the shards that `choice` returns. Nothing is written if a record is too long, or if
   * `choice` throws. Returns a promise if the caller should wait.
   */
  writeBatch(batch: RecordBatch, choice: ShardChoice): Promise<void> | undefined {
    const list = listBatch(batch);
    checkLengths(this, list);
    const refused = this.refuse();
    if (refused !== undefined) return refused;
    const byLength = choice.fileOfLength !== undefined;
    const groups = this.#groups ?? new FileGroups();
    this.#groups = undefined;
    groups.begin(batch.length);
    for (let i = 0; i < batch.length; i++) {
      groups.add(
        byLength ? choice.fileOfLength(list.records[3 * i + 2]!) : choice.fileOf(batch.at(i)!, () => batch.origin(i)!),
      );
    }
    const closed = this.refuse();
    if (closed !== undefined) return closed;
    // Throws if a function of the user's has transferred the memory of the records away.
    batch.at(-1);
    const full = this.#append(() => {
      for (const part of groups.divided(list)) this.#appendList(part);
    });
    this.#groups = groups;
    return full;
  }

  #appendList({ index, list, first, count }: FileList): void {
    const { queue } = this.#shard(index);
    const { slabs, records } = list;
    const end = first + count;
    writerTurns.left -= count;
    if (count >= WORTH_LISTING) appendList(queue, { slabs, records: records.subarray(3 * first, 3 * end) });
    else for (let i = first; i < end; i++) appendRecord(queue, listedRecord(list, i), records[3 * i + 2]!);
    this.#relieve();
  }

  /** Says that shard `index` gets no more records, so that its memory is free early. */
  finish(index: number): void {
    const shard = this.#shard(index);
    void quiet((shard.closing ??= this.#complete(shard)));
  }

  /** Makes shard `index`, which may stay empty. */
  make(index: number): void {
    this.#shard(index);
  }

  /** Writes all records so far to the temporary files; `sync`: also to the disk. */
  flush(sync: boolean): Promise<void> {
    return quiet(this.#flush(sync));
  }

  async #flush(sync: boolean): Promise<void> {
    const refused = this.refuse();
    if (refused !== undefined) return refused;
    try {
      await inParallel(this.#all, CLOSING, (shard) => shard.closing ?? shard.queue.flush(sync));
    } catch (error) {
      await this.#giveUp(error);
      throw error;
    }
    await writerTurns.look();
  }

  /** Completes all files and gives them their names. */
  close(naming: Naming): Promise<readonly WrittenShard[]> {
    return (this.#closed ??= this.#close(naming));
  }

  /** Gives all files up, unless they have their names. Never rejects. */
  async abort(): Promise<void> {
    if (this.#finished) return;
    if (this.#publishing) await this.#closed?.catch(() => undefined);
    else {
      this.#aborted ||= this.#failure === undefined;
      await this.#giveUp(closedError(this, 'aborted'));
    }
  }

  async settled(): Promise<void> {
    if (this.#closed === undefined) await this.abort();
    else await Promise.allSettled([this.#closed, this.#givenUp]);
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  get #all(): Shard[] {
    return [...this.#shards.values()];
  }

  #shard(index: number): Shard {
    const known = this.#shards.get(index);
    if (known !== undefined) return known;
    const file = this.#nameOf(index);
    const temporary = join(this.#staging, String(index));
    const output = new ShardOutput(file, temporary, this.#files);
    const target = { file, path: undefined, open: () => output, fate: '', ownsWriter: true } as const;
    const queue = new SlabQueue(target, this.#plan, undefined, this.#room);
    const shard: Shard = { index, temporary, queue, output, closing: undefined, fileBytes: 0 };
    this.#shards.set(index, shard);
    return shard;
  }

  /** `append` throws if memory runs out. */
  #append(append: () => void): Promise<void> | undefined {
    try {
      append();
      this.#relieve();
    } catch (error) {
      // A record is lost, so the files would not have all that the caller wrote.
      void this.#giveUp(error);
      return quiet(rejection(error));
    }
    return this.#look();
  }

  /** Sends slabs off, the largest first, when they take more than they may. */
  #relieve(): void {
    if (this.#room.heldBytes <= HELD_BYTES) return;
    while (this.#room.heldBytes > HELD_BYTES - RELIEF_BYTES) {
      if (this.#largest.length === 0) this.#compare();
      const queue = this.#largest.pop();
      if (queue === undefined) return;
      // Others were sent meanwhile: slabs grow until then.
      if (queue.slab.used >= this.#leastUsed) queue.push();
    }
  }

  /** Lists those whose slabs are the largest. */
  #compare(): void {
    const held = this.#all.filter(({ queue }) => queue.slab.records > 0).map(({ queue }) => queue);
    held.sort((a, b) => a.slab.used - b.slab.used);
    this.#largest = held.slice(-Math.ceil(held.length / COMPARED));
    this.#leastUsed = this.#largest[0]?.slab.used ?? 0;
  }

  /** Returns a promise if the caller should wait: for room, or for a turn of the event loop, which timers need. */
  #look(): Promise<void> | undefined {
    const turn = writerTurns.look();
    return turn === undefined && this.#room.pressure === undefined ? undefined : quiet(this.#behind(turn));
  }

  async #behind(turn: Promise<void> | undefined): Promise<void> {
    const here = callersHere();
    await turn;
    await this.#room.pressure?.catch(() => undefined);
    if (this.#failure !== undefined) throw withCallers(this.#failure.error, here);
  }

  async #complete(shard: Shard): Promise<void> {
    shard.fileBytes = await shard.queue.close();
  }

  async #close(naming: Naming): Promise<readonly WrittenShard[]> {
    try {
      this.#check();
      const shards = this.#all.sort((a, b) => a.index - b.index);
      await inParallel(shards, CLOSING, (shard) => (shard.closing ??= this.#complete(shard)));
      const written = shards.map(reportOf);
      const { paths, ...others } = await naming(written);
      this.#check();
      this.#publishing = true;
      const files = shards.map(({ temporary }, i) => ({ temporary, path: paths[i]! }));
      await publish({ files, ...others });
      this.#finished = true;
      this.#end();
      this.#room.close();
      await rm(this.#staging, { recursive: true, force: true }).catch(() => undefined);
      forgetTemporary(this.#staging);
      if (this.#plan.index) await inParallel(files, CLOSING, ({ path }) => scanAndSave(path));
      return written;
    } catch (error) {
      this.#publishing = false;
      await this.#giveUp(error);
      throw withCallers(this.#failure?.error ?? error);
    }
  }

  /** The first reason counts. Never rejects. */
  #giveUp(reason: unknown): Promise<void> {
    if (this.#finished || this.#publishing) return Promise.resolve();
    this.#failure ??= { error: reason };
    return (this.#givenUp ??= this.#release(this.#failure.error));
  }

  async #release(error: unknown): Promise<void> {
    this.#end();
    this.#room.close();
    this.#room.fail(error);
    const shards = this.#all;
    for (const { queue } of shards) queue.fail(error);
    await Promise.all(shards.map(({ queue, output }) => queue.settled().then(() => output.abort())));
    await this.#cleanUp();
  }

  async #cleanUp(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true }).catch(() => undefined);
    forgetTemporary(this.#staging);
    if (this.#made !== undefined) await removeMade(dirname(this.#staging), [this.#made]);
  }
}

function reportOf({ index, queue, output, fileBytes }: Shard): WrittenShard {
  const { records, bytes } = queue;
  return { index, records, bytes, fileBytes, crc32c: output.sum.toString(16).padStart(8, '0') };
}
