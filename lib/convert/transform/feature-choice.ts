/** The features that a job keeps: those of `features`, or all except those of `exclude`. */
import type { TFRecordError } from '../../base';
import { asWrongUse, tfrecordError, advice, named, worded } from '../../base';
import { nearestHint } from '../../example';

/** Decides which features are kept, and which columns of a file must be read. */
export class FeatureChoice {
  readonly #kept: ReadonlySet<string> | undefined;
  readonly #excluded: Set<string>;
  /** Names of `exclude` that no input had so far. */
  readonly #unseen: Set<string>;
  readonly #where: string | undefined;
  /** Names that readers have checked. */
  readonly #asked = new Set<string>();
  /** Names that were searched in the condition; true for those that it contains. */
  readonly #looked = new Map<string, boolean>();

  /** `where`: the condition of the job. */
  constructor(features: readonly string[] | undefined, exclude: readonly string[] | undefined, where?: string) {
    this.#kept = features && new Set(features);
    this.#excluded = new Set(exclude);
    this.#unseen = new Set(exclude);
    this.#where = where;
  }

  /** True if all features are kept. */
  get keepsAll(): boolean {
    return this.#kept === undefined && this.#excluded.size === 0;
  }

  /** True if `names` alone decides which features are read; false if the condition may refer to others. */
  get isFixed(): boolean {
    return this.#where === undefined;
  }

  /** The names in `features`, or in `exclude`. */
  get names(): readonly string[] {
    return [...(this.#kept ?? this.#excluded)];
  }

  /** True if `names` lists features to leave out. */
  get excludes(): boolean {
    return this.#kept === undefined;
  }

  /** True for features that are kept. Marks `name` as seen. */
  keeps(name: string): boolean {
    this.#asked.add(name);
    if (this.#kept !== undefined) return this.#kept.has(name);
    this.#unseen.delete(name);
    return !this.#excluded.has(name);
  }

  /** True for names in `exclude`. Marks `name` as seen. */
  drops(name: string): boolean {
    this.#unseen.delete(name);
    return this.#excluded.has(name);
  }

  /** True for features that are kept, or that the condition may refer to. Marks `name` as seen. */
  reads(name: string): boolean {
    return this.keeps(name) || this.readsForCondition(name);
  }

  /**
   * True if the condition may refer to a feature that is not kept: it contains the name as a word, or a star, which
   * stands for all. The feature is then read, but not written.
   */
  readsForCondition(name: string): boolean {
    if (this.#where === undefined) return false;
    let isNamed = this.#looked.get(name);
    if (isNamed === undefined) this.#looked.set(name, (isNamed = this.#isNamed(this.#where, name)));
    if (!isNamed) return false;
    // Excluding a struct excludes its fields.
    if (this.excludes) this.#excluded.add(name);
    return true;
  }

  #isNamed(where: string, name: string): boolean {
    // An escape may spell a name differently.
    if (/\*|\bcolumns\b|\bU&"/i.test(where)) return true;
    const word = name.replaceAll('"', '""').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return new RegExp(`(?<!\\w)${word}(?!\\w)`, 'i').test(where);
  }

  /** @throws TFRecordError TFR_FEATURE for a name in `features`, or in `exclude`, that is not among `names` */
  checkAmong(names: ReadonlySet<string>): void {
    const missing = [...(this.#kept ?? this.#unseen)].find((name) => !names.has(name));
    if (missing !== undefined) throw this.#noSuchFeature(missing, names);
  }

  /** The error about a feature to keep, or to leave out, that no record has. */
  #noSuchFeature(feature: string, names: ReadonlySet<string>): TFRecordError {
    const option = this.excludes ? 'exclude' : 'features';
    const fields = [...this.#asked].filter((name) => name.startsWith(`${feature}/`));
    const quoted = fields.map((name) => JSON.stringify(name)).join(', ');
    const near = nearestHint(feature, [...names, ...this.#asked]);
    const cure = fields.length === 0 ? advice`${near}` : advice` It is a struct, whose fields are features: ${quoted}.`;
    const mention = named(option, `options.${option}`);
    const message = worded`No record has the feature ${JSON.stringify(feature)}, which ${mention} names.${cure}`;
    return asWrongUse(tfrecordError('TFR_FEATURE', message, { feature, hint: { option } }));
  }
}
