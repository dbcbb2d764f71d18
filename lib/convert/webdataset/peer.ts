/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Loads the package for tars, which users install themselves, on first use. */
import { checkPeer, loadPeer, type PeerVersions } from '../../base';

type TarStream = typeof import('tar-stream');

const VERSIONS: PeerVersions = {
  name: 'tar-stream',
  install: '^3.2.2',
  lowest: '3.2',
  tried: ['3.2.2', '3.2.2'],
};

let loaded: TarStream | undefined;

/** @throws TFRecordError ERR_MODULE_NOT_FOUND if the package is not installed, or too old */
export function tarStream(): TarStream {
  if (loaded !== undefined) return loaded;
  const user = 'WebDataset';
  const found: unknown = loadPeer(user, { [VERSIONS.name]: VERSIONS.install }, () => require('tar-stream') as unknown);
  checkPeer(user, VERSIONS, undefined, typeof (found as TarStream).extract === 'function');
  return (loaded = found as TarStream);
}
