// @ts-check
/**
 * The page under an address of its own, `tfrecord-viewer://page/`: unlike `file:`, it has an origin and headers, and
 * reaches no file but those of the page.
 */
const { protocol } = require('electron');
const { readFile } = require('node:fs/promises');
const { extname, join } = require('node:path');
const { pageFolder } = require('tfrecord-native/view');

const SCHEME = 'tfrecord-viewer';
const PAGE = `${SCHEME}://page/`;

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page has all that it needs. It makes pictures and sound of bytes that come through its port. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  'media-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Makes the address one with an origin. To be called before the app is ready. */
function declarePage() {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
}

/** Answers requests for the page. To be called when the app is ready. */
function servePage() {
  protocol.handle(SCHEME, answer);
}

/**
 * @param {Pick<Request, 'method' | 'url'>} request
 * @returns {Promise<Response>}
 */
async function answer({ method, url }) {
  const { host, pathname } = new URL(url);
  const path = pathname === '/' ? '/index.html' : pathname;
  const type = TYPES[extname(path)];
  // Names of the page's files are plain, so whatever has an escape or leads upwards is none of them.
  if (method !== 'GET' || host !== 'page' || type === undefined || !/^(?:\/[\w-][\w.-]*)+$/.test(path)) {
    return new Response('There is no such file.', { status: 404 });
  }
  try {
    return new Response(new Uint8Array(await readFile(join(pageFolder, path))), {
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      },
    });
  } catch {
    return new Response('There is no such file.', { status: 404 });
  }
}

module.exports = { PAGE, declarePage, servePage };
