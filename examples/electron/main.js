// @ts-check
/**
 * TFRecord Viewer: the main process. It opens the window and dialogs, and connects the page with the utility process,
 * which alone reads files.
 */
const { app, BrowserWindow, dialog, ipcMain } = require('electron');
const { stat } = require('node:fs/promises');
const { join, resolve } = require('node:path');
const { guard } = require('./guards.js');
const { setMenu } = require('./menu.js');
const { declarePage, PAGE, servePage } = require('./page.js');
const { Reader } = require('./reader.js');

/** @type {BrowserWindow | undefined} */
let window;
/** @type {InstanceType<typeof Reader> | undefined} */
let reader;
/** True while a page is connected with the utility process. */
let isConnected = false;
/** The numbers of the files that the next page is to show. @type {number[] | undefined} */
let awaited;
/** The paths that were opened until now, for a new utility process. @type {Set<string>} */
const opened = new Set();

/** Returns the paths in a command line: `electron . PATH…`, or the app's name and PATHs. */
function pathsOf(/** @type {readonly string[]} */ argv) {
  return argv.slice(app.isPackaged ? 1 : 2).flatMap((path) => (path.startsWith('-') ? [] : resolve(path)));
}

function startReader() {
  reader = new Reader((code) => {
    reader = undefined;
    isConnected = false;
    void readerEnded(code);
  });
}

/** Says that the utility process has ended, and starts another one. */
async function readerEnded(/** @type {number} */ code) {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'TFRecord Viewer',
    message: 'The process that reads the files has ended.',
    detail: `Its exit code was ${code}. The files are as they were. If this happens again with the same files, start without them.`,
    buttons: ['Read the files again', 'Start without files', 'Quit'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  if (response === 2) {
    app.quit();
    return;
  }
  if (response === 1) opened.clear();
  startReader();
  await add([...opened]);
  window?.webContents.reload();
}

/** Adds files and folders to the list, and has the page show the first one. */
async function add(/** @type {readonly string[]} */ paths) {
  if (paths.length === 0) return;
  for (const path of paths) {
    opened.add(path);
    app.addRecentDocument(path);
  }
  // If there is no reader, its successor is told of them.
  const reading = reader;
  if (reading === undefined) return;
  /** @type {number[]} */
  const files = [];
  /** @type {string[]} */
  const failures = [];
  for (const path of paths) {
    try {
      // The list of files takes a file that is not there, and only its page would say so.
      if (!path.includes('\0')) await stat(path);
      const added = await reading.add([path]);
      if (added.length === 0) throw new Error(`There is no file in ${path}.`);
      files.push(...added);
    } catch (error) {
      // Its end has a message of its own.
      if (reading !== reader) return;
      opened.delete(path);
      failures.push(/** @type {Error} */ (error).message);
    }
  }
  if (files.length > 0) show([...new Set(files)]);
  if (failures.length > 0) dialog.showErrorBox('Not everything could be opened.', messageOf(failures));
}

/** Adds `paths`, which come from another process, if they are paths. */
function addAll(/** @type {unknown} */ paths) {
  if (Array.isArray(paths) && paths.every((path) => typeof path === 'string')) void add(paths);
}

/** Has the page show the first one of `files`, as soon as there is a page. */
function show(/** @type {number[]} */ files) {
  if (isConnected) window?.webContents.send('added', files);
  else awaited = files;
}

/** Returns the first ones of `failures`, a line each: a dialog grows with its text. */
function messageOf(/** @type {readonly string[]} */ failures) {
  const most = 10;
  const rest = failures.length > most ? [`And ${failures.length - most} more.`] : [];
  return [...failures.slice(0, most), ...rest].join('\n');
}

async function open(/** @type {'files' | 'folder'} */ what) {
  /** @type {Electron.OpenDialogOptions} */
  const options = {
    title: what === 'files' ? 'Open files' : 'Open a folder',
    properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory'],
  };
  const { canceled, filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  if (!canceled) await add(filePaths);
}

function openWindow() {
  const opening = new BrowserWindow({
    width: 1280,
    height: 800,
    title: 'TFRecord Viewer',
    webPreferences: {
      preload: join(__dirname, 'preload.js'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  });
  window = opening;
  guard(opening, PAGE);
  opening.on('closed', () => {
    window = undefined;
    isConnected = false;
  });
  void opening.loadURL(PAGE);
}

/**
 * Listens to the page, and to nobody else. @param {string} channel @param {(what: unknown) => void} listener
 */
function listen(channel, listener) {
  ipcMain.on(channel, ({ senderFrame }, what) => {
    // Compared by its address, too: a frame can outlive what was in it.
    if (senderFrame === window?.webContents.mainFrame && senderFrame?.url === PAGE) listener(what);
  });
}

function showWindow() {
  if (window === undefined) {
    openWindow();
    return;
  }
  if (window.isMinimized()) window.restore();
  window.focus();
}

function run() {
  declarePage();
  /** Files that macOS names before the app is ready. @type {string[]} */
  const early = pathsOf(process.argv);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    if (app.isReady()) {
      showWindow();
      void add([path]);
    } else early.push(path);
  });
  app.on('second-instance', (_event, _argv, _folder, data) => {
    showWindow();
    // Each instance has its own working directory, and so sends whole paths.
    addAll(/** @type {{ paths?: unknown } | undefined} */ (data)?.paths);
  });
  app.on('activate', showWindow);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', () => reader?.close());

  listen('connect', () => {
    if (reader === undefined) return;
    window?.webContents.mainFrame.postMessage('port', null, [reader.connect()]);
    isConnected = true;
    if (awaited !== undefined) show(awaited);
    awaited = undefined;
  });
  listen('open', (what) => {
    if (what === 'files' || what === 'folder') void open(what);
  });
  listen('add', addAll);

  void app.whenReady().then(() => {
    servePage();
    setMenu((what) => void open(what));
    startReader();
    void add(early);
    openWindow();
  });
}

// One window for all files: another instance hands over its own, and ends.
if (app.requestSingleInstanceLock({ paths: pathsOf(process.argv) })) run();
else app.quit();
