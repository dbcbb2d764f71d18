/**
 * Notes about values that a conversion reads differently from how they are written: not errors, but the user should
 * know.
 */
import { counted } from '../../base';

/** Maximum number of notes of one kind, so that a file of thousands of columns does not fill the screen. */
const MAX_NOTES = 20;

/** Collects the notes of a job. */
export class JobNotes {
  readonly #notes = new Set<string>();
  readonly #last: (() => readonly string[])[] = [];

  /** Adds a note. The same text counts once. */
  add(note: string): void {
    this.#notes.add(note);
  }

  /** Adds the notes that `notes` returns at the end of the job, for things that are counted until then. */
  atEnd(notes: () => readonly string[]): void {
    this.#last.push(notes);
  }

  /** All notes, in order. */
  all(): readonly string[] {
    return [...new Set([...this.#notes, ...this.#last.flatMap((notes) => notes())])];
  }
}

/** The first of `notes`, and a line with the number of the others. */
export function shortened(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [
    ...notes.slice(0, MAX_NOTES),
    counted(notes.length - MAX_NOTES, 'more column has such a note', undefined, 'more columns have such notes'),
  ];
}
