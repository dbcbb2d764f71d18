/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Loads Arrow's package, which users install themselves, on first use. */
import { checkPeer, loadPeer, type PeerVersions } from '../base';

type Arrow = typeof import('apache-arrow');

const VERSIONS: PeerVersions = {
  name: 'apache-arrow',
  install: '^21.2.0',
  lowest: '21.1',
  tried: ['21.1.0', '21.2.0'],
};

/** The copy of the package that the program imported, or that was loaded here. */
let copyInUse: Arrow | undefined;
let isChecked = false;

/** @throws TFRecordError ERR_MODULE_NOT_FOUND if the package is not installed, or too old */
export function arrow(): Arrow {
  const user = 'tfrecord-native/arrow';
  copyInUse ??= loadPeer(
    user,
    { [VERSIONS.name]: VERSIONS.install },
    () => require('apache-arrow') as unknown as Arrow,
  );
  if (!isChecked) {
    // The package does not export its version, but this member exists since 21.1.
    checkPeer(user, VERSIONS, undefined, 'compressionRegistry' in copyInUse);
    isChecked = true;
  }
  return copyInUse;
}

/**
 * Uses `copy` from now on. `import` and `require` load two copies of the package, and neither accepts types of the
 * other, so the ESM entry passes the copy of `import`.
 */
export function useArrow(copy: Arrow): void {
  copyInUse = copy;
  isChecked = false;
}
