/** The globals of Node that the rooms use, and `node:buffer`, for a page. The bundle replaces the globals by these. */
/* eslint-disable no-console -- where a page's warnings go */
export { Buffer } from 'buffer/';

interface Warning {
  readonly type?: string;
  readonly code?: string;
}

export const process = {
  platform: 'browser',
  arch: 'wasm32',
  versions: {} as Record<string, string | undefined>,
  env: {} as Record<string, string | undefined>,
  stdin: {},
  cwd: (): string => '/',
  emitWarning(message: string, { type = 'Warning', code }: Warning = {}): void {
    console.warn(`${code === undefined ? '' : `[${code}] `}${type}: ${message}`);
  },
  emit(_event: string, warning: Error): void {
    console.warn(String(warning));
  },
  // Pages have no event at which a process ends.
  on: (): void => undefined,
  once: (): void => undefined,
  off: (): void => undefined,
};

/** The limits of V8 on 64-bit systems. */
export const constants = { MAX_LENGTH: 2 ** 53 - 1, MAX_STRING_LENGTH: 2 ** 29 - 24 };

/** As in `node:worker_threads`: pages have no worker threads of Node. */
export const isMainThread = true;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    // TextDecoder does not accept shared memory.
    strict.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
    return true;
  } catch {
    return false;
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
