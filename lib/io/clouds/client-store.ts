/** Parts that the stores over clients have in common: the client, and the meaning of its errors. */
import { isObject, TFRecordError } from '../../base';
import { retryAfterMs } from '../remote/answers';
import { connectionError } from '../remote/connection-errors';
import { refusalOf, StoreError, type StoreRefusal } from '../remote/object-store';

/** A store over the client that `open` returns, which is asked once, at the first request. */
export abstract class ClientStore<Client extends object> {
  readonly #open: () => Client;
  readonly #errorOf: (error: unknown) => Error;
  #client: Client | undefined;

  /** `errorOf` returns what an error of the client means. */
  constructor(open: () => Client, errorOf: (error: unknown) => Error) {
    this.#open = open;
    this.#errorOf = errorOf;
  }

  /** Resolves with the result of `call`; its errors become those that they mean. */
  protected async answered<T>(call: (client: Client) => T | Promise<T>): Promise<T> {
    try {
      return await call((this.#client ??= this.#open()));
    } catch (error) {
      throw this.#errorOf(error);
    }
  }
}

/** Facts about the error of a client, as far as they are known. */
export interface ClientFailure {
  /** HTTP status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** The name that the store gives the error: `NoSuchKey`. */
  readonly name?: string | undefined;
  /** The refusal, where the name says more than the status. */
  readonly refusal?: StoreRefusal | undefined;
  /** The answer, of which the header `Retry-After` counts. */
  readonly response?: unknown;
}

/**
 * Returns what `error`, thrown by a client, means. Its message is left out, and so is the error itself: both may hold
 * tokens and signed URLs. Errors of ours stay as they are.
 */
export function clientError(error: unknown, { status, name, refusal, response }: ClientFailure): Error {
  if (error instanceof StoreError || error instanceof TFRecordError) return error;
  const shown = name !== undefined && /^[\w.-]{1,80}$/.test(name) ? name : undefined;
  if (status !== undefined) {
    const answer = shown === undefined ? `HTTP ${status}` : `HTTP ${status} ${shown}`;
    return new StoreError(refusal ?? refusalOf(status), answer, { status, retryAfterMs: askedWait(response) });
  }
  const known = refusal === undefined ? connectionError(error) : undefined;
  return known ?? new StoreError(refusal ?? 'broken', shown ?? 'the connection broke');
}

/** Returns the time that an answer asks to wait, whose headers are an object or a `Headers`. */
function askedWait(response: unknown): number | undefined {
  const headers = isObject(response) ? response['headers'] : undefined;
  if (!isObject(headers)) return undefined;
  const { get } = headers;
  const value: unknown = typeof get === 'function' ? get.call(headers, 'retry-after') : headers['retry-after'];
  return typeof value === 'string' ? retryAfterMs(value) : undefined;
}
