// @ts-check
/** The utility process as the main process sees it. */
const { MessageChannelMain, utilityProcess } = require('electron');
const { join } = require('node:path');

/**
 * @typedef {object} Waiting a request under way
 * @property {(files: number[]) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** Starts the utility process, connects pages with it, and tells it which files to list. */
class Reader {
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last = 0;
  #child;
  #port;

  /** @param {(code: number) => void} onEnd called when the process has ended without `close` */
  constructor(onEnd) {
    this.#child = utilityProcess.fork(join(__dirname, 'utility.js'), [], { serviceName: 'TFRecord reader' });
    this.#child.once('exit', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The process that reads the files has ended.'));
      this.#waiting.clear();
      onEnd(code);
    });
    this.#port = this.#connect('main');
    this.#port.on('message', ({ data }) => this.#take(data));
    this.#port.start();
  }

  /** Returns a port for a page. */
  connect() {
    return this.#connect('page');
  }

  /**
   * Adds files to the list, a folder as the files in it. Resolves with their numbers.
   *
   * @param {readonly string[]} paths
   * @returns {Promise<number[]>}
   */
  add(paths) {
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#port.postMessage({ id, ask: 'add', args: { paths }, credits: 1 });
    });
  }

  /** Ends the process. */
  close() {
    this.#child.removeAllListeners('exit');
    this.#child.kill();
  }

  /**
   * Returns the other end of a port that the process is given.
   *
   * @param {'main' | 'page'} end
   */
  #connect(end) {
    const { port1, port2 } = new MessageChannelMain();
    this.#child.postMessage(end, [port1]);
    return port2;
  }

  /** @param {{ id: number, done?: { files: number[] }, error?: { message: string } }} answer */
  #take({ id, done, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (done !== undefined) waiting?.resolve(done.files);
    else waiting?.reject(new Error(error?.message));
  }
}

module.exports = { Reader };
