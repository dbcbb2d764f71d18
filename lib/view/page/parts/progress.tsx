import type { ComponentChildren } from 'preact';

import type { Progress } from '../../protocol';
import { plural, shareText } from '../format';

/** Shows why work failed, with a button that starts it again. */
export function WorkError({
  message,
  onStart,
}: {
  readonly message: string;
  readonly onStart: () => void;
}): ComponentChildren {
  return (
    <section class="empty">
      <p class="problem">{message}</p>
      <button type="button" onClick={onStart}>
        Try again
      </button>
    </section>
  );
}

/** Shows the progress of work that reads a file, with a button that stops it. */
export function ProgressBar({
  what,
  progress,
  onStop,
}: {
  readonly what: string;
  readonly progress: Progress;
  readonly onStop: () => void;
}): ComponentChildren {
  const { records, readBytes, totalBytes } = progress;
  return (
    <div class="working">
      <progress aria-label={what} max={Math.max(1, totalBytes)} value={readBytes} />
      <span>
        {what}: {plural(records, 'record')}, {shareText(readBytes, totalBytes)}
      </span>
      <button type="button" onClick={onStop}>
        Stop
      </button>
    </div>
  );
}
