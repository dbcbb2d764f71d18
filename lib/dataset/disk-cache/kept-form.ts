import { TFRecordError } from '../../base';
import {
  exampleParsing,
  sequenceParsing,
  sequenceSpecFromJSON,
  specFromJSON,
  type ParsedAs,
  type RecordParsing,
} from '../../example';
import type { Int64As } from '../../tensor';
import { parsedForm, RAW } from '../engine/record-forms';
import type { RecordForm } from '../engine/records';
import type { Scope } from '../engine/scope';

/** The way to parse rows, as JSON. */
export interface FormData {
  readonly kind: 'parse' | 'parseSequence';
  readonly int64: Int64As;
  /** Left out for bytes: caches of older versions have no such member. */
  readonly bytes?: 'text';
  readonly spec: unknown;
  /** The key of the parsing, by which equal forms are recognised. */
  readonly key: string;
}

const sources = new WeakMap<RecordForm, () => FormData>();

/** Notes that `source` describes how `form` parses rows. */
export function noteForm(form: RecordForm, source: () => FormData): RecordForm {
  sources.set(form, source);
  return form;
}

/** The data that `form` is written as; null for records as they are, undefined for a form that cannot be made again. */
export function formData(form: RecordForm): FormData | null | undefined {
  return form === RAW ? null : sources.get(form)?.();
}

/** The form that `data` was made of. @throws TFRecordError TFR_STATE_MISMATCH where it cannot be made again */
export function keptForm(data: FormData | null, scope: Scope): RecordForm {
  if (data === null) return RAW;
  const parsing = parsingOf(data);
  if (parsing.key !== data.key) {
    throw new TFRecordError('TFR_STATE_MISMATCH', 'Rows of the cache were parsed in another way. Delete the cache.', {
      expected: parsing.key,
      found: data.key,
    });
  }
  return scope.form(parsing.key, () => noteForm(parsedForm(parsing, scope.memory), () => data));
}

function parsingOf({ kind, int64, bytes, spec }: FormData): RecordParsing {
  const as: ParsedAs = { int64, bytes: bytes ?? 'bytes' };
  return kind === 'parse' ? exampleParsing(specFromJSON(spec), as) : sequenceParsing(sequenceSpecFromJSON(spec), as);
}
