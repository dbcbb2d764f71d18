/** Reads plain rows without a spec: the literals of all rows give each feature its kind. */
import { LoopTurns } from '../../base';
import { LINES } from '../../record';
import type { ReadSettings } from '../format';
import type { PreparedFiles } from '../input/files-input';
import { FramedReader, silentPolicy } from '../input/framed-input';
import { bytesOf, type Inputs } from '../input/inputs';
import { SurveyedLines } from '../input/surveyed-lines';
import { encodeRow } from './encode-row';
import { RowKinds } from './kinds';
import { isBlank, lineError, parseRow, RowFault } from './parse-line';
import { LiteralConflict, namesToRead, newRows, RowChunk, type ReadsFeature, type RowRules } from './row-chunk';
import { FileChunks, KeptChunks } from './row-chunks';
import { RowsReader } from './rows-reader';

/**
 * Maximum memory of the rows that are kept after the survey. If they need more, the files are read again. Counted are the
 * native memory of values, names and events, the names that the addon and JavaScript hold, the choice of features, the lines
 * that native code refused, and an allowance for the objects of each chunk, name and line.
 */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Number of lines that JavaScript reads between two checks of the clock. */
const LOOK_LINES = 16;

/** Surveys all lines, so that each feature has one kind. Keeps the rows if there are not too many. */
export async function surveyedRows(
  inputs: Inputs,
  settings: ReadSettings,
  progress: (bytes: number) => void,
): Promise<PreparedFiles> {
  const { choice } = settings;
  // `reads` is called for each value, so it is omitted if all features are kept.
  const reads = choice.keepsAll ? undefined : (name: string): boolean => choice.reads(name);
  const survey = new RowSurvey(inputs, settings, reads);
  await survey.run(progress);
  for (const note of survey.kinds.notes()) settings.notes.add(note);
  const { kinds, lines } = survey;
  const rules: RowRules = {
    reads,
    required: undefined,
    ruleOf: ({ name, isList }) => ({ kind: (isList ? kinds.lists : kinds.features).of(name) ?? 'none' }),
    encode: (line) => encodeRow(parseRow(line, reads), kinds),
  };
  let { kept } = survey;
  return {
    open(first, _number, own) {
      const files = (from: number): FileChunks =>
        new FileChunks(inputs, from, own, newRows(namesToRead(own.choice)), lines.again(from, own.policy));
      const bytesBefore = (input: number): number => bytesOf({ files: inputs.files.slice(first, input) });
      const chunks = kept === undefined ? files(first) : new KeptChunks(kept, first);
      kept = undefined;
      return new RowsReader({ chunks, files, bytesBefore, rules, settings: own });
    },
    close() {
      for (const chunk of kept ?? []) chunk.free();
      kept = undefined;
      return Promise.resolve();
    },
  };
}

/** One pass over all lines. */
class RowSurvey {
  readonly kinds: RowKinds;
  /** All rows; undefined if they were not kept. */
  kept: RowChunk[] | undefined;
  readonly lines: SurveyedLines;
  readonly #inputs: Inputs;
  readonly #settings: ReadSettings;
  readonly #reads: ReadsFeature;
  readonly #turns = new LoopTurns();

  constructor(inputs: Inputs, settings: ReadSettings, reads: ReadsFeature) {
    this.kinds = new RowKinds(settings.digits);
    this.lines = new SurveyedLines(inputs);
    this.#inputs = inputs;
    this.#settings = settings;
    this.#reads = reads;
    // The second pass reports damage that the caller accepts, so the files must be read again.
    this.kept = settings.policy.alwaysThrows ? [] : undefined;
  }

  /** `progress` is called with the stored bytes that were read so far. */
  async run(progress: (bytes: number) => void): Promise<void> {
    const { policy, choice } = this.#settings;
    const lines = new FramedReader(this.#inputs, 0, this.#settings, { framing: LINES, policy: silentPolicy(policy) });
    let rows = newRows(namesToRead(choice));
    let bytes = 0;
    try {
      for (let portion = await lines.next(); portion !== undefined; portion = await lines.next()) {
        this.lines.add(portion);
        const chunks = await RowChunk.parse(portion, this.#inputs.copyOf, rows);
        for (const chunk of chunks) await this.#add(chunk);
        progress(lines.bytes);
        if (this.kept === undefined) continue;
        for (const chunk of chunks) {
          chunk.keep(lines.bytes);
          bytes += chunk.heldBytes;
        }
        this.kept.push(...chunks);
        if (bytes > KEPT_BYTES) this.#drop();
        else rows = newRows(namesToRead(choice));
      }
    } finally {
      for (const each of rows) await each.settled();
      await lines.close();
    }
  }

  #drop(): void {
    for (const chunk of this.kept!) chunk.free();
    this.kept = undefined;
  }

  /** Adds the literals of `chunk` in the order of its lines. */
  async #add(chunk: RowChunk): Promise<void> {
    let count = 0;
    try {
      for (const row of chunk.refused) {
        if (count++ % LOOK_LINES === 0) await this.#turns.breathe();
        chunk.addKinds(row, this.#reads, this.kinds);
        this.#addLine(chunk, row);
      }
      chunk.addKinds(chunk.count, this.#reads, this.kinds);
    } catch (error) {
      if (!(error instanceof LiteralConflict)) throw error;
      const { row, cause } = error;
      throw cause instanceof RowFault ? lineError(cause, chunk.file, chunk.first + row) : cause;
    }
    await this.#turns.breathe();
  }

  /** Adds the literals of a line that native code refused. */
  #addLine(chunk: RowChunk, row: number): void {
    const { policy } = this.#settings;
    const line = chunk.line(row)!;
    if (isBlank(line)) return;
    try {
      this.kinds.add(parseRow(line, this.#reads));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      // Mixed kinds concern all rows. Other faults concern one row, and the second pass reports them.
      if (error.isMixed || policy.alwaysThrows) throw lineError(error, chunk.file, chunk.first + row);
    }
  }
}
