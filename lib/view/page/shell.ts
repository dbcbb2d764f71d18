/**
 * The API that the preload script of an Electron app exposes to the page as `window.tfrecordViewer`: see
 * examples/electron.
 */
export interface Shell {
  /** Requests a port to the host, which the window posts to itself with the message {@link PORT_MESSAGE}. */
  connect(): void;
  /** Lets the user choose files, or a folder, and adds them to the list. */
  open(what: 'files' | 'folder'): void;
  /** Adds files and folders that were dropped on the page to the list. */
  add(files: readonly File[]): void;
  /** Calls `listener` with the numbers of added files that should be shown. */
  onAdded(listener: (files: readonly number[]) => void): void;
}

/** The message that carries the port. */
export const PORT_MESSAGE = 'tfrecord-viewer-port';

declare global {
  interface Window {
    readonly tfrecordViewer?: Shell | undefined;
  }
}
