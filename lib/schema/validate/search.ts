/** Holds the batches of a survey against rules, and finds the records that break them. */
import type { LoopTurns } from '../../base';
import { decodeNamed } from '../../example';
import type { RecordBatch } from '../../record';
import {
  newTable,
  parseTable,
  type FeatureSurvey,
  type OwnSurvey,
  type Survey,
  type SurveySoFar,
  type Table,
  type Vector,
} from '../../table';
import type { FeatureSection } from '../feature';
import { pathOf, type AnomalousRecord, type Anomaly } from './anomaly';
import { newColumnRule } from './presence-rules';
import { isValueRule, itemsOf, type Rule, type Surveyed, type ValueRule } from './rule';
import { placeKey, type SchemaRules } from './schema-rules';
import { bufferOf, keyOf } from './value-key';

/** Most records that are named for an anomaly. */
const MOST_RECORDS = 3;
/** Records, values or features that are looked at between two looks at the clock. */
const AT_ONCE = 64;

/** A rule, and the records that were found to break it. */
interface Held<R extends Rule = Rule> {
  readonly rule: R;
  readonly records: AnomalousRecord[];
}

export class Search {
  readonly #held: Held[];
  readonly #known: Set<string>;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #turns: LoopTurns;
  #table: { readonly columns: string; readonly table: Table } | undefined;

  /** `wanted`: names of the features to look at; undefined for all. */
  constructor({ rules, known }: SchemaRules, wanted: ReadonlySet<string> | undefined, turns: LoopTurns) {
    this.#held = rules.map((rule) => ({ rule, records: [] }));
    this.#known = new Set(known);
    this.#wanted = wanted;
    this.#turns = turns;
  }

  readonly onRecords = async (batch: RecordBatch, known: SurveySoFar): Promise<void> => {
    const own = await this.#surveyed(batch.length, known.own);
    const single: Held[] = [];
    const values: Held<ValueRule>[] = [];
    for (const [i, held] of this.#held.entries()) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      if (!isOpen(held) || !held.rule.suspects(own)) continue;
      if (isHeldValue(held)) values.push(held);
      else single.push(held);
    }
    if (single.length > 0) await this.#look(batch, single);
    if (values.length > 0) await this.#takeValues(batch, values, own, known.lists);
  };

  /** Surveys the records of a batch. Notes features that the schema does not have. */
  async #surveyed(records: number, own: OwnSurvey): Promise<Surveyed> {
    const features: FeatureSurvey[] = [];
    for (let i = 0; i < own.features; i++) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      const feature = own.feature(i);
      features.push(feature);
      const { section, name } = feature;
      const key = placeKey(section, name);
      if (feature.records === 0 || this.#known.has(key)) continue;
      this.#known.add(key);
      if (this.#wanted?.has(name) === false) continue;
      const place = { section, name, path: pathOf(section, name) };
      this.#held.push({ rule: newColumnRule(place, 'the schema has not'), records: [] });
    }
    return surveyedOf(records, features);
  }

  /** Looks at the records of `batch` one by one, until all rules have found what they look for. */
  async #look(batch: RecordBatch, searching: readonly Held[]): Promise<void> {
    const names = new Set(searching.flatMap(({ rule }) => rule.names));
    for (let i = 0; i < batch.length; i++) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      const open = searching.filter(isOpen);
      if (open.length === 0) return;
      const record = decodeNamed(batch.at(i)!, names);
      for (const held of open) if (held.rule.breaks(record)) note(held, batch, i);
    }
  }

  /** Gives the values of a batch to rules that look at all. */
  async #takeValues(
    batch: RecordBatch,
    searching: readonly Held<ValueRule>[],
    own: Surveyed,
    lists: boolean,
  ): Promise<void> {
    const places = new Map<string, Held<ValueRule>[]>();
    for (const held of searching) {
      const key = placeKey(held.rule.section, held.rule.names[0]!);
      places.set(key, [...(places.get(key) ?? []), held]);
    }
    const columns: (readonly Held<ValueRule>[])[] = [];
    for (const some of places.values()) {
      const { section, names } = some[0]!.rule;
      const { bytes, int64, float32 } = own.feature(section, names[0]!)!.kinds;
      // A column has one type.
      if (bytes > 0 && int64 === 0 && float32 === 0) columns.push(some);
      else await this.#decodeValues(batch, some);
    }
    if (columns.length > 0) await this.#parseValues(batch, columns, lists);
  }

  async #parseValues(
    batch: RecordBatch,
    columns: readonly (readonly Held<ValueRule>[])[],
    lists: boolean,
  ): Promise<void> {
    const { value, error } = await parseTable(batch, this.#tableOf(columns, lists), true);
    if (error !== undefined) throw error;
    for (const [i, vector] of value.vectors.entries()) {
      const data = bufferOf(vector.values as Uint8Array);
      const offsets = vector.offsets!;
      for (let row = 0; row < value.rows; row++) {
        if (row % AT_ONCE === 0) await this.#turns.breathe();
        const [begin, end] = valuesOf(vector, row);
        for (let at = begin; at < end; at++) {
          const key = keyOf(data, offsets[at]!, offsets[at + 1]!);
          for (const held of columns[i]!) if (held.rule.take(key)) note(held, batch, row);
        }
      }
    }
  }

  #tableOf(columns: readonly (readonly Held<ValueRule>[])[], lists: boolean): Table {
    const described = columns.map(([first]) => {
      const { section, names } = first!.rule;
      return {
        key: names[0]!,
        section: section === 'context' ? 0 : 1,
        dtype: 'bytes',
        shape: undefined,
        nullable: true,
      } as const;
    });
    const key = JSON.stringify([described, lists]);
    if (this.#table?.columns !== key) this.#table = { columns: key, table: newTable(described, lists) };
    return this.#table.table;
  }

  /** As {@link #parseValues}, of one feature with values of several kinds. */
  async #decodeValues(batch: RecordBatch, searching: readonly Held<ValueRule>[]): Promise<void> {
    const { section, names } = searching[0]!.rule;
    const wanted = new Set(names);
    for (let i = 0; i < batch.length; i++) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      for (const item of itemsOf(decodeNamed(batch.at(i)!, wanted), section, names[0]!) ?? []) {
        if (item === undefined || item.kind === 'float') continue;
        const keys =
          item.kind === 'bytes'
            ? Array.from(item.values, (value) => keyOf(bufferOf(value), 0, value.length))
            : Array.from(item.values, String);
        for (const held of searching) {
          if (item.kind === 'int64' && !held.rule.integers) continue;
          for (const key of keys) if (held.rule.take(key)) note(held, batch, i);
        }
      }
    }
  }

  /** The anomalies, when all batches were looked at. */
  async anomalies(survey: Survey): Promise<Anomaly[]> {
    const all = surveyedOf(survey.records, survey.features);
    const found: Anomaly[] = [];
    for (const [i, { rule, records }] of this.#held.entries()) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      const { path } = rule;
      for (const { type, message } of rule.verdict(all, records.length)) {
        found.push({ feature: path.join('.'), path, type, message, records });
      }
    }
    return found;
  }
}

function surveyedOf(records: number, features: readonly FeatureSurvey[]): Surveyed {
  const byPlace = new Map<string, FeatureSurvey>();
  // Features without records were in refused records alone.
  for (const each of features) if (each.records > 0) byPlace.set(placeKey(each.section, each.name), each);
  return { records, feature: (section: FeatureSection, name: string) => byPlace.get(placeKey(section, name)) };
}

function isHeldValue(held: Held): held is Held<ValueRule> {
  return isValueRule(held.rule);
}

/** True if more records are to be found, or counted. */
function isOpen({ rule, records }: Held): boolean {
  return records.length < MOST_RECORDS || rule.countsRecords === true || (isValueRule(rule) && rule.counts);
}

/** Notes that record `index` of `batch` breaks a rule. */
function note({ records }: Held, batch: RecordBatch, index: number): void {
  if (records.length === MOST_RECORDS) return;
  const { file, record } = batch.origin(index)!;
  const last = records.at(-1);
  if (last?.file !== file || last.record !== record) records.push({ file, record });
}

/** The first value of a row, and the one behind its last. */
function valuesOf({ steps, splits }: Vector, row: number): readonly [number, number] {
  if (steps === undefined) return [splits![row]!, splits![row + 1]!];
  return [splits![steps[row]!]!, splits![steps[row + 1]!]!];
}
