// ESM: named imports, and the same names as CommonJS.
import { createRequire } from 'node:module';
import * as esm from 'tfrecord-native';
import { RecordReader, TFRecordError, countRecords, readRecords, readRecordsSync } from 'tfrecord-native';

const require = createRequire(import.meta.url);
const { digest } = require('./digest.cjs');
const cjs = require('tfrecord-native');

const names = (module) => Object.keys(module).sort().join();
if (names(esm) !== names(cjs)) throw new Error(`ESM has ${names(esm)}, CommonJS ${names(cjs)}`);
if (esm.TFRecordError !== cjs.TFRecordError) throw new Error('two copies of the package were loaded');

const api = { RecordReader, TFRecordError, countRecords, readRecords, readRecordsSync };
console.log(JSON.stringify(await digest(api, process.argv[2])));
