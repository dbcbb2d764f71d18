import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import type { Shell } from '../shell';

/** The page of an app without files. */
export function Start({ shell }: { readonly shell: Shell | undefined }): ComponentChildren {
  if (shell === undefined) return <p class="empty">There is no file to show.</p>;
  return (
    <div class="empty start">
      <p>Drop TFRecord files or folders here, or open them.</p>
      <button type="button" class="primary" onClick={() => shell.open('files')}>
        Open files…
      </button>
      <button type="button" onClick={() => shell.open('folder')}>
        Open a folder…
      </button>
    </div>
  );
}

/** Adds files that are dropped on the window. Calls `onAdded` with the numbers of added files. */
export function useShell(shell: Shell | undefined, onAdded: (files: readonly number[]) => void): void {
  useEffect(() => shell?.onAdded(onAdded), [shell]);
  useEffect(() => {
    if (shell === undefined) return undefined;
    // Without this, the browser would open dropped files.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) shell.add(files);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('drop', drop);
    };
  }, [shell]);
}
