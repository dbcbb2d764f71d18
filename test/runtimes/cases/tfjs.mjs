import * as records from 'tfrecord-native';
import * as tfjs from 'tfrecord-native/tfjs';
import calls from './tfjs-calls.cjs';

console.log(JSON.stringify(await calls(records, tfjs, process.argv[2])));
