/** The whole library over WebAssembly, beside the one that the test itself imports. */
import type * as library from '../../lib';
import { wasmFile } from './wasm-module';

export type Library = typeof library;

/** Loads it anew. Errors are of its own classes: compare their codes. */
export function libraryOverWasm(): Library {
  const named = process.env['TFRECORD_NATIVE_BINDING'];
  process.env['TFRECORD_NATIVE_BINDING'] = wasmFile;
  try {
    let loaded: Library | undefined;
    jest.isolateModules(() => {
      loaded = jest.requireActual<Library>('../../lib');
      // The binding is found at the first call at the latest.
      loaded.crc32c(new Uint8Array(1));
    });
    return loaded!;
  } finally {
    if (named === undefined) delete process.env['TFRECORD_NATIVE_BINDING'];
    else process.env['TFRECORD_NATIVE_BINDING'] = named;
  }
}
