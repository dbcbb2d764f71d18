/* eslint-disable @typescript-eslint/no-require-imports -- optional packages, loaded when they are first needed */
/** Loads the packages of tfjs, which users install themselves, when they are first used. */
import { loadPeer } from '../../peer';

type Core = typeof import('@tensorflow/tfjs-core');
type Data = typeof import('@tensorflow/tfjs-data');

/** @throws TFRecordError ERR_MODULE_NOT_FOUND */
export function tfjsCore(): Core {
  return peer('@tensorflow/tfjs-core', () => require('@tensorflow/tfjs-core') as Core);
}

/** @throws TFRecordError ERR_MODULE_NOT_FOUND */
export function tfjsData(): Data {
  return peer('@tensorflow/tfjs-data', () => require('@tensorflow/tfjs-data') as Data);
}

function peer<T>(name: string, load: () => T): T {
  return loadPeer('tfrecord-native/tfjs', { [name]: '^4.22.0' }, load);
}
