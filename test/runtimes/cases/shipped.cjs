'use strict';
// Reads the records of a file that was shipped beside this script: by its path, which may lead into an archive, and by
// JavaScript. Prints the number, or the error's code and message; and from where the addon and ISA-L were loaded.
const { createReadStream } = require('node:fs');
const { join } = require('node:path');
const { countRecords } = require('tfrecord-native');

const file = join(__dirname, 'shipped.tfrecord.gz');
const outcome = (source) => countRecords(source).catch(({ code, message }) => ({ code, message }));
(async () => {
  const results = { byPath: await outcome(file), byStream: await outcome(createReadStream(file)) };
  process.report.excludeNetwork = true;
  const loaded = process.report.getReport().sharedObjects.filter((path) => /tfrecord\.node|libisal/.test(path));
  console.log(JSON.stringify({ ...results, loaded }));
})();
