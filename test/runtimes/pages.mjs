/** Pages that Vite builds and serves with `tfrecord-native/wasm`: the page and the setting of docs/wasm.md, in Chromium. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

import { NO_WASM } from './checks.mjs';
import { htmlSnippets } from './documents.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const text = readFileSync(new URL('../../docs/wasm.md', import.meta.url), 'utf8');
const [, source] = /needs `(script-src '[^`]+)`/.exec(text);
const POLICY = `default-src 'none'; connect-src 'self'; ${source.replace('script-src', "script-src 'self'")}`;

/**
 * Builds and serves the page in a folder below `project`, which has Vite and the package. `check` takes a name and a function,
 * calls the function, and reports its error; `skip` takes the reason why none is called.
 */
export async function pages(project, { check, skip }) {
  const missing = [
    [existsSync(CHROMIUM), 'there is no chromium (apt-get install chromium)'],
    [existsSync(join(project, 'node_modules/tfrecord-native/prebuilds/wasm32')), NO_WASM],
  ].filter(([there]) => !there);
  if (missing.length > 0) {
    skip('pages of Vite', missing.map(([, reason]) => reason).join(', '));
    return;
  }
  const root = join(project, 'page');
  mkdirSync(root);
  const [page] = htmlSnippets(text);
  writeFileSync(join(root, 'index.html'), `<!doctype html><title>page</title>\n${page}`);
  const vite = await import(pathToFileURL(join(project, 'node_modules/vite/dist/node/index.js')));
  const common = { root, configFile: false, logLevel: 'error' };
  const { encodeExample, encodeRecords } = createRequire(join(project, 'page.cjs'))('tfrecord-native');
  const file = encodeRecords([encodeExample({ label: [3n] }), encodeExample({ label: [4n] })], { compression: 'gzip' });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    await vite.build(common);
    const assets = readdirSync(join(root, 'dist', 'assets'));
    const built = await served(join(root, 'dist'));
    const found = await outcome(browser, built.address, file);
    built.server.close();
    check('Vite builds a page, with the module beside it', () => {
      assert.equal(assets.filter((name) => name.endsWith('.wasm')).length, 1, String(assets));
      assert.deepEqual(found, ['3,4']);
    });

    const [, exclude] = /`optimizeDeps: \{ exclude: \['([^']+)'\] \}`/.exec(text);
    for (const [name, settings] of [
      ['', {}],
      [', with the setting for older ones', { optimizeDeps: { exclude: [exclude] } }],
    ]) {
      const server = await vite.createServer({ ...common, ...settings, server: { port: 0, host: '127.0.0.1' } });
      await server.listen();
      const shown = await outcome(browser, server.resolvedUrls.local[0], file);
      await server.close();
      check(`Vite's development server${name}`, () => assert.deepEqual(shown, ['3,4']));
    }
  } finally {
    await browser.close();
    rmSync(root, { recursive: true });
  }
}

/** Serves the files of `folder` on loopback, with the policy of the document. */
function served(folder) {
  const server = createServer(({ url }, response) => {
    const path = join(folder, url === '/' ? 'index.html' : url);
    const there = existsSync(path);
    response.writeHead(there ? 200 : 404, {
      'Content-Type': TYPES[extname(path)] ?? 'text/plain',
      'Content-Security-Policy': POLICY,
    });
    response.end(there ? readFileSync(path) : '');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, address: `http://127.0.0.1:${server.address().port}/` }));
  });
}

/** Gives the page the file. Returns the labels that it prints, and its errors. */
async function outcome(browser, address, file) {
  const page = await browser.newPage();
  const found = [];
  let told;
  const printed = new Promise((resolve) => (told = resolve));
  const note = (what) => {
    found.push(what);
    told();
  };
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) note(message.text());
    if (message.type() !== 'log') return;
    const values = message.args()[0].evaluate((label) => [...label].join());
    void values.then(note, (error) => note(String(error)));
  });
  await page.goto(address);
  const input = { name: 'a.tfrecord.gz', mimeType: 'application/octet-stream', buffer: Buffer.from(file) };
  // Repeated, because Vite's development server loads the page anew when it has found its modules.
  for (let i = 0; i < 6 && found.length === 0; i++) {
    await page.setInputFiles('input', input);
    await Promise.race([printed, page.waitForTimeout(5000)]);
  }
  await page.close();
  return [...new Set(found)];
}
