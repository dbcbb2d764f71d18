/** Copies streams, for formats that are read more than once. */
import { open } from 'node:fs/promises';

import { invalidArgValue } from '../errors';
import { fromNodeError, pullStored } from '../record';
import type { ReadSettings } from './format';
import { inputsOf, type Inputs } from './inputs';
import { watched } from './watched-pull';

/** Copies the bytes of the only input to the new file `path`. @throws TypeError if there are several inputs */
export async function copyBytes(inputs: Inputs, { signal }: ReadSettings, path: string): Promise<Inputs> {
  const [{ file }] = inputs.files as [Inputs['files'][number]];
  if (inputs.files.length > 1) {
    const stream = inputs.files.find(({ bytes }) => bytes === undefined)!.file;
    throw invalidArgValue('input', 'files, or one stream, because they are read twice', stream);
  }
  const pull = watched(await pullStored(inputs.source, 0), signal);
  try {
    const handle = await open(path, 'w').catch((cause: unknown) => {
      throw fromNodeError(cause, path, 'open');
    });
    try {
      for (let chunk = await pull.next(); chunk !== undefined; chunk = await pull.next()) {
        await handle.writeFile(chunk).catch((cause: unknown) => {
          throw fromNodeError(cause, path, 'write');
        });
      }
    } finally {
      await handle.close();
    }
  } finally {
    await pull.close();
  }
  return { ...inputsOf([{ file: path, bytes: pull.bytes, modified: undefined }]), copyOf: file };
}
