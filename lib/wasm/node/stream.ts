/** What the rooms use of `node:stream`, for a page, where nobody has a Node stream. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- `new` must fail
class NodeStream {
  constructor() {
    throw new Error('Streams of Node are not in pages: use a ReadableStream or a WritableStream.');
  }
}

export class Readable extends NodeStream {
  /** Pages cannot ask a ReadableStream; one that was read gives nothing. */
  static isDisturbed(): boolean {
    return false;
  }
}
export class Duplex extends NodeStream {}
export const isErrored = (): boolean => false;
export const isReadable = (): boolean => false;
export const finished = (): void => undefined;
