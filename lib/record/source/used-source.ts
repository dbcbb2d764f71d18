import { invalidArgValue } from '../../errors';

/** Streams and generators that we have begun to read: each is read once. */
const taken = new WeakSet<object>();

/** Notes that `source` is read from now on; whether it was before. */
export function take(source: object): boolean {
  const before = taken.has(source);
  taken.add(source);
  return before;
}

/**
 * For a source that is used up or in use: reading it would look like an empty file, or like a part of one. `what` it
 * has to be, and `found` is why it is not.
 */
export function usedSource(source: object, what: string, found: string): TypeError {
  const reason = `${what}, but it ${found}. Open it again, or keep its bytes if you need them twice`;
  return invalidArgValue('source', reason, source);
}
