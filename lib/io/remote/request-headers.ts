/** Checks headers of users. They may be secret, so no error shows more of one than its name. */
import { hasIterator, invalidArgType, invalidArgValue, isObject } from '../../base';

/** Headers of a request: names and values. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** A token of HTTP. */
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
/** Text that a request can carry, without spaces around it: Latin-1, but no control characters other than a tab. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Returns the headers in `given`, the argument `name`, without white space around their values: a token in a file ends in a
 * newline. The HTTP client would refuse, retry, and show others.
 * @throws TypeError with Node's codes
 */
export function checkHeaders(name: string, given: unknown): RequestHeaders {
  if (!isObject(given) || hasIterator(given))
    throw invalidArgType(name, 'an object { name: value } of headers, or a function that returns one', given);
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(given)) {
    if (!NAME.test(header)) {
      throw invalidArgValue(name, 'an object whose keys are names of headers', 'another key, which is not shown');
    }
    if (typeof value !== 'string') throw invalidArgType(`${name}["${header}"]`, 'a string', typeof value);
    const text = value.trim();
    if (!VALUE.test(text)) {
      const expected = 'one line of Latin-1 text without control characters';
      throw invalidArgValue(`${name}["${header}"]`, expected, 'another text, which is not shown');
    }
    headers[header] = text;
  }
  return headers;
}
