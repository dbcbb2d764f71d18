/* eslint-disable @typescript-eslint/no-require-imports -- optional packages, loaded when they are first needed */
/** Loads the packages of tfjs, which users install themselves, when they are first used. */
import { TFRecordError } from '../../errors';

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
  try {
    return load();
  } catch (cause) {
    if (!isAbsent(cause, name)) throw cause;
    throw new TFRecordError(
      'ERR_MODULE_NOT_FOUND',
      `tfrecord-native/tfjs needs ${name}, which is not installed: npm install ${name}@^4.22.0`,
      { cause },
    );
  }
}

/** True if `error` says that the package `name` itself is missing, not one of its own dependencies. */
function isAbsent(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'MODULE_NOT_FOUND' && String(message).split('\n')[0]?.includes(`'${name}'`) === true;
}
