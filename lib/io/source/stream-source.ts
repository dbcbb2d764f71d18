import { invalidArgValue } from '../../base';
import { STREAM, type ByteSource, type ChunkPull } from './byte-source';
import { usedSource } from './chunks';
import { MemorySource } from './memory-source';
import { pullWebStream } from './pull-stream';

/** Bytes that come in order: those of a stream, an iterable, a pipe. */
export class StreamSource implements ByteSource {
  readonly name: string;
  readonly repeatable: boolean;
  readonly #open: () => ChunkPull;

  /** `open` begins to read. `repeatable`: it can be called again. */
  constructor(open: () => ChunkPull, name = STREAM, repeatable = false) {
    this.name = name;
    this.repeatable = repeatable;
    this.#open = open;
  }

  identity(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  pull(): ChunkPull {
    return this.#open();
  }
}

/**
 * The body of `response`, named by its URL. @throws TypeError ERR_INVALID_ARG_VALUE for a Response that is not ok, or that
 * was read
 */
export function responseSource(response: Response): ByteSource {
  const { ok, status, statusText, url, body } = response;
  const file = url === '' ? STREAM : url;
  if (!ok) {
    const found = `${status}${statusText === '' ? '' : ` ${statusText}`}${url === '' ? '' : ` from ${url}`}`;
    throw invalidArgValue('source', `a Response that is ok (a status from 200 to 299), but it is ${found}`, response);
  }
  if (response.bodyUsed) throw usedSource(response, 'a Response that can still be read', 'was read already');
  // An answer without a body has no bytes.
  const open = (): ChunkPull =>
    body === null ? new MemorySource(new Uint8Array(0), file).pull(0) : pullWebStream(body);
  return new StreamSource(open, file);
}
