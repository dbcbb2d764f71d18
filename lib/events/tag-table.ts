/** The tags of a run, by number: most values of a log repeat the tags of the last step. */
import { isUtf8 } from 'node:buffer';

import type { SummaryMetadataMessage } from '../example';
import { tensorKind } from './event-content';
import type { EventKind } from './event-values';

/** A tag of a run. */
export class Tag {
  readonly id: number;
  readonly name: string;
  /** Its UTF-8 bytes. */
  readonly bytes: Uint8Array;
  /** True if the caller wants its values. */
  readonly wanted: boolean;
  #metadata: SummaryMetadataMessage | undefined;
  #kind: EventKind = 'tensor';

  constructor(id: number, name: string, wanted: boolean) {
    this.id = id;
    this.name = name;
    this.bytes = Buffer.from(name);
    this.wanted = wanted;
  }

  /** The metadata of the first value that has any. */
  get metadata(): SummaryMetadataMessage | undefined {
    return this.#metadata;
  }

  /** The kind of its tensors. */
  get kind(): EventKind {
    return this.#kind;
  }

  /** Takes the metadata of a value. Only the first counts. */
  describe(metadata: SummaryMetadataMessage): void {
    if (this.#metadata !== undefined) return;
    this.#metadata = metadata;
    this.#kind = tensorKind(metadata);
  }

  /** Forgets the metadata: the run is read again. */
  forget(): void {
    this.#metadata = undefined;
    this.#kind = 'tensor';
  }
}

/** Finds tags by their bytes. */
export class TagTable {
  readonly tags: Tag[] = [];
  readonly #byName = new Map<string, Tag>();
  readonly #wants: (name: string) => boolean;
  /** The tag that followed tag i the last time, at index i + 1. */
  readonly #followers: (Tag | undefined)[] = [undefined];
  #last = 0;

  constructor(wants: (name: string) => boolean) {
    this.#wants = wants;
  }

  /** Returns the tag whose name is bytes `start` to `end` of `bytes`; undefined if they are not UTF-8. */
  find(bytes: Uint8Array, start: number, end: number): Tag | undefined {
    const expected = this.#followers[this.#last];
    if (expected !== undefined && isSame(expected.bytes, bytes, start, end)) {
      this.#last = expected.id + 1;
      return expected;
    }
    const name = bytes.subarray(start, end);
    // The decoder would drop a byte order mark, and replace what is not UTF-8.
    if (!isUtf8(name)) return undefined;
    const found = this.named(Buffer.from(name.buffer, name.byteOffset, name.length).toString('utf8'));
    this.#followers[this.#last] = found;
    this.#last = found.id + 1;
    return found;
  }

  /** Returns the tag `name`. */
  named(name: string): Tag {
    const found = this.#byName.get(name);
    if (found !== undefined) return found;
    const id = this.tags.length;
    const tag = new Tag(id, name, this.#wants(name));
    this.tags.push(tag);
    this.#followers.push(undefined);
    this.#byName.set(name, tag);
    return tag;
  }
}

function isSame(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = name;
  if (length !== end - start) return false;
  // Names of one program differ most at their ends.
  for (let i = length - 1; i >= 0; i--) if (name[i] !== bytes[start + i]) return false;
  return true;
}
