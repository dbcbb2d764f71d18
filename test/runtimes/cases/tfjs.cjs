'use strict';
const calls = require('./tfjs-calls.cjs');

calls(require('tfrecord-native'), require('tfrecord-native/tfjs'), process.argv[2]).then((found) =>
  console.log(JSON.stringify(found)),
);
