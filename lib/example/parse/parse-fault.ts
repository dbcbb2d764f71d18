/** Converts faults of native code, for records that do not fit a plan, to errors. */
import type { TFRecordError } from '../../base';
import { memoryError, tfrecordError, advice, setting, worded, type Text } from '../../base';
import { ParseFaultCode, type ParseFault, type PlanColumn, type RecordTypeCode } from '../../native';
import { SAFE_INT64S } from '../../tensor';
import { tooLarge, type FeatureFault } from '../columns';
import { foreignType, quoted, readWith, typeCode, typeCodeOf, type OtherType } from '../feature';
import type { Plan } from './plan';

/** The origin of a record, as far as it is known. */
export interface RecordPlace {
  readonly file?: string | undefined;
  readonly record: number;
  readonly offset?: number | undefined;
}

const DTYPES = ['nothing', 'bytes', 'float32', 'int64'] as const;

/** True if `fault` concerns all records together, not a single one. */
export function isTheBatch({ code }: ParseFault): boolean {
  return code === ParseFaultCode.TooLarge || code === ParseFaultCode.OutOfMemory;
}

/**
 * Returns the error for `fault` of the record at `place`. `rows` is the number of records of the batch before it.
 * `other` is the type of the record, if it is clearly not that of the plan.
 */
export function parseFaultError(
  plan: Plan,
  fault: ParseFault,
  place: RecordPlace,
  rows: number,
  other?: OtherType,
): TFRecordError {
  const column = plan.columns[fault.column];
  const key = plan.keys[fault.column];
  const step = fault.step === undefined ? '' : `, step ${fault.step}`;
  switch (fault.code) {
    case ParseFaultCode.OutOfMemory:
      return memoryError(place.file ?? '<bytes>');
    case ParseFaultCode.TooLarge:
      return tooLarge(key ?? '', rows + 1, 2 ** 31, 'values or bytes');
    case ParseFaultCode.Malformed:
      return malformed(plan, fault, place, key, step, other);
    case ParseFaultCode.Foreign:
      return foreignTypeError(nounOf(plan), place, typeCodeOf(fault.found));
    default: {
      const { expected, found, cure } = mismatch(fault, column!);
      const where = `${capital(placeText(place))}${step}`;
      return tfrecordError(
        'TFR_FEATURE',
        worded`${where}. Feature ${quoted(key!)}: expected ${expected}, found ${found}.${advice` ${other === undefined ? cure : readWith(other)}.`}`,
        { ...placeDetails(place), feature: key, expected, found },
      );
    }
  }
}

/**
 * Returns the error for a record that was parsed, but one of whose features cannot be composed. `other`: see {@link
 * parseFaultError}.
 */
export function featureFaultError(
  { feature, expected, found, message }: FeatureFault,
  place: RecordPlace,
  other?: OtherType,
): TFRecordError {
  const cure = other === undefined ? undefined : advice` ${readWith(other)}.`;
  return tfrecordError('TFR_FEATURE', worded`${capital(placeText(place))}. ${message}.${cure}`, {
    ...placeDetails(place),
    feature,
    expected,
    found,
  });
}

function malformed(
  plan: Plan,
  { byte }: ParseFault,
  place: RecordPlace,
  key: string | undefined,
  step: string,
  other: OtherType | undefined,
): TFRecordError {
  const where = key === undefined ? '' : `, in feature ${quoted(key)}${step}`;
  const at = byte === undefined ? '' : ` at its byte ${byte}`;
  const cause = other === undefined ? undefined : `${readWith(other)}.`;
  return notExample(nounOf(plan), place, `the protobuf data is malformed${at}${where}`, {
    cause,
    feature: key,
    found: `malformed data${at}`,
  });
}

function nounOf({ sequenceExample }: Plan): string {
  return sequenceExample ? 'a SequenceExample' : 'an Example';
}

/** Returns the error for `record` at `place`, which is not `kind`, but of another type. */
export function foreignError(kind: string, place: RecordPlace, record: Uint8Array): TFRecordError {
  return foreignTypeError(kind, place, typeCode(record));
}

export function foreignTypeError(kind: string, place: RecordPlace, code: RecordTypeCode): TFRecordError {
  const { name, advice } = foreignType(code);
  return notExample(kind, place, `it seems to be ${name}`, { cause: advice, found: name });
}

const CUT = 'The record was cut or overwritten before it was framed, or holds something else.';

/**
 * Returns the error for the record at `place`, which is not `kind` for the given `reason`. `cause` is a sentence; by
 * default that the record was damaged.
 */
export function notExample(
  kind: string,
  place: RecordPlace,
  reason: string,
  { cause = CUT, feature, found }: NotExample,
): TFRecordError {
  return tfrecordError('TFR_EXAMPLE', worded`${capital(placeText(place))} is not ${kind}: ${reason}. ${cause}`, {
    ...placeDetails(place),
    feature,
    expected: kind,
    found,
  });
}

interface NotExample {
  readonly cause?: string | undefined;
  readonly feature?: string | undefined;
  readonly found: string;
}

function mismatch(fault: ParseFault, column: PlanColumn): { expected: string; found: string; cure: Text } {
  const dtype = DTYPES[column.kind];
  const expected = `${column.count < 0 ? '' : `${column.count} `}${dtype} ${column.count === 1 ? 'value' : 'values'}`;
  switch (fault.code) {
    case ParseFaultCode.Missing:
      return column.section === 1
        ? {
            expected: `a list of ${expected}`,
            found: 'no such feature list',
            cure: 'Check the name; allowMissing: true reads it as one without steps',
          }
        : {
            expected,
            found: 'no such feature',
            cure: `Check the name, give fixedLen a default, or use varLen('${dtype}')`,
          };
    case ParseFaultCode.Kindless:
      return {
        expected,
        found: 'a feature without a kind',
        cure: `It sets none of bytes_list, float_list and int64_list: give fixedLen a default, or use varLen('${dtype}')`,
      };
    case ParseFaultCode.Kind:
      return {
        expected,
        found: `${DTYPES[fault.foundKind]} values`,
        cure: `Read it as '${DTYPES[fault.foundKind]}'`,
      };
    case ParseFaultCode.Count:
      return { expected, found: String(fault.found), cure: countAdvice(column, dtype, fault.found) };
    default:
      return {
        expected: SAFE_INT64S,
        found: String(fault.found),
        cure: worded`${setting('int64', 'bigint')} reads all`,
      };
  }
}

function countAdvice({ section, count }: PlanColumn, dtype: string, found: unknown): string {
  if (section === 1) return `varLen('${dtype}') reads steps of any length`;
  // The feature is probably an image or an array that was stored as one string.
  if (dtype === 'bytes' && String(found) === '1' && count > 1) {
    return "fixedLen([], 'bytes') reads the one value, and decodeRaw() its bytes as numbers";
  }
  return `varLen('${dtype}') reads any number of values`;
}

function placeDetails({ file, record, offset }: RecordPlace): RecordPlace {
  return { file, record, offset };
}

function placeText({ file, record, offset }: RecordPlace): string {
  const inFile = file === undefined ? '' : ` of ${file}`;
  return `record ${record}${inFile}${offset === undefined ? '' : ` (byte ${offset})`}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
