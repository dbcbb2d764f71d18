/**
 * Notes about values that a conversion reads differently from how they are written: not errors, but the user should
 * know.
 */
import { counted, textsOf, type Text } from '../../base';

/** Maximum number of notes of one kind, so that a file of thousands of columns does not fill the screen. */
const MAX_NOTES = 20;

/** Collects the notes of a job. */
export class JobNotes {
  readonly #notes = new Map<string, Text>();
  readonly #last: (() => readonly Text[])[] = [];

  /** Adds a note. The same text counts once. */
  add(note: Text): void {
    const text = String(note);
    if (!this.#notes.has(text)) this.#notes.set(text, note);
  }

  /** Adds the notes that `notes` returns at the end of the job, for things that are counted until then. */
  atEnd(notes: () => readonly Text[]): void {
    this.#last.push(notes);
  }

  /** All notes, in order. Call it when the job is done. */
  all(): readonly string[] {
    for (const notes of this.#last.splice(0)) for (const note of notes()) this.add(note);
    return textsOf([...this.#notes.values()]);
  }
}

/** The first of `notes`, and a line with the number of the others. */
export function shortened(notes: readonly Text[]): readonly Text[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [
    ...notes.slice(0, MAX_NOTES),
    counted(notes.length - MAX_NOTES, 'more column has such a note', undefined, 'more columns have such notes'),
  ];
}
