'use strict';
// CommonJS: prints the digest of the file that the command line names.
const { digest } = require('./digest.cjs');

digest(require('tfrecord-native'), process.argv[2]).then((result) => console.log(JSON.stringify(result)));
