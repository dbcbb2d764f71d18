/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Loads Arrow's package, which users install themselves, when it is first used. */
import { checkPeer, loadPeer, type PeerVersions } from '../base';

type Arrow = typeof import('apache-arrow');

const VERSIONS: PeerVersions = {
  name: 'apache-arrow',
  install: '^21.2.0',
  lowest: '21.1',
  tried: ['21.1.0', '21.2.0'],
};

/** The copy that the program imported, or that was loaded. */
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
    // Version 21.1 brought it. The package does not say its version.
    checkPeer(user, VERSIONS, undefined, 'compressionRegistry' in copyInUse);
    isChecked = true;
  }
  return copyInUse;
}

/**
 * Uses `copy` from now on. `import` and `require` give two copies of the package, and neither works with the types that the
 * other made, so the ESM entry hands over that of `import`.
 */
export function useArrow(copy: Arrow): void {
  copyInUse = copy;
  isChecked = false;
}
