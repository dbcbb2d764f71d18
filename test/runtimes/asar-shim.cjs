'use strict';
/**
 * Electron's support of asar archives as its documentation describes it, for CommonJS in Node: an archive is a folder to
 * `require` and `fs`; `fs.open` and `process.dlopen` get a copy of the file, or the file itself where it was left unpacked.
 * Preload it, with the folder of @electron/asar in ASAR_PACKAGE. DLOPEN_FAILS: copies cannot be loaded, as from a disk that
 * is mounted without the right to execute.
 */
const fs = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const { basename, dirname, join, resolve } = require('node:path');

const asar = require(process.env.ASAR_PACKAGE);
const original = { ...fs, dlopen: process.dlopen, resolveFilename: Module._resolveFilename };
const copies = new Map();
const headers = new Map();

/** The archive and the path in it, if `path` leads into one. `x.asar.unpacked` is a folder as any other. */
function split(path) {
  const [, archive, inner = ''] = /^(.*?\.asar)(?:\/(.*))?$/.exec(typeof path === 'string' ? path : '') ?? [];
  return archive !== undefined && original.existsSync(archive) ? { archive, inner } : undefined;
}

/** Returns the archive's entry of the path: `files` of a folder, `unpacked` of a file; undefined if nothing is there. */
function entry({ archive, inner }) {
  const names = inner.split('/').filter((name) => name !== '');
  if (!headers.has(archive)) headers.set(archive, asar.getRawHeader(archive).header);
  return names.reduce((folder, name) => folder?.files?.[name], headers.get(archive));
}

/** The path of the file for the system: itself, left unpacked, or a copy. */
function realFile(path) {
  const place = split(path);
  if (place === undefined) return path;
  const found = entry(place);
  if (found === undefined) {
    throw Object.assign(new Error(`ENOENT, ${place.inner} not found in ${place.archive}`), { code: 'ENOENT' });
  }
  if (found.unpacked) return join(`${place.archive}.unpacked`, place.inner);
  if (!copies.has(path)) {
    const copy = join(original.mkdtempSync(join(tmpdir(), 'asar-')), basename(path));
    original.writeFileSync(copy, asar.extractFile(place.archive, place.inner));
    copies.set(path, copy);
  }
  return copies.get(path);
}
process.on('exit', () => {
  for (const copy of copies.values()) original.rmSync(dirname(copy), { recursive: true });
});

fs.existsSync = (path) => (split(path) ? entry(split(path)) !== undefined : original.existsSync(path));
fs.realpathSync = Object.assign((path, ...rest) => (split(path) ? path : original.realpathSync(path, ...rest)), {
  native: original.realpathSync.native,
});
for (const name of ['readFileSync', 'openSync', 'open']) {
  fs[name] = (path, ...rest) => original[name](realFile(path), ...rest);
}
process.dlopen = (module, path, ...rest) => {
  if (process.env.DLOPEN_FAILS && split(path)) throw new Error(`${path}: failed to map segment from shared object`);
  return original.dlopen(module, realFile(path), ...rest);
};

const isFile = (path) => fs.existsSync(path) && (!split(path) || entry(split(path)).files === undefined);
const manifest = (folder) =>
  isFile(join(folder, 'package.json')) ? JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8')) : {};

/** The file of a path, as `require` finds it. */
function fileOf(path) {
  const { main } = manifest(path);
  const folders = [...(main === undefined ? [] : [join(path, main)]), join(path, 'index')];
  return [path, ...folders].flatMap((each) => [each, `${each}.js`, `${each}.json`, `${each}.node`]).find(isFile);
}

/** The target of `exports` for `require`. */
const target = (value) => (typeof value === 'object' ? target(value.require ?? value.default) : value);

/** The file of a package's name, searched from `folder` on upwards, in the archive alone. */
function fileOfPackage(request, folder) {
  const [, name, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(request);
  for (let at = folder; split(at); at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    if (!fs.existsSync(found)) continue;
    const listed = manifest(found).exports?.[`.${rest}`];
    return fileOf(join(found, listed === undefined ? rest : target(listed)));
  }
  return undefined;
}

Module._resolveFilename = function (request, parent, ...rest) {
  const from = parent?.filename ? dirname(parent.filename) : process.cwd();
  let file;
  if (/^\.{0,2}\//.test(request) || request === '.' || request === '..') {
    const path = resolve(from, request);
    if (split(path)) file = fileOf(path);
  } else if (split(from) && !Module.isBuiltin(request)) {
    file = fileOfPackage(request, from);
  }
  return file ?? original.resolveFilename.call(this, request, parent, ...rest);
};
