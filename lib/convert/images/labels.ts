/** A file of labels, as CSV or JSON Lines: a line for each picture. */
import type { TFRecordError } from '../../base';
import { counted, LoopTurns, tfrecordError, advice, aside, setting, worded } from '../../base';
import type { FeatureLike } from '../../example';
import { ErrorPolicy } from '../../record';
import { Rounding } from '../csv/rounding';
import type { ReadSettings } from '../format';
import { FramedReader } from '../input/framed-input';
import { inputsOf, type InputFile } from '../input/inputs';
import { featureOf } from '../jsonl/encode-row';
import { lineError, RowFault } from '../jsonl/parse-line';
import { shownPath, type Pictures } from './find-pictures';
import { LABEL, labelLines, PICTURE_FEATURE, type LabelLines, type LabelRow } from './label-lines';

/** Maximum number of names in a message. */
const SHOWN = 3;

/** The labels of a picture. */
export interface PictureLabels {
  /** A number; or the name of a class, with one character for each byte. */
  readonly label: bigint | string | undefined;
  readonly features: ReadonlyMap<string, FeatureLike>;
}

/** A file with the labels of pictures. Keeps its lines in memory. */
export class Labels {
  readonly #format: LabelLines;
  readonly #file: string;
  #bytes = Buffer.alloc(4096);
  #used = 0;
  /**
   * For each picture: its line (from 1; 0 without one). The arrays after it: the row that begins there, and its
   * position.
   */
  readonly #lines: Uint32Array;
  readonly #numbers: Uint32Array;
  readonly #starts: Float64Array;
  readonly #lengths: Uint32Array;
  /** Names of the labels that are not numbers, in byte order. */
  #classes: ReadonlySet<string> | undefined = new Set();
  /** True if the file has labels. */
  #hasLabel = false;

  private constructor(file: string, format: LabelLines, count: number) {
    this.#file = file;
    this.#format = format;
    this.#lines = new Uint32Array(count);
    this.#numbers = new Uint32Array(count);
    this.#starts = new Float64Array(count);
    this.#lengths = new Uint32Array(count);
  }

  /**
   * Reads `file`, and finds the pictures of its lines.
   * @throws TFRecordError TFR_FEATURE if lines and pictures do not match, or a feature has several kinds; TFR_DECODE
   *   for lines that cannot be read
   */
  static async read(file: InputFile, pictures: Pictures, settings: ReadSettings): Promise<Labels> {
    const { whole } = pictures;
    const labels = new Labels(file.file, labelLines(file.file, settings), whole.length);
    const strangers = await labels.#readAll(file, pictures, settings);
    for (const note of labels.#format.notes()) settings.notes.add(note);
    const missing: number[] = [];
    for (let i = 0; i < whole.length; i++) if (labels.#lines[i] === 0) missing.push(i);
    if (strangers.count > 0 && pictures.before === 0) {
      const text = `${strangers.count} of the lines of ${file.file} name pictures that are not in ${pictures.folder}`;
      settings.faults.leaveOut(mismatch(text, strangers.names, strangers.count, file.file), { input: 0, number: 0 });
    }
    // Missing lines that `onError` may accept are reported later, for one picture at a time.
    if (missing.length > 0 && settings.policy.alwaysThrows) {
      const names = missing.slice(0, SHOWN).map((i) => whole.path(i).toString());
      const text = `${missing.length} of ${counted(whole.length, 'picture')} of ${pictures.folder} ${missing.length === 1 ? 'has' : 'have'} no line in ${file.file}`;
      throw mismatch(text, names, missing.length, file.file);
    }
    return labels;
  }

  /** Names of classes of all lines, in byte order; undefined if labels are numbers, or missing. */
  get classes(): readonly string[] | undefined {
    return this.#classes === undefined || !this.#hasLabel ? undefined : [...this.#classes].sort();
  }

  /** True if the file has labels, so that folders are not classes. */
  get hasLabel(): boolean {
    return this.#hasLabel;
  }

  /**
   * Returns a function, for one reader of pictures, that returns the labels of picture `i` of all; undefined for a
   * picture without a line. It throws TFRecordError TFR_FEATURE for a number that its kind cannot hold.
   */
  reader({ csv, notes }: Pick<ReadSettings, 'csv' | 'notes'>): (i: number) => PictureLabels | undefined {
    let current = 0;
    const rounding = new Rounding(csv.exact, () => `line ${this.#lines[current]!} of ${this.#file}`);
    notes.atEnd(() => rounding.notes());
    return (i) => {
      if (this.#lines[i] === 0) return undefined;
      current = i;
      try {
        return this.#labelsOf(i, rounding);
      } catch (error) {
        if (error instanceof RowFault) throw lineError(error, this.#file, this.#numbers[i]!, this.#lines[i]! - 1);
        throw error;
      }
    };
  }

  /** @throws RowFault */
  #labelsOf(i: number, rounding: Rounding): PictureLabels {
    const format = this.#format;
    const start = this.#starts[i]!;
    const line = this.#bytes.subarray(start, start + this.#lengths[i]!);
    const features = new Map<string, FeatureLike>();
    let label: PictureLabels['label'];
    for (const [name, values] of format.rowOf(line)!.values) {
      const kind = format.kindOf(name);
      if (kind === undefined) continue;
      // A text is the name of a class, even if it looks like a number.
      if (name === LABEL)
        label = labelOf((kind === 'int64' ? format.typed(name, values, kind, undefined) : values)![0]);
      else features.set(name, featureOf(name, format.typed(name, values, kind, rounding), kind));
    }
    return { label, features };
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
    const strangers: { count: number; readonly names: string[] } = { count: 0, names: [] };
    const turns = new LoopTurns();
    const classes = new Set<string>();
    try {
      for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
        for (let i = 0; i < portion.batch.length; i++) {
          if (i % 16 === 0) await turns.breathe();
          const number = portion.numbers + i;
          const line = portion.batch.at(i)!;
          try {
            const row = format.rowOf(line);
            if (row === undefined) continue;
            const picture = whole.indexOf(Buffer.from(row.file.replace(/^(?:\.\/+)+/, '')));
            if (picture < 0) {
              if (++strangers.count <= SHOWN) strangers.names.push(row.file);
              continue;
            }
            this.#keep(picture, line, number);
            this.#note(row, line, classes);
          } catch (error) {
            if (error instanceof RowFault) throw lineError(error, file.file, number, format.lineOf(number));
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

  #note(row: LabelRow, line: Uint8Array<ArrayBuffer>, classes: Set<string>): void {
    const { values } = row;
    const taken = [...values.keys()].find((name) => PICTURE_FEATURE.test(name));
    if (taken !== undefined) {
      throw new RowFault('TFR_FEATURE', `${JSON.stringify(taken)} is the name of a feature that pictures have`, taken);
    }
    this.#format.add(row, line);
    const list = values.get(LABEL);
    if (list === undefined || list === null) return;
    this.#hasLabel = true;
    const [label] = list;
    if (list.length !== 1 || typeof label === 'number') {
      const found = list.length === 1 ? String(label) : counted(list.length, 'value');
      throw new RowFault('TFR_FEATURE', `label is ${found}; expected one text or one integer`, LABEL);
    }
    const text = labelOf(label);
    if (typeof text === 'string') classes.add(text);
  }

  #keep(picture: number, line: Uint8Array, number: number): void {
    const before = this.#lines[picture]!;
    if (before > 0) {
      throw new RowFault('TFR_FEATURE', `its picture has a line already, number ${before}`);
    }
    const end = this.#used + line.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    this.#bytes.set(line, this.#used);
    this.#lines[picture] = this.#format.lineOf(number) + 1;
    this.#numbers[picture] = number;
    this.#starts[picture] = this.#used;
    this.#lengths[picture] = line.length;
    this.#used = end;
  }

  /** The error about picture `i`, which has no line. */
  missing(i: number, { folder, whole }: Pictures): TFRecordError {
    const file = shownPath(folder, whole.path(i));
    const cure = advice` Add one${aside`; ${setting('onError', 'skip')} leaves the picture out`}.`;
    const message = worded`${file} has no line in ${this.#file}.${cure}`;
    return tfrecordError('TFR_FEATURE', message, { file, expected: `a line in ${this.#file}`, found: 'none' });
  }
}

function labelOf(value: unknown): bigint | string {
  return typeof value === 'bigint' ? value : Buffer.from(value as string | Uint8Array).toString('latin1');
}

function mismatch(text: string, names: readonly string[], count: number, file: string): TFRecordError {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const cure = advice` ${setting('onError', 'skip')} leaves them out.`;
  const message = worded`${text}: ${names.map(inOneLine).join(', ')}${more}.${cure}`;
  return tfrecordError('TFR_FEATURE', message, { file });
}

/** Maximum length of a path in an error, in characters. */
const PATH_SHOWN = 200;

/** `path` in one line. */
function inOneLine(path: string): string {
  const quoted = JSON.stringify(path.slice(0, PATH_SHOWN));
  return quoted === `"${path}"` ? path : quoted;
}
