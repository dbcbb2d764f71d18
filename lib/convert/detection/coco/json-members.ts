/**
 * Reads a large JSON object piece by piece: the elements of its arrays, and its other members. Only one of them is in
 * memory at a time.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';

import { fromNodeError, LoopTurns, tfrecordError, worded, type TFRecordErrorCode } from '../../../base';

/** Receives a member: `element` is its number in the array of the member, undefined if that is no array. */
export type TakeMember = (key: string, value: unknown, element: number | undefined) => void;

const CHUNK_BYTES = 1024 * 1024;
/** Maximum size of an element, or of a member that is not an array. */
export const MAX_VALUE_BYTES = 64 * 1024 * 1024;
/** Maximum number of levels of an element. */
export const MAX_DEPTH = 100;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Passes the members of the object in `file` to `take`, in order. `at`: its path. @throws TFRecordError TFR_DECODE,
 * TFR_TRUNCATED, TFR_RECORD_TOO_LARGE; the errors of the file system; what `take` throws
 */
export async function readMembers(
  file: string,
  at: string,
  take: TakeMember,
  signal: AbortSignal | undefined,
  passed: (chunk: Uint8Array) => void,
): Promise<void> {
  const members = new JsonMembers(file, take);
  const turns = new LoopTurns();
  try {
    await using handle = await open(at);
    const memory = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(memory, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      passed(memory.subarray(0, bytesRead));
      // Parsing a chunk may take long, so it is divided.
      for (let begin = 0; begin < bytesRead; begin += PIECE_BYTES) {
        members.feed(memory.subarray(begin, Math.min(begin + PIECE_BYTES, bytesRead)));
        await turns.breathe();
      }
    }
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
  members.end();
}

const PIECE_BYTES = 64 * 1024;

/** The parts of the object, in turn. */
const enum State {
  Begin,
  FirstKey,
  Key,
  Colon,
  Member,
  FirstElement,
  Element,
  AfterElement,
  AfterMember,
  End,
}

const EXPECTED: Readonly<Record<State, string>> = {
  [State.Begin]: 'an object',
  [State.FirstKey]: 'a name or }',
  [State.Key]: 'a name',
  [State.Colon]: ':',
  [State.Member]: 'a value',
  [State.FirstElement]: 'a value or ]',
  [State.Element]: 'a value',
  [State.AfterElement]: ', or ]',
  [State.AfterMember]: ', or }',
  [State.End]: 'the end of the file',
};

class JsonMembers {
  readonly #file: string;
  readonly #take: TakeMember;
  #state = State.Begin;
  /** Position of the current chunk. */
  #base = 0;
  #key = '';
  #element = 0;
  readonly #keys = new Set<string>();
  /** The value that is being read, in pieces. */
  #pieces: Buffer[] = [];
  #size = 0;
  /** True while a value is being read. */
  #inValue = false;
  #inString = false;
  #escaped = false;
  #depth = 0;
  /** True for a value that is neither a string, a list nor an object. */
  #isBare = false;

  constructor(file: string, take: TakeMember) {
    this.#file = file;
    this.#take = take;
  }

  feed(chunk: Buffer): void {
    let at = this.#base === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (this.#inValue) at = this.#goOn(chunk, at);
      else if (isSpace(chunk[at]!)) at++;
      else at = this.#step(chunk, at);
    }
    this.#base += chunk.length;
  }

  end(): void {
    if (this.#state !== State.End) throw this.#wrong(0, 'the end of the file', 'TFR_TRUNCATED');
  }

  /** Takes the byte at `at`, outside of values. Returns the position after it. */
  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    switch (this.#state) {
      case State.Begin:
        if (byte !== OPEN_OBJECT) break;
        this.#state = State.FirstKey;
        return at + 1;
      case State.FirstKey:
      case State.Key:
        if (byte === QUOTE) return this.#begin(at, byte);
        if (this.#state === State.Key || byte !== CLOSE_OBJECT) break;
        this.#state = State.End;
        return at + 1;
      case State.Colon:
        if (byte !== COLON) break;
        this.#state = State.Member;
        return at + 1;
      case State.Member:
        if (byte !== OPEN_LIST) return this.#begin(at, byte);
        this.#state = State.FirstElement;
        this.#element = 0;
        return at + 1;
      case State.FirstElement:
      case State.Element:
        if (byte !== CLOSE_LIST) return this.#begin(at, byte);
        if (this.#state === State.Element) break;
        this.#state = State.AfterMember;
        return at + 1;
      case State.AfterElement:
        if (byte !== COMMA && byte !== CLOSE_LIST) break;
        this.#state = byte === COMMA ? State.Element : State.AfterMember;
        return at + 1;
      case State.AfterMember:
        if (byte !== COMMA && byte !== CLOSE_OBJECT) break;
        this.#state = byte === COMMA ? State.Key : State.End;
        return at + 1;
      case State.End:
    }
    throw this.#wrong(at, shown(byte));
  }

  /** Begins a value. Returns `at`, which is its first byte. */
  #begin(at: number, first: number): number {
    if (first === COMMA || first === COLON || first === CLOSE_OBJECT || first === CLOSE_LIST)
      throw this.#wrong(at, shown(first));
    this.#inValue = true;
    this.#isBare = first !== QUOTE && first !== OPEN_LIST && first !== OPEN_OBJECT;
    return at;
  }

  /** Takes the bytes of a value from `at` on. Returns the position after them. */
  #goOn(chunk: Buffer, start: number): number {
    let [at, inString, escaped, depth] = [start, this.#inString, this.#escaped, this.#depth];
    let ended = false;
    for (; at < chunk.length && !ended; at++) {
      const byte = chunk[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          ended = depth === 0;
        }
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) throw this.#wrong(at, `more than ${MAX_DEPTH} levels`);
      } else if (this.#isBare && depth === 0 && endsBare(byte)) break;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) ended = --depth === 0;
    }
    const isBareEnd = this.#isBare && at < chunk.length;
    [this.#inString, this.#escaped, this.#depth] = [inString, escaped, depth];
    const piece = chunk.subarray(start, at);
    this.#size += piece.length;
    if (this.#size > MAX_VALUE_BYTES) {
      throw this.#wrong(at, `one of more than ${MAX_VALUE_BYTES} bytes`, 'TFR_RECORD_TOO_LARGE');
    }
    if (ended || isBareEnd) this.#endValue(piece, at);
    // A copy, because the memory of the chunk is used again.
    else this.#pieces.push(Buffer.from(piece));
    return at;
  }

  #endValue(last: Buffer, at: number): void {
    const bytes = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#size = 0;
    this.#inValue = false;
    if (!isUtf8(bytes)) throw this.#wrong(at - last.length, 'bytes that are not UTF-8');
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString());
    } catch (error) {
      throw this.#wrong(at - last.length, (error as Error).message);
    }
    switch (this.#state) {
      case State.FirstKey:
      case State.Key:
        this.#key = value as string;
        if (this.#keys.has(this.#key)) throw this.#wrong(at - last.length, `${JSON.stringify(this.#key)} again`);
        this.#keys.add(this.#key);
        this.#state = State.Colon;
        return;
      case State.Member:
        this.#state = State.AfterMember;
        this.#take(this.#key, value, undefined);
        return;
      default:
        this.#state = State.AfterElement;
        this.#take(this.#key, value, this.#element++);
    }
  }

  #wrong(at: number, found: string, code: TFRecordErrorCode = 'TFR_DECODE'): Error {
    const offset = this.#base + at;
    const expected = this.#inValue ? 'a value of JSON' : EXPECTED[this.#state];
    const message = worded`${this.#file} is not valid JSON: expected ${expected} at byte ${String(offset)}, found ${found}.`;
    return tfrecordError(code, message, { file: this.#file, offset, expected, found });
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** True for a byte after a number or a literal. */
function endsBare(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST;
}

function shown(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? JSON.stringify(String.fromCharCode(byte)) : `the byte 0x${byte.toString(16)}`;
}
