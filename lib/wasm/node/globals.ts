/** The globals of Node that the rooms use, for a page. The bundle puts them in place. */
/* eslint-disable no-console -- where a page's warnings go */
export { Buffer } from 'buffer/';

interface Warning {
  readonly type?: string;
  readonly code?: string;
}

export const process = {
  platform: 'browser',
  arch: 'wasm32',
  env: {} as Record<string, string | undefined>,
  stdin: {},
  cwd: (): string => '/',
  emitWarning(message: string, { type = 'Warning', code }: Warning = {}): void {
    console.warn(`${code === undefined ? '' : `[${code}] `}${type}: ${message}`);
  },
  emit(_event: string, warning: Error): void {
    console.warn(String(warning));
  },
  // Pages have no end that one could wait for.
  on: (): void => undefined,
  once: (): void => undefined,
  off: (): void => undefined,
};
