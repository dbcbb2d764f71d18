/** Numbers of lines that a survey found in the inputs: a second pass must find them again. */
import { advice, counted, tfrecordError, worded } from '../../base';
import type { ErrorPolicy } from '../../record';
import type { UnitBatch } from '../format';
import type { Inputs } from './inputs';

/** Counts the lines of a survey. */
export class SurveyedLines {
  readonly #inputs: Inputs;
  /** By the number of an input. */
  readonly #counts: number[] = [];

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  add({ batch, input, numbers }: UnitBatch): void {
    this.#counts[input] = numbers + batch.length;
  }

  /** Returns the check of a second pass over the inputs from number `first` on, whose damage `policy` decides about. */
  again(first: number, policy: ErrorPolicy): LinesAgain {
    let current = first;
    let lines = 0;
    const end = (): void => {
      const wanted = this.#counts[current] ?? 0;
      if (lines < wanted && !policy.stopped) throw this.#shrunk(current, wanted, lines);
      current++;
      lines = 0;
    };
    return {
      take: ({ batch, input, numbers }) => {
        while (current < input) end();
        lines = numbers + batch.length;
      },
      finish: () => {
        while (current < this.#counts.length) end();
      },
    };
  }

  #shrunk(input: number, wanted: number, lines: number): Error {
    const { copyOf, files } = this.#inputs;
    const file = copyOf ?? files[input]!.file;
    const [expected, found] = [counted(wanted, 'line'), counted(lines, 'line')];
    const message = worded`${file} changed while it was read: expected ${expected}, found ${found}.${advice` Begin anew.`}`;
    return tfrecordError('TFR_STATE_MISMATCH', message, { file, expected, found });
  }
}

/** A second pass over lines. Both functions throw TFRecordError TFR_STATE_MISMATCH for a file that lost lines. */
export interface LinesAgain {
  /** Adds lines, after all lines before them. */
  take(portion: UnitBatch): void;
  /** Call it after the last line. */
  finish(): void;
}
