/** The parts of `node:stream` and `node:timers/promises` that the rooms use, for a page. */

// Pages have no streams of Node.
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- `new` must fail
class NodeStream {
  constructor() {
    throw new Error('Pages have no streams of Node: use a ReadableStream or a WritableStream.');
  }
}

export class Readable extends NodeStream {
  /** Pages cannot find that out. A ReadableStream that was read before yields nothing. */
  static isDisturbed(): boolean {
    return false;
  }
}
export class Duplex extends NodeStream {}
export const isErrored = (): boolean => false;
export const isReadable = (): boolean => false;
export const finished = (): void => undefined;

/** Resolves after a turn of the event loop. Timers would wait for 4 ms or more. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export function setTimeout(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    globalThis.setTimeout(resolve, milliseconds);
  });
}
