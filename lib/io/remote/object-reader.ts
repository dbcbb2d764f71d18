import { lengthOf, viewOf, shownUrl } from '../../base';
import { StoreError, type ObjectBody, type ObjectFacts, type ObjectStore } from './object-store';
import { AnswerSpeed, Attempts, heard, KEPT_BYTES, linked, type RemotePolicy } from './policy';
import { changedError } from './task-errors';

/** If a body ends within this time after the wanted bytes, the next request can use its connection. */
const LAST_WORD_MS = 1000;

/** The bytes of a range, as they arrive. */
export interface RangeChunks {
  /** Resolves with the next bytes; with undefined at the end of the range or of the object. */
  next(): Promise<Uint8Array | undefined>;
  /** Ends the request. Idempotent. */
  close(): void;
}

/**
 * One object that is being read. The size and the tag of each answer must be those of the first one. An answer that breaks off
 * is resumed at the byte that was reached.
 */
export class ObjectReader {
  readonly url: string;
  /** The name in errors. */
  readonly name: string;
  readonly policy: RemotePolicy;
  readonly #store: ObjectStore;
  #facts: ObjectFacts | undefined;

  constructor(store: ObjectStore, url: string, policy: RemotePolicy) {
    this.#store = store;
    this.url = url;
    this.name = shownUrl(url);
    this.policy = policy;
  }

  /** The facts of the first answer; undefined before it. */
  get facts(): ObjectFacts | undefined {
    return this.#facts;
  }

  /**
   * Returns the bytes from `start` to before `end`, which are requested at the first `next`. `next` rejects with a
   * TFRecordError; after `close`, with an AbortError. `onBegin` is called with each answer; it returns true to accept the whole
   * object instead of the range.
   */
  range(start: number, end: number, onBegin?: (body: ObjectBody) => boolean): RangeChunks {
    const closing = new AbortController();
    const { signal } = closing;
    const attempts = new Attempts(this.policy, { name: this.name, task: 'read' }, signal);
    let at = start;
    let until = end;
    let isFresh = false;
    let body: ObjectBody | undefined;
    /** The byte of the object at which the next chunk begins. */
    let position = 0;
    let attempt: ReturnType<typeof linked> | undefined;
    let speed: AnswerSpeed;

    const release = (): void => {
      attempt?.abort();
      attempt?.unlink();
      attempt = undefined;
      const { chunks } = body ?? {};
      body = undefined;
      // Not awaited: a client may wait for a dead connection.
      chunks?.return?.().catch(() => undefined);
    };

    const begin = async (): Promise<void> => {
      attempt = linked(signal);
      speed = new AnswerSpeed(this.policy);
      const { tag } = this.#facts ?? {};
      const answer = this.#store.read(this.url, { start: at, end: until, tag, fresh: isFresh }, attempt.signal);
      body = await heard(answer, this.policy.timeout, signal);
      this.#check(body);
      const isWelcome = onBegin?.(body) === true;
      position = body.start;
      if (isWelcome && body.whole === true) until = Infinity;
      else if (position > at || at - position > KEPT_BYTES) {
        throw new StoreError(
          'broken',
          body.whole === true ? 'the answer is the whole object instead of a range' : 'the answer is another range',
        );
      }
    };

    /** Resolves with the wanted part of the next chunk; with undefined at the end of the body. */
    const take = async (): Promise<Uint8Array | undefined> => {
      for (;;) {
        const asked = performance.now();
        const result = await heard(body!.chunks.next(), this.policy.timeout, signal);
        if (result.done === true) return undefined;
        const { value } = result;
        const length = lengthOf(value);
        speed.note(length, performance.now() - asked);
        const [from, to] = [Math.max(0, at - position), Math.min(length, until - position)];
        position += length;
        if (from < to) return viewOf(value, from, to);
      }
    };

    const isEnd = (): boolean => at >= until || at >= (this.#facts?.size ?? Infinity);

    const next = async (): Promise<Uint8Array | undefined> => {
      while (!isEnd()) {
        try {
          if (body === undefined) await begin();
          const chunk = isEnd() ? undefined : await take();
          if (chunk === undefined) {
            if (isEnd()) break;
            const { whole, size } = body!;
            if (whole === true && size === undefined) {
              // Nothing else says where an object of unknown size ends.
              this.#facts = { ...this.#facts, size: at };
              break;
            }
            throw new StoreError('broken', `the answer ended at byte ${position}`);
          }
          const bytes = lengthOf(chunk);
          at += bytes;
          if (body!.whole !== true || until !== Infinity) attempts.progressed(bytes);
          if (isEnd()) this.#finish(body!, attempt!, () => (body = attempt = undefined));
          return chunk;
        } catch (error) {
          release();
          if (this.#isBeyond(error, at)) break;
          if (error instanceof StoreError && error.refusal === 'changed' && !isFresh) {
            // A cache on the way may hold a part of an older object.
            isFresh = true;
            continue;
          }
          await attempts.failed(error, { start: at, end: Math.min(until, this.#facts?.size ?? until) });
        }
      }
      release();
      return undefined;
    };
    const close = (): void => {
      closing.abort();
      release();
    };
    return { next, close };
  }

  /** Waits in the background for the end of a body whose wanted bytes have arrived, so that its connection can be reused. */
  #finish({ chunks }: ObjectBody, attempt: ReturnType<typeof linked>, forget: () => void): void {
    forget();
    const end = (): void => {
      attempt.abort();
      attempt.unlink();
    };
    heard(chunks.next(), LAST_WORD_MS, attempt.signal).then(({ done }) => {
      if (done === true) attempt.unlink();
      else end();
    }, end);
  }

  /** Compares the facts of an answer with those of the first one. @throws StoreError `changed` */
  #check({ size, tag, mtimeMs }: ObjectFacts): void {
    const first = this.#facts;
    if (first === undefined) {
      this.#facts = { size, tag, mtimeMs };
      return;
    }
    if (size !== undefined && first.size !== undefined && size !== first.size) {
      throw new StoreError('changed', `it had ${first.size} bytes and has ${size}`);
    }
    if (this.policy.checkTag && tag !== undefined && first.tag !== undefined && tag !== first.tag) {
      throw new StoreError('changed', `its ETag was "${first.tag}" and is "${tag}"`);
    }
  }

  /** True if `error` says that the object ends at `at` or before. @throws TFRecordError if it has become shorter */
  #isBeyond(error: unknown, at: number): boolean {
    if (!(error instanceof StoreError) || error.refusal !== 'beyond') return false;
    const size = this.#facts?.size;
    if (size === undefined) {
      const end = error.size ?? at;
      // The server contradicts itself.
      if (end > at) return false;
      this.#facts = { ...this.#facts, size: end };
      return true;
    }
    if (at === size) return true;
    throw changedError(this.name, `it had ${size} bytes, and its server has no byte ${at}`);
  }
}
