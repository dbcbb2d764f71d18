/** The API that the preload script of an Electron app gives the page, as `window.tfrecordViewer`: see examples/electron. */
export interface Shell {
  /** Asks for a port to the host. It comes as the message {@link PORT_MESSAGE} of the window to itself. */
  connect(): void;
  /** Lets the user choose files, or a folder, and adds them to the list. */
  open(what: 'files' | 'folder'): void;
  /** Adds files and folders that were dropped on the page to the list. */
  add(files: readonly File[]): void;
  /** Calls `listener` with the numbers of files that were added and should be shown. */
  onAdded(listener: (files: readonly number[]) => void): void;
}

/** The message that brings the port. */
export const PORT_MESSAGE = 'tfrecord-viewer-port';

declare global {
  interface Window {
    readonly tfrecordViewer?: Shell | undefined;
  }
}
