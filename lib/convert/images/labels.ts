/** A file of labels: a line for each picture, as CSV or JSON Lines. */
import { TFRecordError } from '../../errors';
import type { FeatureKind, FeatureLike } from '../../example';
import { ErrorPolicy, LoopTurns } from '../../record';
import type { ReadSettings } from '../format';
import { FramedReader } from '../input/framed-input';
import { inputsOf, type InputFile } from '../input/inputs';
import { featureOf } from '../jsonl/encode-row';
import { isBlank, lineError, RowFault, type RowValues } from '../jsonl/parse-line';
import { shownPath, type Pictures } from './find-pictures';
import { labelLines, PICTURE_FEATURE, type LabelLines, type LabelRow } from './label-lines';

const LABEL = 'label';
/** Examples in a message. */
const SHOWN = 3;

/** The labels of a picture. */
export interface PictureLabels {
  /** A number, or the name of a class, one character a byte. */
  readonly label: bigint | string | undefined;
  readonly features: ReadonlyMap<string, FeatureLike>;
}

/** A file with the labels of pictures. Its lines are kept in memory. */
export class Labels {
  readonly #format: LabelLines;
  readonly #file: string;
  #bytes = Buffer.alloc(4096);
  #used = 0;
  /** For each picture the line, from 1 on, and where it lies. */
  readonly #lines: Uint32Array;
  readonly #starts: Float64Array;
  readonly #lengths: Uint32Array;
  /** Names of the labels that are no numbers, in byte order. */
  #classes: ReadonlySet<string> | undefined = new Set();
  /** True if the file has labels. */
  #hasLabel = false;

  private constructor(file: string, format: LabelLines, count: number) {
    this.#file = file;
    this.#format = format;
    this.#lines = new Uint32Array(count);
    this.#starts = new Float64Array(count);
    this.#lengths = new Uint32Array(count);
  }

  /**
   * Reads `file`, and finds the pictures of its lines.
   * @throws TFRecordError TFR_FEATURE if lines and pictures do not fit together, or a feature is of several kinds;
   *   TFR_DECODE for lines that cannot be read
   */
  static async read(file: InputFile, pictures: Pictures, settings: ReadSettings): Promise<Labels> {
    const { whole } = pictures;
    const labels = new Labels(file.file, labelLines(file.file, settings.spec), whole.length);
    const strangers = await labels.#readAll(file, pictures, settings);
    const missing: number[] = [];
    for (let i = 0; i < whole.length; i++) if (labels.#lines[i] === 0) missing.push(i);
    if (strangers.count > 0 && pictures.before === 0) {
      const text = `${strangers.count} of the lines of ${file.file} name pictures that are not in ${pictures.folder}`;
      settings.faults.leaveOut(mismatch(text, strangers.names, strangers.count, file.file), { input: 0, number: 0 });
    }
    // Those that `onError` accepts are left out one by one, when their turn comes.
    if (missing.length > 0 && settings.policy.alwaysThrows) {
      const names = missing.slice(0, SHOWN).map((i) => whole.path(i).toString());
      const text = `${missing.length} of ${whole.length} pictures of ${pictures.folder} have no line in ${file.file}`;
      throw mismatch(text, names, missing.length, file.file);
    }
    return labels;
  }

  /** Names of classes in byte order, of all lines; undefined if labels are numbers, or there are none. */
  get classes(): readonly string[] | undefined {
    return this.#classes === undefined || !this.#hasLabel ? undefined : [...this.#classes].sort();
  }

  /** True if the file has labels, so that folders do not count. */
  get hasLabel(): boolean {
    return this.#hasLabel;
  }

  /** The labels of picture `i` of all; undefined if it has no line. */
  of(i: number): PictureLabels | undefined {
    if (this.#lines[i] === 0) return undefined;
    const start = this.#starts[i]!;
    const line = this.#bytes.subarray(start, start + this.#lengths[i]!);
    const features = new Map<string, FeatureLike>();
    let label: PictureLabels['label'];
    for (const [name, values] of this.#format.rowOf(line)!.values) {
      const kind = this.#format.kindOf(name);
      if (kind === undefined) continue;
      const typed = this.#format.typed(name, values, kind);
      if (name !== LABEL) features.set(name, this.#featureOf(i, name, typed, kind));
      else label = labelOf((kind === 'int64' ? typed : values)![0]);
    }
    return { label, features };
  }

  /** The values of a feature of picture `i`. @throws TFRecordError TFR_FEATURE for a number that its kind does not hold */
  #featureOf(i: number, name: string, values: RowValues, kind: FeatureKind): FeatureLike {
    try {
      return featureOf(name, values, kind);
    } catch (error) {
      if (error instanceof RowFault) throw lineError(error, this.#file, this.#lines[i]! - 1);
      throw error;
    }
  }

  async #readAll(
    file: InputFile,
    { whole }: Pictures,
    settings: ReadSettings,
  ): Promise<{ count: number; names: readonly string[] }> {
    const format = this.#format;
    const reader = new FramedReader(inputsOf([file]), 0, settings, {
      framing: format.framing,
      policy: new ErrorPolicy('throw'),
    });
    const strangers = { count: 0, names: [] as string[] };
    const turns = new LoopTurns();
    const classes = new Set<string>();
    try {
      for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
        for (let i = 0; i < portion.batch.length; i++) {
          if (i % 16 === 0) await turns.breathe();
          const number = (portion.numbers as number) + i;
          const line = portion.batch.at(i)!;
          try {
            const row = isBlank(line) ? undefined : format.rowOf(line);
            if (row === undefined) continue;
            const picture = whole.indexOf(Buffer.from(row.file.replace(/^(?:\.\/+)+/, '')));
            if (picture < 0) {
              if (++strangers.count <= SHOWN) strangers.names.push(row.file);
              continue;
            }
            this.#keep(picture, line, number);
            this.#note(row, classes);
          } catch (error) {
            if (error instanceof RowFault) throw lineError(error, file.file, number);
            throw error;
          }
        }
      }
    } finally {
      await reader.close();
    }
    this.#classes = this.#hasLabel && format.kindOf(LABEL) === 'int64' ? undefined : classes;
    return strangers;
  }

  #note({ values }: LabelRow, classes: Set<string>): void {
    for (const [name, list] of values) {
      if (PICTURE_FEATURE.test(name)) {
        throw new RowFault('TFR_FEATURE', `${JSON.stringify(name)} is the name of a feature that pictures have`, name);
      }
      this.#format.add(name, list);
      if (name !== LABEL || list === null) continue;
      this.#hasLabel = true;
      const [label] = list;
      if (list.length !== 1 || typeof label === 'number') {
        const found = list.length === 1 ? String(label) : `${list.length} values`;
        throw new RowFault('TFR_FEATURE', `label is ${found}; expected one text or one integer`, LABEL);
      }
      const text = labelOf(label);
      if (typeof text === 'string') classes.add(text);
    }
  }

  #keep(picture: number, line: Uint8Array, number: number): void {
    const before = this.#lines[picture]!;
    if (before > 0) {
      throw new RowFault('TFR_FEATURE', `its picture has a line already, number ${before}`);
    }
    const end = this.#used + line.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    this.#bytes.set(line, this.#used);
    this.#lines[picture] = number + 1;
    this.#starts[picture] = this.#used;
    this.#lengths[picture] = line.length;
    this.#used = end;
  }

  /** The error about picture `i`, which has no line. */
  missing(i: number, { folder, whole }: Pictures): TFRecordError {
    const file = shownPath(folder, whole.path(i));
    const message = `${file} has no line in ${this.#file}. Add one; onError: "skip" leaves the picture out.`;
    return new TFRecordError('TFR_FEATURE', message, { file, expected: `a line in ${this.#file}`, found: 'none' });
  }
}

function labelOf(value: unknown): bigint | string {
  return typeof value === 'bigint' ? value : Buffer.from(value as string | Uint8Array).toString('latin1');
}

function mismatch(text: string, names: readonly string[], count: number, file: string): TFRecordError {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const message = `${text}: ${names.map(inOneLine).join(', ')}${more}. onError: "skip" leaves them out.`;
  return new TFRecordError('TFR_FEATURE', message, { file });
}

/** Most characters of a path in an error. */
const PATH_SHOWN = 200;

/** `path` in one line. */
function inOneLine(path: string): string {
  const quoted = JSON.stringify(path.slice(0, PATH_SHOWN));
  return quoted === `"${path}"` ? path : quoted;
}
