'use strict';
/** An app that does the same work in every process that has Node. Tests call its functions in the main process. */
const { app, BrowserWindow, utilityProcess } = require('electron');
const { once } = require('node:events');
const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

const { work } = require('./work.js');

// Tests close windows, and the app stays.
app.on('window-all-closed', () => undefined);

/** Opens a window, whose page has Node if the preferences say so. */
async function openWindow(webPreferences) {
  const window = new BrowserWindow({ webPreferences: { sandbox: false, ...webPreferences } });
  await window.loadFile(join(__dirname, 'page.html'));
  return window;
}

/** Resolves with the value of `code` in a page. */
async function inWindow(webPreferences, code) {
  const window = await openWindow(webPreferences);
  try {
    return await window.webContents.executeJavaScript(code);
  } finally {
    window.destroy();
  }
}

/** Starts a utility process. Resolves with it when it has answered `message` for the first time, and with that answer. */
async function startUtility(message) {
  const child = utilityProcess.fork(join(__dirname, 'utility.js'));
  await once(child, 'spawn');
  child.postMessage(message);
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve({ child, answer }));
    child.once('exit', (code) => reject(new Error(`The utility process ended with ${code}`)));
  });
}

const NODE = { nodeIntegration: true, nodeIntegrationInWorker: true, contextIsolation: false };
const WORK = JSON.stringify(join(__dirname, 'work.js'));

/** The processes by their names: each resolves with the result of `work(folder, name)`. */
const places = {
  main: work,

  async thread(folder, name) {
    const [result] = await once(new Worker(join(__dirname, 'thread.js'), { workerData: [folder, name] }), 'message');
    return result;
  },

  async utility(...workData) {
    const { child, answer } = await startUtility({ workData });
    child.kill();
    return answer;
  },

  preload: (...args) => inWindow({ preload: join(__dirname, 'preload.js') }, `work(...${JSON.stringify(args)})`),

  renderer: (...args) => inWindow(NODE, `require(${WORK}).work(...${JSON.stringify(args)})`),

  webWorker: (...args) =>
    inWindow(
      NODE,
      `new Promise((resolve, reject) => {
        const worker = new Worker('web-worker.js');
        worker.onmessage = ({ data }) => ('result' in data ? resolve(data.result) : reject(new Error(data.error)));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ script: ${WORK}, args: ${JSON.stringify(args)} });
      })`,
    ),
};

/** Ways to end a process that reads `file` without end. Each resolves when the process is gone. */
const ends = {
  async utilityKilled(file) {
    const { child } = await startUtility({ readForever: file });
    process.kill(child.pid, 'SIGKILL');
    await once(child, 'exit');
  },

  async windowDestroyed(file) {
    const window = await openWindow(NODE);
    await window.webContents.executeJavaScript(`require(${WORK}).readForever(${JSON.stringify(file)})`);
    window.destroy();
  },

  async windowReloaded(file) {
    const window = await openWindow(NODE);
    await window.webContents.executeJavaScript(`require(${WORK}).readForever(${JSON.stringify(file)})`);
    window.webContents.reload();
    await once(window.webContents, 'did-finish-load');
    window.destroy();
  },

  async windowCrashed(file) {
    const window = await openWindow(NODE);
    await window.webContents.executeJavaScript(`require(${WORK}).readForever(${JSON.stringify(file)})`);
    const gone = once(window.webContents, 'render-process-gone');
    window.webContents.forcefullyCrashRenderer();
    await gone;
    window.destroy();
  },
};

Object.assign(globalThis, { places, ends });
