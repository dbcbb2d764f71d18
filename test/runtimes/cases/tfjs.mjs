import calls from './tfjs-calls.cjs'; // first: it may hide tfjs
import * as records from 'tfrecord-native';
import * as tfjs from 'tfrecord-native/tfjs';

console.log(JSON.stringify(await calls(records, tfjs, process.argv[2])));
