/** Checks the batches of a survey against rules, and finds the records that break them. */
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
import { isValueRule, itemsOf, type Rule, type RuleState, type Surveyed, type ValueRule } from './rule';
import { placeKey, type SchemaRules } from './schema-rules';
import { bufferOf, keyOf } from './value-key';

/** Maximum number of records that are listed for an anomaly. */
const MAX_RECORDS = 3;
/** Number of records, values or features between two checks of the clock. */
const AT_ONCE = 64;

/** A rule, and the records that were found to break it. */
interface CheckedRule<R extends Rule = Rule> {
  readonly rule: R;
  readonly records: AnomalousRecord[];
}

/** The findings of a search about a rule. */
export interface FoundByRule {
  readonly path: readonly string[];
  /** The first records that break it, at most three. */
  readonly records: readonly AnomalousRecord[];
  readonly state: RuleState | undefined;
}

export class Search {
  readonly #checked: CheckedRule[];
  /** Number of rules of the schema, which come first. */
  readonly #ofSchema: number;
  readonly #known: Set<string>;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #turns: LoopTurns;
  #table: { readonly columns: string; readonly table: Table } | undefined;

  /** `wanted`: names of the features to check; undefined: all. */
  constructor({ rules, known }: SchemaRules, wanted: ReadonlySet<string> | undefined, turns: LoopTurns) {
    this.#checked = rules.map((rule) => ({ rule, records: [] }));
    this.#ofSchema = rules.length;
    this.#known = new Set(known);
    this.#wanted = wanted;
    this.#turns = turns;
  }

  readonly onRecords = async (batch: RecordBatch, known: SurveySoFar): Promise<void> => {
    const own = await this.#surveyed(batch.length, known.own);
    const single: CheckedRule[] = [];
    const values: CheckedRule<ValueRule>[] = [];
    for (const [i, check] of this.#checked.entries()) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      if (!isOpen(check) || !check.rule.suspects(own)) continue;
      if (isValueCheck(check)) values.push(check);
      else single.push(check);
    }
    if (single.length > 0) await this.#look(batch, single);
    if (values.length > 0) await this.#takeValues(batch, values, own, known.lists);
  };

  /** Surveys the records of a batch. Adds rules for features that the schema lacks. */
  async #surveyed(records: number, own: OwnSurvey): Promise<Surveyed> {
    const features: FeatureSurvey[] = [];
    for (let i = 0; i < own.features; i++) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      features.push(own.feature(i));
    }
    this.#addNew(features);
    return surveyedOf(records, features);
  }

  /** Adds rules for features that the schema lacks. */
  #addNew(features: readonly FeatureSurvey[]): void {
    for (const { section, name, records } of features) {
      const key = placeKey(section, name);
      if (records === 0 || this.#known.has(key)) continue;
      this.#known.add(key);
      if (this.#wanted?.has(name) === false) continue;
      const place = { section, name, path: pathOf(section, name) };
      this.#checked.push({ rule: newColumnRule(place, 'the schema does not'), records: [] });
    }
  }

  /** Checks the records of `batch` one by one, until no rule needs more records. */
  async #look(batch: RecordBatch, searching: readonly CheckedRule[]): Promise<void> {
    const names = new Set(searching.flatMap(({ rule }) => rule.names));
    for (let i = 0; i < batch.length; i++) {
      if (i % AT_ONCE === 0) await this.#turns.breathe();
      const open = searching.filter(isOpen);
      if (open.length === 0) return;
      const record = decodeNamed(batch.at(i)!, names);
      for (const check of open) if (check.rule.breaks(record)) note(check, batch, i);
    }
  }

  /** Passes the values of a batch to rules that check all values. */
  async #takeValues(
    batch: RecordBatch,
    searching: readonly CheckedRule<ValueRule>[],
    own: Surveyed,
    lists: boolean,
  ): Promise<void> {
    const places = new Map<string, CheckedRule<ValueRule>[]>();
    for (const check of searching) {
      const key = placeKey(check.rule.section, check.rule.names[0]!);
      places.set(key, [...(places.get(key) ?? []), check]);
    }
    const columns: (readonly CheckedRule<ValueRule>[])[] = [];
    for (const some of places.values()) {
      const { section, names } = some[0]!.rule;
      const { bytes, int64, float32 } = own.feature(section, names[0]!)!.kinds;
      // The values of a column have one type.
      if (bytes > 0 && int64 === 0 && float32 === 0) columns.push(some);
      else await this.#decodeValues(batch, some);
    }
    if (columns.length > 0) await this.#parseValues(batch, columns, lists);
  }

  async #parseValues(
    batch: RecordBatch,
    columns: readonly (readonly CheckedRule<ValueRule>[])[],
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
          for (const check of columns[i]!) if (check.rule.take(key)) note(check, batch, row);
        }
      }
    }
  }

  #tableOf(columns: readonly (readonly CheckedRule<ValueRule>[])[], lists: boolean): Table {
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

  /** Like {@link #parseValues}, for one feature with values of several kinds. */
  async #decodeValues(batch: RecordBatch, searching: readonly CheckedRule<ValueRule>[]): Promise<void> {
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
        for (const check of searching) {
          if (item.kind === 'int64' && !check.rule.integers) continue;
          for (const key of keys) if (check.rule.take(key)) note(check, batch, i);
        }
      }
    }
  }

  /** The findings so far, in the order of the rules: first those of the schema, then new features. */
  get found(): readonly FoundByRule[] {
    return this.#checked.map(({ rule, records }) => ({ path: rule.path, records, state: rule.state?.() }));
  }

  /**
   * Adds what another search with the same rules has found in later records. `survey`: of all records so far, for features
   * that the schema lacks. Returns false if the rules are others.
   */
  add(found: readonly FoundByRule[], survey: Pick<Survey, 'features'>): boolean {
    this.#addNew(survey.features);
    for (const [i, { path, records, state }] of found.entries()) {
      const isSame = ({ rule }: CheckedRule): boolean => rule.path.join('\n') === path.join('\n');
      // New features may be in another order.
      const own = i < this.#ofSchema ? this.#checked[i] : this.#checked.slice(this.#ofSchema).find(isSame);
      if (own === undefined || !isSame(own)) return false;
      own.records.push(...records.slice(0, MAX_RECORDS - own.records.length));
      if (state !== undefined) own.rule.add?.(state);
    }
    return true;
  }

  /** The anomalies. Call it after all batches were checked. */
  async anomalies(survey: Survey): Promise<Anomaly[]> {
    const all = surveyedOf(survey.records, survey.features);
    const found: Anomaly[] = [];
    for (const [i, { rule, records }] of this.#checked.entries()) {
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
  // Features without records occurred only in refused records.
  for (const each of features) if (each.records > 0) byPlace.set(placeKey(each.section, each.name), each);
  return { records, feature: (section: FeatureSection, name: string) => byPlace.get(placeKey(section, name)) };
}

function isValueCheck(check: CheckedRule): check is CheckedRule<ValueRule> {
  return isValueRule(check.rule);
}

/** True if the rule needs more records, to find or to count them. */
function isOpen({ rule, records }: CheckedRule): boolean {
  return records.length < MAX_RECORDS || rule.countsRecords === true || (isValueRule(rule) && rule.counts);
}

/** Adds record `index` of `batch` to those that break a rule. */
function note({ records }: CheckedRule, batch: RecordBatch, index: number): void {
  if (records.length === MAX_RECORDS) return;
  const { file, record } = batch.origin(index)!;
  const last = records.at(-1);
  if (last?.file !== file || last.record !== record) records.push({ file, record });
}

/** The indices of the first value of a row, and of the one after its last. */
function valuesOf({ steps, splits }: Vector, row: number): readonly [number, number] {
  if (steps === undefined) return [splits![row]!, splits![row + 1]!];
  return [splits![steps[row]!]!, splits![steps[row + 1]!]!];
}
