/** Options of esbuild that the bundles of scripts/bundle.mjs and scripts/bundle-page.mjs share. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  legalComments: 'none',
  // V8 keeps a source with one character beyond Latin-1 as two-byte text, twice as large. With that, or with comments and
  // indentation, the heap after loading is in the band (8.4 to 11 MB) in which young ArrayBuffers make V8 collect all of it
  // every 15 MB of records.
  charset: 'ascii',
  minifyWhitespace: true,
  // Node prints the source line of an uncaught error.
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
};
