/** Errors of connections, by the codes that Node, OpenSSL and undici give them. */
import { isObject } from '../../base';
import { StoreError } from './object-store';

/** Codes about certificates that do not contain the word CERT or CRL. */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns the code of the system's error in `error` or its causes: `ECONNRESET`, `CERT_HAS_EXPIRED`. */
function connectionCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; isObject(at) && depth < 5; at = at['cause'], depth++) {
    const { code } = at;
    if (typeof code === 'string' && (/^(?:E[A-Z_0-9]+|UND_ERR_\w+)$/.test(code) || isAboutTrust(code))) return code;
  }
  return undefined;
}

/** True for certificates that are not accepted, and for TLS handshakes that the server ends or does not understand. */
function isAboutTrust(code: string): boolean {
  const ends = /^ERR_SSL_\w*(?:ALERT_(?!BAD_RECORD_MAC)|WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL)/;
  return CERTIFICATE_CODES.has(code) || /(?:^|_)(?:CERT|CRL)(?:_|$)/.test(code) || ends.test(code);
}

/**
 * Returns the refusal for `error` of a connection: `untrusted` for TLS, `refused` for a host that does not exist, otherwise
 * `broken`; undefined if the error has no code of the system. `cause`: the error that may be shown.
 */
export function connectionError(error: unknown, cause?: unknown): StoreError | undefined {
  const code = connectionCode(error);
  if (code === undefined) return undefined;
  const refusal = isAboutTrust(code) ? 'untrusted' : code === 'ENOTFOUND' ? 'refused' : 'broken';
  return new StoreError(refusal, code, { code, cause });
}
