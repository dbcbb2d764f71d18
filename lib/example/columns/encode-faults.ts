/** Errors of the encoder for data; invalid arguments are TypeErrors. */
import { counted, invalidArgValue, memoryError, orNoMemory, TFRecordError } from '../../base';
import { EncodeFaultCode, type EncodeFault } from '../../native';
import { ENCODED } from '../../record';
import { quoted } from '../feature';

/** Maximum bytes of a batch: positions in a slab have 32 bits. */
export const MAX_BATCH_BYTES = 0xffff_ffff;
/**
 * Maximum number of values in a column, and of bytes in an Example: positions are int32, which is also protobuf's
 * limit.
 */
export const MAX_SIZE = 0x7fff_ffff;

/** Returns the error TFR_FEATURE for row `row` of a column, which parsing would not restore. */
export function columnError(row: number, feature: string, expected: string, found: string): TFRecordError {
  const message = `Row ${row}. Feature ${quoted(feature)}: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_FEATURE', message, { record: row, feature, expected, found });
}

/** Returns the error TFR_RECORD_TOO_LARGE if a slab has room for at most `fitting` rows. */
export function batchTooLarge(fitting: number): TFRecordError {
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `The rows take more than ${MAX_BATCH_BYTES} bytes, the most that one batch holds: encode at most ` +
      `${counted(Math.max(1, fitting), 'row')} at a time.`,
    { file: ENCODED, expected: `at most ${MAX_BATCH_BYTES} bytes` },
  );
}

/** Returns the error TFR_RECORD_TOO_LARGE for a column with more values, or bytes, than positions can address. */
export function columnTooLarge(feature: string, size: number, unit: string): TFRecordError {
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `Feature ${quoted(feature)} has ${size} ${unit}, more than one column holds: encode fewer rows at a time.`,
    { feature, expected: `at most ${MAX_SIZE} ${unit}`, found: `${size} ${unit}` },
  );
}

/** Returns the error for a fault that native code found; `key` is that of the column. */
export function encodeFaultError({ code, row }: EncodeFault, key: string): Error {
  switch (code) {
    case EncodeFaultCode.OutOfMemory:
      return memoryError(ENCODED);
    case EncodeFaultCode.BatchTooLarge:
      return batchTooLarge(row);
    case EncodeFaultCode.ExampleTooLarge:
      return new TFRecordError(
        'TFR_RECORD_TOO_LARGE',
        `Row ${row} takes more than ${MAX_SIZE} bytes, protobuf's limit for an Example: split it.`,
        { file: ENCODED, record: row, expected: `at most ${MAX_SIZE} bytes` },
      );
    case EncodeFaultCode.Offsets:
      return invalidArgValue(`columns: ${quoted(key)}`, 'byte strings whose offsets ascend and stay in the data', row);
    case EncodeFaultCode.Rows:
      return invalidArgValue(`columns: ${quoted(key)}`, 'values that stay as they are while they are encoded', row);
  }
}

/** Returns the result of `make`, which allocates arrays of at most `bytes`. @throws TFRecordError like `orNoMemory` */
export function allocated<T>(bytes: number, make: () => T): T {
  return orNoMemory(ENCODED, bytes, make);
}
