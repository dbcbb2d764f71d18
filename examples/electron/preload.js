// @ts-check
/**
 * The preload script, in a sandbox and a world of its own. It offers the page four calls and no path: files that were
 * dropped cross as File objects, and their paths go to the main process only.
 */
const { contextBridge, ipcRenderer, webUtils } = require('electron');

// A port cannot cross the contextBridge. Only this window hears the message.
ipcRenderer.on('port', ({ ports }) => window.postMessage('tfrecord-viewer-port', '*', [...ports]));

/** The page's listener, once there is one. @type {((files: readonly number[]) => void) | undefined} */
let listener;
/** The last files that came before there was a listener. @type {readonly number[] | undefined} */
let missed;
ipcRenderer.on('added', (_event, files) => {
  if (listener === undefined) missed = files;
  else listener(files);
});

/**
 * Returns the path of a file that was dropped. Before Electron 29 there is no `webUtils`, and a File has its path.
 *
 * @param {File & { path?: string }} file
 */
function pathOf(file) {
  if (webUtils !== undefined) return webUtils.getPathForFile(file);
  // Any other object could have a path that the page has made up.
  return file instanceof File ? (file.path ?? '') : '';
}

const shell = {
  /** Asks for a port to the utility process. */
  connect() {
    ipcRenderer.send('connect');
  },

  /** @param {'files' | 'folder'} what */
  open(what) {
    ipcRenderer.send('open', what);
  },

  /** @param {readonly File[]} files */
  add(files) {
    // A File that a script has made has no path.
    const paths = files.map((file) => pathOf(file)).filter((path) => path !== '');
    if (paths.length > 0) ipcRenderer.send('add', paths);
  },

  /** @param {(files: readonly number[]) => void} given */
  onAdded(given) {
    listener = given;
    if (missed !== undefined) given(missed);
    missed = undefined;
  },
};

contextBridge.exposeInMainWorld('tfrecordViewer', shell);

/** @typedef {typeof shell} Shell */
