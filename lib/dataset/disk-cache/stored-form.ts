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

/** The settings of parsing rows, as JSON. */
export interface FormData {
  readonly kind: 'parse' | 'parseSequence';
  readonly int64: Int64As;
  /** Missing if values are bytes: caches of older versions do not have this member. */
  readonly bytes?: 'text';
  readonly spec: unknown;
  /** The key of the parsing: equal forms have equal keys. */
  readonly key: string;
}

const sources = new WeakMap<RecordForm, () => FormData>();

/** Registers `source`, which describes how `form` parses rows. Returns `form`. */
export function noteForm(form: RecordForm, source: () => FormData): RecordForm {
  sources.set(form, source);
  return form;
}

/** Returns the stored data of `form`: null for raw records, undefined for a form that cannot be restored. */
export function formData(form: RecordForm): FormData | null | undefined {
  return form === RAW ? null : sources.get(form)?.();
}

/** Restores the form that `data` describes. @throws TFRecordError TFR_STATE_MISMATCH if it cannot be restored */
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
