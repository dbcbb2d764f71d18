// @ts-check
const { app, Menu } = require('electron');

/**
 * Sets the menu of the app.
 *
 * @param {(what: 'files' | 'folder') => void} open shows the dialog that opens files, or a folder
 */
function setMenu(open) {
  const isMac = process.platform === 'darwin';
  /** @type {Electron.MenuItemConstructorOptions[]} */
  const menus = [
    {
      label: '&File',
      submenu: [
        { label: '&Open Files…', accelerator: 'CmdOrCtrl+O', click: () => open('files') },
        { label: 'Open &Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: () => open('folder') },
        { role: 'recentDocuments', submenu: [{ role: 'clearRecentDocuments' }], visible: isMac },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'toggleDevTools', visible: !app.isPackaged },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
  if (isMac) menus.unshift({ role: 'appMenu' });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus));
}

module.exports = { setMenu };
