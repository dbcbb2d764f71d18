// @ts-check
const { extname } = require('node:path');

/**
 * Refuses whatever the page does not need: to go elsewhere, to open windows, to get permissions, to download other than
 * what it has made itself.
 *
 * @param {import('electron').BrowserWindow} window
 * @param {string} page its address
 */
function guard({ webContents }, page) {
  const refuse = (/** @type {{ preventDefault(): void }} */ event) => event.preventDefault();
  webContents.on('will-navigate', refuse);
  webContents.on('will-frame-navigate', refuse);
  webContents.on('will-redirect', refuse);
  webContents.on('will-attach-webview', refuse);
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));

  // The session outlives the window, so the guards of the next one replace these.
  const { session } = webContents;
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.removeAllListeners('will-download');
  session.on('will-download', (event, item) => {
    // An export: the page has it as a blob. Without a path that is set here, Electron asks the user for one.
    if (!item.getURL().startsWith(`blob:${new URL(page).protocol}`)) {
      event.preventDefault();
      return;
    }
    const name = item.getFilename();
    const filters = [
      { name: extname(name) === '.jsonl' ? 'JSON Lines' : 'TFRecord', extensions: [extname(name).slice(1)] },
    ];
    item.setSaveDialogOptions({ title: 'Export', defaultPath: name, filters });
  });
}

module.exports = { guard };
