/** Errors of tasks that failed at the last attempt, with advice. */
import { advice, counted, named, objectScheme, systemErrorOf, tfrecordError, worded, type Message } from '../../base';
import type { StoreError } from './object-store';

/** A request for an object, in words for errors. */
export interface ObjectTask {
  /** The name of the object, without credentials. */
  readonly name: string;
  /** As the name of a system call: `read`, `list`, `write`. */
  readonly task: string;
}

/** The facts about a failed task that its error names. */
export interface FailedTask {
  readonly range: { readonly start: number; readonly end: number } | undefined;
  readonly attempt: number;
  readonly retries: number;
}

/** Returns the error of a task that has failed for good. */
export function errorOf(
  failure: StoreError,
  { name, task }: ObjectTask,
  { range, attempt, retries }: FailedTask,
): Error {
  const { refusal, message: answer, cause } = failure;
  if (refusal === 'missing') return systemErrorOf('ENOENT', task, name, `The store's answer: ${answer}.`, cause);
  if (refusal === 'denied') return systemErrorOf('EACCES', task, name, `The store's answer: ${answer}.`, cause);
  if (refusal === 'changed') return changedError(name, answer);
  const bytes = range === undefined ? '' : `, bytes ${range.start} to ${range.end - 1}`;
  const attempts = attempt > 1 || retries > 0 ? `, attempt ${attempt} of ${retries + 1}` : '';
  return tfrecordError(
    'TFR_REMOTE',
    worded`Cannot ${task} ${name}${bytes}${attempts}: ${answer}.${cureOf(failure, name)}`,
    {
      file: name,
      offset: undefined,
      expected: range === undefined ? undefined : counted(range.end - range.start, 'byte'),
      found: answer,
      cause,
    },
  );
}

function cureOf({ refusal, code }: StoreError, name: string): Message {
  switch (refusal) {
    case 'busy':
      return advice` Try again later, or raise ${named('retries')} in remoteOptions().`;
    case 'broken':
      return advice` Check the network, or raise ${named('retries')} or ${named('timeout')} in remoteOptions().`;
    case 'slow':
      return advice` If the server is that slow, lower ${named('minBytesPerSecond')} in remoteOptions().`;
    case 'untrusted':
      return certificateCure(code, objectScheme(name) === 'https');
    default:
      return advice` Check the URL.`;
  }
}

function certificateCure(code: string | undefined, isHttps: boolean): Message {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return advice` Check the dates of the server's certificate, and the clock of this machine.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return advice` The server's certificate is that of another host: use a host name that it lists.`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return advice` The server does not use TLS on this port: check the port and the scheme.`;
    default:
  }
  if (code?.startsWith('ERR_SSL_') === true) {
    const where = isHttps
      ? 'an undici Agent with connect.cert and connect.key, for useHttpDispatcher()'
      : 'your client';
    return advice` The server ended the TLS handshake: if it requires a client certificate, set yours in ${where}.`;
  }
  const other = isHttps ? ', or pass an undici Agent with connect.ca to useHttpDispatcher()' : '';
  return advice` If you trust the server, start Node with NODE_EXTRA_CA_CERTS=FILE, a file with the certificate of its authority${other}.`;
}

/** Returns the error for an object that changed after reading had begun. */
export function changedError(name: string, found: string): Error {
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`${name} changed while it was read: ${found}.${advice` Read it again from its start; if its servers send different ETags for the same bytes, set ${named('checkTag', 'checkTag: false', false)} in remoteOptions().`}`,
    { file: name, found },
  );
}
