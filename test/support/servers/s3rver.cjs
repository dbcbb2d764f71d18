'use strict';

/** Runs s3rver on loopback: node s3rver.cjs PACKAGES FOLDER. Prints its address. */
const { join } = require('node:path');

const [packages, directory] = process.argv.slice(2);
const S3rver = require(join(packages, 's3rver'));
new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory })
  .run()
  .then(({ port }) => console.log(`http://127.0.0.1:${port}`));
