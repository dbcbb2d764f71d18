/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Loads Arrow's package, which users install themselves, when it is first used. */
import { loadPeer } from '../peer';

type Arrow = typeof import('apache-arrow');

/** The copy that the program imported. */
let imported: Arrow | undefined;

/** @throws TFRecordError ERR_MODULE_NOT_FOUND */
export function arrow(): Arrow {
  if (imported !== undefined) return imported;
  return loadPeer(
    'tfrecord-native/arrow',
    { 'apache-arrow': '^21.2.0' },
    () => require('apache-arrow') as unknown as Arrow,
  );
}

/**
 * Uses `copy` from now on. `import` and `require` give two copies of the package, and neither works with the types that the
 * other made, so the ESM entry hands over that of `import`.
 */
export function useArrow(copy: Arrow): void {
  imported = copy;
}
