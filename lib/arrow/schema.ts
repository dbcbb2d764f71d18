/** Makes Arrow schemas from specs, with metadata for converting back. */
import type { Field, Schema } from 'apache-arrow';

import { planSpec, specText, type SequenceExampleSpec, type Spec } from '../example';
import { tableOfPlan, type Table } from '../table';
import { fileType, listType, valueType } from './nested';
import { arrow } from './peer';

/** Metadata of a schema: the spec as JSON; for SequenceExamples, as `{ "context": …, "sequence": … }`. */
export const SPEC = 'tfrecord.spec';
/** Metadata of a column: the name of its feature, if it differs from the name of the column. */
export const KEY = 'tfrecord.key';
/** Metadata of the columns of SequenceExamples: `context`, or `sequence` for feature lists. */
export const SECTION = 'tfrecord.section';

/** The names of sections in metadata. */
export const SECTIONS = ['context', 'sequence'] as const;

/**
 * Returns the Arrow schema of the features that `spec` reads, of Examples or of SequenceExamples (`{ context, sequence
 * }`): the schema of {@link arrowBatches}. There is a column for each stored feature:
 *
 * - int64 is `Int64`, float32 `Float32`, bytes `Binary`, and text `Utf8`.
 * - `fixedLen([])` is such a value, `fixedLen([2, 3])` a `FixedSizeList` of 2 of `FixedSizeList`s of 3.
 * - `varLen` and `fixedLenSequence` are `List`s of all values of a record. `sparse` and `ragged` read several features,
 *   each of which is such a column.
 * - A feature list is a `List` of steps, and each step has the form above.
 *
 * A feature that records may lack is nullable: null is a missing feature, `[]` an empty one. The schema's metadata has
 * the spec, so files of Arrow can be converted back without an option.
 *
 * @throws TFRecordError TFR_SPEC for a spec that is wrong; ERR_MODULE_NOT_FOUND without `apache-arrow`
 *
 * @example
 * const schema = arrowSchema({ id: fixedLen([], 'int64'), tags: varLen('text') });
 * console.log(String(schema)); // Schema<{ 0: id: Int64, 1: tags: List<Utf8> }>
 */
export function arrowSchema(spec: Spec | SequenceExampleSpec): Schema {
  const plan = planSpec(spec);
  arrow();
  return schemaOfTable(tableOfPlan(plan), specText(spec));
}

/**
 * The schema of `table`. `spec`: the spec of the table, as JSON. `files`: the schema is
 * one of Hugging Face's `datasets`, in which everything may be null, and the values of these columns are structs of
 * `bytes` and `path`.
 */
export function schemaOfTable(
  { columns, sequenceExample }: Table,
  spec: string | undefined,
  files?: ReadonlySet<string>,
): Schema {
  const fields = columns.map(({ name, key, section, dtype, shape, nullable }) => {
    const levels = [...(section === 1 ? [undefined] : []), ...(shape ?? [undefined])];
    const type = files?.has(name) === true ? fileType() : valueType(dtype);
    return fieldOf(
      name,
      listType(levels, type, files !== undefined),
      nullable || files !== undefined,
      key,
      sequenceExample ? section : undefined,
    );
  });
  return newSchema(fields, spec);
}

/** The schema of `fields`. `spec`: the spec as JSON, if there is one. */
export function newSchema(fields: Field[], spec?: string): Schema {
  return new (arrow().Schema)(fields, new Map(spec === undefined ? [] : [[SPEC, spec]]));
}

/** The field of feature `key`. `section`: its section, for SequenceExamples. */
export function fieldOf(
  name: string,
  type: Field['type'],
  nullable: boolean,
  key: string,
  section: 0 | 1 | undefined,
): Field {
  const metadata = new Map<string, string>();
  if (key !== name) metadata.set(KEY, key);
  if (section !== undefined) metadata.set(SECTION, SECTIONS[section]);
  return new (arrow().Field)(name, type, nullable, metadata);
}
