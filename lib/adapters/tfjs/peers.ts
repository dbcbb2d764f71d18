/* eslint-disable @typescript-eslint/no-require-imports -- optional packages, loaded when they are first needed */
/** Loads the packages of tfjs, which users install themselves, on first use. */
import { checkPeer, loadPeer, type PeerVersions } from '../../base';

type Core = typeof import('@tensorflow/tfjs-core');
type Data = typeof import('@tensorflow/tfjs-data');

const USER = 'tfrecord-native/tfjs';
const VERSIONS: Omit<PeerVersions, 'name'> = { install: '^4.22.0', lowest: '3.21', tried: ['3.21.0', '4.22.0'] };

/** @throws TFRecordError ERR_MODULE_NOT_FOUND if the package is not installed, or too old */
export function tfjsCore(): Core {
  const name = '@tensorflow/tfjs-core';
  const core = loadPeer(USER, { [name]: VERSIONS.install }, () => require('@tensorflow/tfjs-core'));
  checkPeer(USER, { name, ...VERSIONS }, core.version_core);
  return core;
}

/** @throws TFRecordError ERR_MODULE_NOT_FOUND if the package is not installed, or too old */
export function tfjsData(): Data {
  const name = '@tensorflow/tfjs-data';
  const data = loadPeer(USER, { [name]: VERSIONS.install }, () => require('@tensorflow/tfjs-data'));
  checkPeer(USER, { name, ...VERSIONS }, data.version_data);
  return data;
}
