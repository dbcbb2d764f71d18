import type { LeftOut } from '../record';
import type { Reporter } from './terminal/reporter';
import { lineText, plural } from './terminal/text';

/** Maximum number of files that a note names. */
const NAMED = 3;

/** Prints a note about the files of `folder` that are not read. */
export function noteLeftOut(folder: string, { files, unread }: LeftOut, reporter: Reporter): void {
  if (files.length > 0) {
    const names = files
      .slice(0, NAMED)
      .map((file) => lineText(file))
      .join(', ');
    const more = files.length > NAMED ? ', …' : '';
    reporter.note(
      `${plural(files.length, 'file')} of ${lineText(folder)} left out, with neither the name nor the first bytes of a TFRecord file ` +
        `(${names}${more}); name a file to see it`,
    );
  }
  if (unread) reporter.note(`${lineText(folder)} has too many entries, and not all were checked: name its folders`);
}
