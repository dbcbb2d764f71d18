/** Reads the records of pictures: the bytes of a file, unchanged, and features. */
import { join } from 'node:path';

import {
  TFRecordError,
  counted,
  fromNodeError,
  LoopTurns,
  MAX_RECORD_BYTES,
  type Bytes,
  type Origin,
  tfrecordError,
  advice,
  aside,
  setting,
  worded,
} from '../../base';
import {
  bytes,
  int64,
  PICTURE_NAME,
  pictureFormat,
  pictureKind,
  START_BYTES,
  type FeatureLike,
  type PictureKind,
} from '../../example';
import { MemoryPool } from '../../io';
import { encodedBatch, newBatch, partsOf, type RecordBatch } from '../../record';
import type { InputBatch, InputReader, ReadSettings } from '../format';
import { forAll, readInto, type FileRead } from './file-calls';
import { shownPath, type Pictures } from './find-pictures';
import { NO_FILE } from './picture-list';
import { aroundPicture } from './picture-record';

/** The features of pictures, except those of their content. */
export interface FeaturesOfPictures {
  /** Loads what `of` needs for picture `i`. Undefined: it is there. Default: nothing is needed. */
  ahead?(i: number): Promise<void> | undefined;
  /** The features of picture `i`, and the room that they need in a record. @throws TFRecordError */
  of(i: number): { readonly features: Record<string, FeatureLike>; readonly room: number };
  /**
   * Completes `features` of picture `i`, which takes no more than their room, once its kind is known. Returns the faults of what it leaves out of
   * the record. Default: does nothing. @throws TFRecordError if the picture has no record
   */
  complete?(i: number, features: Record<string, FeatureLike>, kind: PictureKind): readonly TFRecordError[];
}

/** The files of pictures. */
export type PictureFiles = Pick<Pictures, 'folder' | 'root' | 'list'>;

/** Approximate size of a group: pictures are read in groups, two groups at a time. */
const GROUP_BYTES = 4 * 1024 * 1024;
const GROUP_PICTURES = 512;
/** Larger files are read at their start first, so that files that are not pictures take no memory. */
const LARGE_BYTES = 16 * 1024 * 1024;

/** A picture in a group. */
interface Member {
  readonly number: number;
  /** Features, except those of the content; or the error that prevents them. */
  readonly features: Record<string, FeatureLike> | TFRecordError;
  /** Position of its record in the slab. The picture's bytes are at `at`. */
  readonly start: number;
  readonly at: number;
  /** Number of bytes that the file may have. */
  readonly size: number;
  read: FileRead | Error | undefined;
  /** Its record, if what the record lacks is reported before it is delivered. */
  frame?: Frame | undefined;
}

/** Position and length of a record in a slab. */
type Frame = readonly [number, number];

/** Consecutive pictures in one slab. */
interface Group {
  readonly slab: Bytes;
  readonly members: readonly Member[];
  /** Number of the first picture after them. */
  readonly end: number;
  readonly done: Promise<void>;
}

/** Reads the records of pictures. While one group is in use, it reads the next. */
export class PictureReader implements InputReader {
  readonly #pictures: PictureFiles;
  readonly #features: FeaturesOfPictures;
  readonly #settings: ReadSettings;
  readonly #maxBytes: number;
  readonly #turns = new LoopTurns();
  readonly #file: string;
  #group: Group | undefined;
  /** Number of members of the group that were delivered or left out. */
  #given = 0;
  #ahead: Group | undefined;
  /** Memory of groups. Nobody uses that of a group that was delivered once the next one is requested. */
  readonly #memory = new MemoryPool();
  /** The faults after the pictures that were delivered last. */
  #faults: { readonly errors: readonly TFRecordError[]; readonly number: number } | undefined;
  #next: number;
  #closed = false;
  bytes = 0;

  constructor(pictures: PictureFiles, first: number, features: FeaturesOfPictures, settings: ReadSettings) {
    this.#pictures = pictures;
    this.#features = features;
    this.#settings = settings;
    this.#maxBytes = settings.maxRecordBytes ?? MAX_RECORD_BYTES;
    this.#file = pictures.folder ?? '';
    this.#next = first;
  }

  async next(): Promise<InputBatch | undefined> {
    const { signal, faults, policy } = this.#settings;
    for (;;) {
      signal?.throwIfAborted();
      if (this.#faults !== undefined) {
        const { errors, number } = this.#faults;
        this.#faults = undefined;
        for (const error of errors) if (!faults.stopped) faults.leaveOut(error, { input: 0, number });
      }
      if (faults.stopped || !(await this.#advance())) return undefined;
      const portion = await this.#compose();
      if (portion === undefined) continue;
      policy.passed(portion.batch.length);
      return portion;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#group?.done, this.#ahead?.done]);
    this.#memory.close();
  }

  /** Sets `#group` to a group with pictures that were not yet delivered. Returns false at the end. */
  async #advance(): Promise<boolean> {
    if (this.#group !== undefined && this.#given < this.#group.members.length) return true;
    if (this.#group !== undefined) this.#memory.end(this.#group.slab);
    this.#group = this.#ahead ?? (await this.#begin());
    this.#ahead = undefined;
    this.#given = 0;
    if (this.#group === undefined) return false;
    this.#ahead = await this.#begin();
    await this.#group.done;
    this.#settings.signal?.throwIfAborted();
    return true;
  }

  /** Starts reading the next group. Returns undefined at the end. */
  async #begin(): Promise<Group | undefined> {
    const members: Member[] = [];
    let end = 0;
    while (this.#next < this.#pictures.list.length && members.length < GROUP_PICTURES) {
      if (members.length % 16 === 0) await this.#turns.breathe();
      const loading = this.#features.ahead?.(this.#next);
      if (loading !== undefined) await loading;
      const member = this.#plan(this.#next, end);
      const { at, size, features } = member;
      const stop = at + size + (at - member.start);
      if (members.length > 0 && stop > GROUP_BYTES) break;
      members.push(member);
      this.#next++;
      if (features instanceof TFRecordError) continue;
      end = stop;
      // A large picture is alone in its group, and so is one whose start must be checked first.
      if (size > LARGE_BYTES) break;
    }
    if (members.length === 0) return undefined;
    const slab = await this.#slabOf(members, end);
    const done = forAll(members.length, (i, ready) => {
      this.#read(members[i]!, slab, ready);
    });
    return { slab, members, end: this.#next, done };
  }

  /** Finds room for picture `number` at `start`. */
  #plan(number: number, start: number): Member {
    const { list } = this.#pictures;
    const size = Math.max(list.size(number), 0);
    const member = { number, start, at: start, size: 0, read: undefined };
    try {
      const refused = this.#refusal(number, size);
      if (refused !== undefined) return { ...member, features: refused };
      const { features, room } = this.#features.of(number);
      return { ...member, features, at: start + room, size };
    } catch (error) {
      if (error instanceof TFRecordError) return { ...member, features: error };
      throw error;
    }
  }

  /** The error about picture `number`, if its kind or size suffices to refuse it unread. */
  #refusal(number: number, size: number): TFRecordError | undefined {
    if (this.#pictures.list.size(number) === NO_FILE) return this.#notAPicture(number, 'a pipe or a device');
    return size > this.#maxBytes ? this.#tooLarge(number, size) : undefined;
  }

  /** Returns memory for `members`. A large file that is not a picture gets none. */
  async #slabOf(members: Member[], size: number): Promise<Bytes> {
    const [first] = members;
    if (
      members.length === 1 &&
      first !== undefined &&
      first.size > LARGE_BYTES &&
      !(first.features instanceof TFRecordError)
    ) {
      const start = new Uint8Array(START_BYTES);
      const read = await new Promise<FileRead | Error>((done) => {
        readInto(this.#path(first.number), start, () => this.#closed, done);
      });
      const kind = 'length' in read && pictureFormat(start) === undefined ? pictureKind(start) : undefined;
      if (typeof kind === 'string') {
        members[0] = { ...first, size: 0, features: this.#notAPicture(first.number, kind) };
        return new Uint8Array(1);
      }
    }
    return this.#memory.lease(Math.max(size, GROUP_BYTES), this.#file);
  }

  #read(member: Member, slab: Bytes, ready: () => void): void {
    if (this.#closed || member.features instanceof TFRecordError) {
      ready();
      return;
    }
    const { at, size, number } = member;
    // One byte more, which shows if the file has grown. It lies in the room after the picture.
    readInto(
      this.#path(number),
      slab.subarray(at, at + size + 1),
      () => this.#closed || this.#isAborted(),
      (read) => {
        member.read = read;
        ready();
      },
    );
  }

  #isAborted(): boolean {
    return this.#settings.signal?.aborted === true;
  }

  /** The records of the group up to the first fault; undefined if there are none. */
  async #compose(): Promise<InputBatch | undefined> {
    const { slab, members } = this.#group!;
    const frames: number[] = [];
    const numbers = members[this.#given]!.number;
    while (this.#given < members.length) {
      if (this.#given % 16 === 0) await this.#turns.breathe();
      const member = members[this.#given]!;
      const { number } = member;
      const errors: TFRecordError[] = [];
      const frame = member.frame ?? this.#composeOne(member, slab, errors);
      if (!(frame instanceof TFRecordError) && errors.length > 0) {
        member.frame = frame;
        this.#faults = { errors, number };
        break;
      }
      this.#given++;
      this.bytes += Math.max(this.#pictures.list.size(number), 0);
      if (frame instanceof TFRecordError) {
        this.#faults = { errors: [...errors, frame], number };
        break;
      }
      frames.push(...frame);
    }
    if (frames.length === 0) return undefined;
    return { batch: this.#batch(slab, Uint32Array.from(frames), numbers), input: 0, numbers };
  }

  /** Completes the record of `member` in `slab`. Adds the faults of what it lacks to `errors`. */
  #composeOne(
    { number, features, at, size, read }: Member,
    slab: Bytes,
    errors: TFRecordError[],
  ): Frame | TFRecordError {
    if (features instanceof TFRecordError) return features;
    const file = this.#shown(number);
    if (read === undefined || !('length' in read)) {
      const error = fromNodeError(read, file, 'open');
      if (error instanceof TFRecordError) return error;
      throw error;
    }
    const { list } = this.#pictures;
    const { stats, length } = read;
    if (!stats.isFile()) return this.#notAPicture(number, 'not a regular file');
    if (length !== size || stats.size !== size || stats.mtimeMs !== list.modified(number)) return this.#changed(number);
    const kind = pictureKind(slab.subarray(at, at + size));
    if (typeof kind === 'string') return this.#notAPicture(number, kind);
    features['image/format'] = bytes([kind.format]);
    features['image/width'] = int64([kind.width]);
    features['image/height'] = int64([kind.height]);
    try {
      for (const error of this.#features.complete?.(number, features, kind) ?? []) errors.push(error);
    } catch (error) {
      if (error instanceof TFRecordError) return error;
      throw error;
    }
    const { before, after } = aroundPicture(features, size);
    const total = before.length + size + after.length;
    if (total > this.#maxBytes) return this.#tooLarge(number, total);
    slab.set(before, at - before.length);
    slab.set(after, at + size);
    return [at - before.length, total];
  }

  #batch(slab: Bytes, frames: Uint32Array<ArrayBuffer>, first: number): RecordBatch {
    const origins = (frame: number): Origin => ({
      file: this.#shown(first + frame),
      record: 0,
      offset: 0,
      bytes: frames[2 * frame + 1]!,
    });
    const { source } = partsOf(encodedBatch(slab, frames));
    return newBatch({ ...source, file: this.#file, origins }, 0, frames.length / 2);
  }

  #path(number: number): Buffer {
    return Buffer.concat(rootedPath(this.#pictures, number));
  }

  #shown(number: number): string {
    return shownPath(this.#pictures.folder, this.#pictures.list.path(number));
  }

  #notAPicture(number: number, found: string): TFRecordError {
    const file = this.#shown(number);
    const expected = 'JPEG, PNG, GIF, WebP or BMP';
    const { folder = '' } = this.#pictures;
    const cure = this.#has('dataset_info.json')
      ? advice` ${setting('from', 'tfds')} reads it as a data set of TensorFlow Datasets.`
      : number > 0 || this.#looksRight()
        ? advice` ${setting('onError', 'skip')} leaves it out.`
        : advice` A folder is read as one of pictures: to read other files in it, name them, as '${join(folder, '*')}'.`;
    const message = worded`${file} is not a picture: expected ${expected}, found ${found}.${cure}`;
    return tfrecordError('TFR_NOT_IMAGE', message, { file, expected, found });
  }

  /** True for files, and for a folder in which one of the first files has the name of a picture. */
  #looksRight(): boolean {
    const { folder } = this.#pictures;
    return folder === undefined || this.#firstNames().some((name) => PICTURE_NAME.test(name));
  }

  #has(name: string): boolean {
    return this.#pictures.folder !== undefined && this.#firstNames().includes(name);
  }

  #firstNames(): string[] {
    const { list } = this.#pictures;
    return Array.from({ length: Math.min(list.length, 100) }, (_, i) => list.path(i).toString());
  }

  #changed(number: number): TFRecordError {
    const file = this.#shown(number);
    const cure = advice` Begin anew${aside`; ${setting('onError', 'skip')} leaves it out`}.`;
    const message = worded`${file} changed after the conversion had begun.${cure}`;
    return tfrecordError('TFR_NOT_IMAGE', message, { file, expected: 'the file as it was', found: 'a changed file' });
  }

  #tooLarge(number: number, bytes: number): TFRecordError {
    const file = this.#shown(number);
    const expected = `at most ${this.#maxBytes} bytes`;
    const found = counted(bytes, 'byte');
    const message = `The record of ${file} is too large: expected ${expected}, found ${found}.`;
    return new TFRecordError('TFR_RECORD_TOO_LARGE', message, { file, expected, found });
  }
}

/** The parts of the path of picture `number`. The path of an absolute one has no root. */
function rootedPath({ root, list }: PictureFiles, number: number): Buffer[] {
  const path = list.path(number);
  return path[0] === 0x2f ? [path] : [root, path];
}
