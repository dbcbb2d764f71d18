import type { ComponentChildren } from 'preact';

import type { FileState } from '../../protocol';
import { countText, fileLabels, plural, sizeText } from '../format';

interface FilesProps {
  readonly files: readonly FileState[];
  readonly chosen: number;
  readonly onChoose: (file: number) => void;
}

/** The list of files, with the state of each. */
export function Files({ files, chosen, onChoose }: FilesProps): ComponentChildren {
  const labels = fileLabels(files.map(({ name }) => name));
  return (
    <nav class="files" aria-label="Files">
      <h2>{plural(files.length, 'file')}</h2>
      <ul>
        {files.map((state, i) => (
          <li key={state.file}>
            <button
              type="button"
              title={state.name}
              aria-current={state.file === chosen ? 'true' : undefined}
              onClick={() => onChoose(state.file)}
            >
              <span class="name">{labels[i]}</span>
              <span class="facts">{factsOf(state)}</span>
              {state.opened && !state.complete && state.problem === null ? (
                <progress
                  aria-label="Counting the records"
                  max={Math.max(1, state.size ?? 1)}
                  value={state.readBytes}
                />
              ) : null}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function factsOf({ size, opened, records, complete, faults, problem }: FileState): ComponentChildren {
  if (problem !== null && records === 0) return <b class="bad">cannot be read</b>;
  return (
    <>
      {size === null ? '' : sizeText(size)}
      {opened ? `, ${complete ? plural(records, 'record') : `${countText(records)} so far`}` : ''}
      {faults > 0 ? <b class="bad">, {plural(faults, 'fault')}</b> : null}
    </>
  );
}
