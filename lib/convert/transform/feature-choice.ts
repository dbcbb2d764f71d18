/** The features that a job keeps: those of `features`, or all but those of `exclude`. */
import { TFRecordError } from '../../errors';

/** Says which features are kept, and which columns of a file must be looked at. */
export class FeatureChoice {
  readonly #kept: ReadonlySet<string> | undefined;
  readonly #excluded: ReadonlySet<string>;
  /** Names of `exclude` that nothing had so far. */
  readonly #unseen: Set<string>;
  /** True if a condition may name features that are not kept. */
  readonly hasCondition: boolean;

  constructor(features: readonly string[] | undefined, exclude: readonly string[] | undefined, hasCondition: boolean) {
    this.#kept = features && new Set(features);
    this.#excluded = new Set(exclude);
    this.#unseen = new Set(exclude);
    this.hasCondition = hasCondition;
  }

  /** True if all features are kept. */
  get keepsAll(): boolean {
    return this.#kept === undefined && this.#excluded.size === 0;
  }

  /** The names of `features`, or of `exclude`. */
  get names(): readonly string[] {
    return [...(this.#kept ?? this.#excluded)];
  }

  /** True if `names` are those to leave out. */
  get excludes(): boolean {
    return this.#kept === undefined;
  }

  /** True for features that are kept. `name` counts as seen. */
  keeps(name: string): boolean {
    if (this.#kept !== undefined) return this.#kept.has(name);
    this.#unseen.delete(name);
    return !this.#excluded.has(name);
  }

  /** True for features that are kept, or that a condition may name. `name` counts as seen. */
  reads(name: string): boolean {
    return this.keeps(name) || this.hasCondition;
  }

  /** @throws TFRecordError TFR_FEATURE for a name of `features`, or of `exclude`, that is not among `names` */
  checkAmong(names: ReadonlySet<string>): void {
    const missing = [...(this.#kept ?? this.#unseen)].find((name) => !names.has(name));
    if (missing !== undefined) throw noSuchFeature(missing, this.excludes);
  }
}

/** The error about a feature to keep, or to leave out, that no record has. */
export function noSuchFeature(feature: string, excludes: boolean): TFRecordError {
  const option = excludes ? 'exclude' : 'features';
  const message = `No record has the feature ${JSON.stringify(feature)}, which options.${option} names.`;
  return new TFRecordError('TFR_FEATURE', message, { feature });
}
