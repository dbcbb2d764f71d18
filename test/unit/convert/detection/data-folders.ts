/** Makes folders of data sets, and reads what conversions of them gave. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { decodeExample, encodeExample, type FeatureLike } from '../../../../lib';
import { convert, type ConvertOptions, type ConvertReport } from '../../../../lib/convert';
import type { Folder } from '../../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';

/** A new folder with these files. */
export function files(folder: Folder, content: Readonly<Record<string, string | Uint8Array>>): string {
  const path = folder.fresh();
  mkdirSync(path);
  for (const [name, data] of Object.entries(content)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), data);
  }
  return path;
}

export type Row = Record<string, unknown>;

/** The features of the records of a TFRecord file: texts as strings, int64 as numbers; pictures are left out. */
export function rowsIn(path: string): Row[] {
  return wholeRecords(readFileSync(path)).map((record) => {
    const row: Row = {};
    for (const [name, feature] of Object.entries(decodeExample(record))) {
      if (name === 'image/encoded') continue;
      const values = feature === undefined ? [] : [...(feature.values as Iterable<unknown>)];
      row[name] = values.map((value) => {
        if (value instanceof Uint8Array) return Buffer.from(value).toString();
        return typeof value === 'bigint' ? Number(value) : value;
      });
    }
    return row;
  });
}

/** Converts the data set `input` to TFRecords, and returns their rows and the report. */
export async function converted(
  folder: Folder,
  input: string,
  options: ConvertOptions,
): Promise<{ rows: Row[]; report: ConvertReport; out: string }> {
  const out = folder.fresh();
  const report = await convert(input, out, options);
  return { rows: rowsIn(out), report, out };
}

/** A TFRecord file of Examples with these features; undefined ones are left out. */
export function recordsFile(
  folder: Folder,
  examples: readonly Readonly<Record<string, FeatureLike | undefined>>[],
): string {
  const path = folder.fresh();
  const records = examples.map((features) =>
    encodeExample(
      Object.fromEntries(
        Object.entries(features).filter((entry): entry is [string, FeatureLike] => entry[1] !== undefined),
      ),
    ),
  );
  writeFileSync(path, tfrecord(records));
  return path;
}
