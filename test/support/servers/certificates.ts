/** Certificates for servers on loopback, which openssl makes. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificates {
  /** The file of the authority's certificate, and its text. */
  readonly caFile: string;
  readonly ca: string;
  readonly key: string;
  /** For 127.0.0.1, signed by the authority. */
  readonly cert: string;
  /** For another host, signed by the authority. */
  readonly otherCert: string;
}

/** True if openssl is there. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Makes an authority and its certificates in `folder`. */
export function makeCertificates(folder: string): Certificates {
  const at = (name: string): string => join(folder, name);
  const text = (name: string): string => readFileSync(at(name), 'utf8');
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '1', '-subj', '/CN=ca of a test');
  openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=server of a test');
  for (const [name, host] of [
    ['cert.pem', 'IP:127.0.0.1'],
    ['other.pem', 'DNS:other.example'],
  ] as const) {
    writeFileSync(at('names'), `subjectAltName=${host}\n`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
    openssl('x509', '-req', '-in', 'request.pem', ...by, '-days', '1', '-out', name);
  }
  const [ca, key, cert, otherCert] = ['ca.pem', 'key.pem', 'cert.pem', 'other.pem'].map(text) as [
    string,
    string,
    string,
    string,
  ];
  return { caFile: at('ca.pem'), ca, key, cert, otherCert };
}
