/** Infers the columns of records without a spec from the first records. */
import { isUtf8 } from 'node:buffer';

import { placedError, TFRecordError } from '../base';
import { decodeSequenceExample, type DecodedFeature, type DecodedSequenceExample } from '../example';
import { readPlacedRecordsSync, type ErrorAction, type OnError, type ReadOptions } from '../record';
import { newTable, type FeatureColumn, type Table } from '../table';
import type { DType } from '../tensor';

/** Maximum number of records to sample. The next line limits their bytes. */
export const SAMPLE_RECORDS = 1000;
const SAMPLE_BYTES = 16 * 1024 * 1024;

/**
 * The table of the features in the first records of `paths`, sorted by name. Any of them may be missing from a record.
 * A feature that always has one value is a single value, any other a list. Bytes are text if all of them are UTF-8
 * without control characters other than tabs and line ends.
 * @throws TFRecordError TFR_FEATURE for a feature of several types; the errors of reading, if no record comes before
 *   them
 */
export function sampleTable(paths: readonly string[], options: ReadOptions): Table {
  const context = new Map<string, FeatureSample>();
  const lists = new Map<string, FeatureSample>();
  const { onError } = options;
  const skips = onError !== undefined && onError !== 'throw';
  const accepts = (error: TFRecordError): ErrorAction => {
    return skips && (typeof onError !== 'function' || onError(error) !== 'throw') ? 'skip' : 'throw';
  };
  let records = 0;
  let bytes = 0;
  try {
    const salvages = onError === 'salvage' || (typeof onError === 'object' && onError.action === 'salvage');
    const policy: OnError = salvages ? { action: 'salvage', maxRate: 1 } : accepts;
    const source = readPlacedRecordsSync([...paths], { ...options, readAhead: 0, onError: policy });
    for (const record of source) {
      try {
        const decoded = decodedRecord(record, skips);
        if (decoded === undefined) continue;
        for (const [name, feature] of Object.entries(decoded.context)) sampleOf(context, name).add(feature);
        for (const [name, steps] of Object.entries(decoded.featureLists)) {
          const sample = sampleOf(lists, name);
          for (const step of steps) sample.add(step);
        }
      } catch (error) {
        throw error instanceof TFRecordError ? placedError(error, source.origin()) : error;
      }
      bytes += record.length;
      if (++records === SAMPLE_RECORDS || bytes >= SAMPLE_BYTES) break;
    }
  } catch (error) {
    // The scan, too, will find the damage, after the records before it.
    if (records === 0 || !(error instanceof TFRecordError) || error.code === 'TFR_FEATURE') throw error;
  }
  const columns = [columnsOf(context, 0), columnsOf(lists, 1)];
  return newTable(columns.flat(), lists.size > 0);
}

/** The features of `record`; undefined if they cannot be read and `skips` is true. */
function decodedRecord(record: Uint8Array, skips: boolean): DecodedSequenceExample | undefined {
  try {
    return decodeSequenceExample(record);
  } catch (error) {
    if (skips && error instanceof TFRecordError) return undefined;
    throw error;
  }
}

function sampleOf(samples: Map<string, FeatureSample>, name: string): FeatureSample {
  let sample = samples.get(name);
  if (sample === undefined) samples.set(name, (sample = new FeatureSample(name)));
  return sample;
}

function columnsOf(samples: ReadonlyMap<string, FeatureSample>, section: 0 | 1): FeatureColumn[] {
  const names = [...samples.keys()].sort();
  return names.flatMap((key) => {
    const { dtype, single } = samples.get(key)!;
    // The feature never had a type.
    if (dtype === undefined) return [];
    return { key, section, dtype, shape: single ? [] : undefined, nullable: true };
  });
}

const DTYPES = { int64: 'int64', float: 'float32', bytes: 'bytes' } as const;

/** The values of one feature, or the steps of one feature list, in the sampled records. */
class FeatureSample {
  /** True while each record had exactly one value. */
  single = true;
  readonly #name: string;
  #stored: 'int64' | 'float32' | 'bytes' | undefined;
  #isText = true;

  constructor(name: string) {
    this.#name = name;
  }

  get dtype(): DType | undefined {
    return this.#stored === 'bytes' && this.#isText ? 'text' : this.#stored;
  }

  /** @throws TFRecordError TFR_FEATURE */
  add(feature: DecodedFeature | undefined): void {
    if (feature === undefined) return;
    const { kind, values } = feature;
    const stored = DTYPES[kind];
    this.#stored ??= stored;
    if (stored !== this.#stored) {
      throw new TFRecordError(
        'TFR_FEATURE',
        `Feature ${JSON.stringify(this.#name)} has values of two types: expected ${this.#stored} values, as before, ` +
          `found ${stored} values. A spec without the feature reads the others`,
        { feature: this.#name, expected: `${this.#stored} values`, found: `${stored} values` },
      );
    }
    if (values.length !== 1) this.single = false;
    if (kind !== 'bytes' || !this.#isText) return;
    for (const value of values) this.#isText &&= isText(value);
  }
}

function isText(bytes: Uint8Array): boolean {
  for (const [i, byte] of bytes.entries()) {
    if (byte < 0x20 ? byte !== 0x09 && byte !== 0x0a && byte !== 0x0d : byte === 0x7f) return false;
    // U+0080 to U+009F.
    if (byte === 0xc2 && bytes[i + 1]! < 0xa0) return false;
  }
  return isUtf8(bytes);
}
