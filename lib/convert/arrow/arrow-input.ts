/** Reads files and streams of Arrow. */
import { open } from 'node:fs/promises';

import { ArrowFile, ArrowStream } from '../../arrow';
import { fromNodeError } from '../../base';
import type { InputFormat, ReadSettings } from '../format';
import { watched } from '../input/watched-pull';
import { columnReading, tableInput, type TableFile, type TableInput } from '../table/table-input';
import { unzipped } from '../input/unzipped';

export const arrowInput: InputFormat = tableInput({ name: 'arrow', open: openArrow, streams: true });

/** The first bytes decide between file and stream: both often have the same extension. */
async function openArrow({ path, file, pull }: TableInput, settings: ReadSettings): Promise<TableFile> {
  const { rounds, signal } = settings;
  const options = { ...columnReading(settings), file, rounding: rounds, isConversion: true };
  if (path !== undefined && (await isArrowFile(path, file))) return ArrowFile.open(path, options);
  const stored = watched(await pull(), signal);
  const stream = await ArrowStream.open(await unzipped(stored, file), options);
  return {
    table: stream.table,
    get bytes() {
      return stored.bytes;
    },
    get counted() {
      return stream.counted;
    },
    countRows: () => stream.countRows(),
    batches: () => stream.batches(),
    close: () => stream.close(),
  };
}

async function isArrowFile(path: string, file: string): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      return await ArrowFile.isBegunBy(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fromNodeError(error, file, 'open');
  }
}
