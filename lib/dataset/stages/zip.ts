import { checkChoice, checkOptions, TFRecordError, type Origin } from '../../base';
import type { Elements } from '../engine/elements';
import { PartInput } from '../engine/input';
import { named } from '../engine/labels';
import {
  markAfter,
  placeCount,
  placeList,
  placeMark,
  START,
  type Chunk,
  type Json,
  type Mark,
  type Operator,
} from '../engine/operator';
import { NO_ORIGINS, type Origins } from '../engine/origins';
import { drawKey, stagePath, type Run } from '../engine/run';
import { openNested, Stage } from '../engine/stage';

/** Checked options of `zip`. */
interface ZipSettings {
  /** Names of the parts, if elements are objects; undefined if they are arrays. */
  readonly names: readonly string[] | undefined;
  /** True if parts of different lengths are an error. */
  readonly equal: boolean;
}

/** The place of a zip: the number of elements so far, and the mark of each part. */
type ZipPosition = readonly [given: number, parts: readonly Mark[]];

/** Options of `zip`. Unknown names throw. */
export interface ZipOptions {
  /** `shortest` ends with the shortest part; `equal` throws if another part has more elements. Default `shortest`. */
  length?: 'shortest' | 'equal' | undefined;
}

/**
 * The stage of `zip`, which combines the elements of several datasets, each with a chain of its own. Ends with the
 * shortest.
 */
export class ZipStage extends Stage {
  readonly kind = 'zip';
  override readonly labels = [named('length'), named('names')];
  override readonly parts: readonly Stage[];
  readonly #settings: ZipSettings;

  /** `names` are those of the parts, if elements are objects. */
  static of(parts: readonly Stage[], names: readonly string[] | undefined, options: ZipOptions | undefined): ZipStage {
    const { length } = checkOptions(options, ['length']);
    const equal = checkChoice('options.length', length, ['shortest', 'equal'], 'shortest') === 'equal';
    return new ZipStage(parts, { names, equal });
  }

  private constructor(parts: readonly Stage[], settings: ZipSettings) {
    super(undefined, { draws: true });
    this.parts = parts;
    this.#settings = settings;
  }

  override get order(): Json {
    return [this.#settings.equal ? 'equal' : 'shortest', this.#settings.names ?? null];
  }

  override get size(): number | undefined {
    return this.parts.reduce<number | undefined>(
      (least, { size }) => (least === undefined || size === undefined ? undefined : Math.min(least, size)),
      Infinity,
    );
  }

  open(run: Run, [at, skip]: Mark): Operator {
    const path = stagePath(run, this);
    const [given, marks] = at === null ? [0, []] : zipPlace(path, at, this.parts.length);
    const holder = { run, path, key: drawKey(run, this), beside: this.parts.length };
    const parts = this.parts.map((part, index) => {
      const from = markAfter(marks[index] ?? START, skip);
      return new PartInput(openNested(holder, part, index, from), run.scope, from);
    });
    return new ZipOperator(run, parts, this.#settings, path, given + skip);
  }
}

function zipPlace(path: string, at: Json, parts: number): ZipPosition {
  const [given, marks] = placeList(path, at, 2);
  return [
    placeCount(path, 'a number of elements', given),
    placeList(path, marks, parts).map((mark) => placeMark(path, mark)),
  ];
}

class ZipOperator implements Operator {
  readonly #run: Run;
  readonly #parts: readonly PartInput[];
  readonly #settings: ZipSettings;
  readonly #stage: string;
  #given: number;
  #ended = false;

  constructor(run: Run, parts: readonly PartInput[], settings: ZipSettings, stage: string, given: number) {
    this.#run = run;
    this.#parts = parts;
    this.#settings = settings;
    this.#stage = stage;
    this.#given = given;
  }

  async next(max: number): Promise<Chunk | undefined> {
    if (this.#ended || !(await this.#load(max))) {
      this.#ended = true;
      await this.close();
      return undefined;
    }
    const count = this.#parts.reduce((least, { elements, index }) => Math.min(least, elements.length - index), max);
    const place: ZipPosition = [this.#given, this.#parts.map(({ mark }) => mark)];
    const parts: Elements[] = this.#parts.map((part) => part.take(count));
    this.#given += count;
    return { elements: new ZippedElements(parts, this.#settings.names, count), mark: [place, 0] };
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.close()));
  }

  /**
   * Loads an element of each part, concurrently. False at the end. The first part, in order, that has an error or an
   * end decides.
   */
  async #load(max: number): Promise<boolean> {
    const waiting = this.#parts.map((part) => (part.ready ? undefined : part.load(max)));
    let ended: number | undefined;
    for (const [index, loading] of waiting.entries()) {
      const loaded = loading === undefined || (await loading);
      if (!loaded) ended ??= index;
      if (ended === undefined) continue;
      if (!this.#settings.equal || this.#run.scope.closed) return false;
      const longer = this.#parts.findIndex(({ ready }, other) => other <= index && ready);
      if (longer >= 0) throw this.#mismatch(ended, longer);
    }
    return ended === undefined;
  }

  #mismatch(ended: number, longer: number): TFRecordError {
    const expected = `an element ${this.#given} of ${this.#name(ended)}, as of ${this.#name(longer)}`;
    const found = `its end after ${this.#given} ${this.#given === 1 ? 'element' : 'elements'}`;
    return new TFRecordError(
      'TFR_TRUNCATED',
      `The parts of ${this.#stage} differ in length: expected ${expected}, found ${found}. ` +
        'length: "shortest" ends with the shortest part.',
      { stage: this.#stage, expected, found },
    );
  }

  #name(part: number): string {
    return `part ${JSON.stringify(this.#settings.names?.[part] ?? part)}`;
  }
}

/** Combines elements of several parts when they are read; until then, records stay records. */
class ZippedElements implements Elements {
  readonly length: number;
  readonly #parts: readonly Elements[];
  readonly #names: readonly string[] | undefined;

  /** `names` are those of the parts, if elements are objects; else they are arrays. */
  constructor(parts: readonly Elements[], names: readonly string[] | undefined, length: number) {
    this.length = length;
    this.#parts = parts;
    this.#names = names;
  }

  get origins(): Origins {
    const origins = this.#parts.map((elements) => elements.origins);
    return origins.every((place) => place === NO_ORIGINS) ? NO_ORIGINS : new ZippedOrigins(origins);
  }

  at(index: number): unknown {
    const values = this.#parts.map((elements) => elements.at(index));
    if (this.#names === undefined) return values;
    // `fromEntries` makes own properties, also for names such as `__proto__`.
    return Object.fromEntries(this.#names.map((name, i) => [name, values[i]]));
  }

  slice(begin: number, end: number): ZippedElements {
    if (begin === 0 && end === this.length) return this;
    return new ZippedElements(
      this.#parts.map((elements) => elements.slice(begin, end)),
      this.#names,
      end - begin,
    );
  }

  select(indices: readonly number[]): ZippedElements {
    return new ZippedElements(
      this.#parts.map((elements) => elements.select(indices)),
      this.#names,
      indices.length,
    );
  }
}

/** `origin` is that of the first part that has one; `all` has those of all parts. */
class ZippedOrigins implements Origins {
  readonly #parts: readonly Origins[];

  constructor(parts: readonly Origins[]) {
    this.#parts = parts;
  }

  origin(index: number): Origin | undefined {
    for (const part of this.#parts) {
      const origin = part.origin(index);
      if (origin !== undefined) return origin;
    }
    return undefined;
  }

  all(index: number): readonly Origin[] {
    return this.#parts.flatMap((part) => part.all(index));
  }

  valids(index: number): readonly boolean[] {
    return this.#parts.flatMap((part) => part.valids(index));
  }

  valid(index: number): boolean {
    return this.#parts.every((part) => part.valid(index));
  }
}
