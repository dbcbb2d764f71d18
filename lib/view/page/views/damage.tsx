import type { ComponentChildren } from 'preact';

import type { Fault, FileState } from '../../protocol';
import { baseName, countText, plural, sizeText } from '../format';
import { damageMap, type Cell } from '../model/damage-map';
import type { DamageWork } from '../model/work';
import { ProgressBar, WorkError } from '../parts/progress';

interface DamageProps {
  readonly file: FileState;
  readonly work: DamageWork | undefined;
  readonly onStart: () => void;
  readonly onRecord: (record: number) => void;
}

const CELLS = 480;
const MAX_LISTED = 500;
const WORDS: Readonly<Record<Cell, string>> = {
  unread: 'not read yet',
  whole: 'whole',
  damaged: 'a damaged record',
  lost: 'lost',
};

/** The view of damage: a map of the intact, damaged and lost parts of the file, and the list of all faults. */
export function Damage({ file, work, onStart, onRecord }: DamageProps): ComponentChildren {
  if (work?.error !== undefined) return <WorkError message={work.error} onStart={onStart} />;
  if (work === undefined) return <section class="empty" />;
  const { progress, faults, done } = work;
  const { readBytes, totalBytes, records } = progress;
  const read = done !== undefined ? 1 : totalBytes === 0 ? 0 : readBytes / totalBytes;
  const { cells, total } = damageMap({ faults, bytes: done?.bytes ?? work.bytes, read, cells: CELLS });
  const present = (Object.keys(WORDS) as Cell[]).filter((cell) => cells.includes(cell));
  return (
    <section class="damage" aria-label="Damage">
      <header>
        <h2>{verdict(work)}</h2>
        {done === undefined ? (
          <ProgressBar what="Checking" progress={progress} onStop={work.stop} />
        ) : (
          <p class="facts">
            {plural(records, 'whole record')} · {file.size === null ? '' : `${sizeText(file.size)} stored · `}
            {sizeText(total)} of records
          </p>
        )}
      </header>
      <div class="map" role="img" aria-label={`Map of the file: ${mapText(cells)}`}>
        {cells.map((cell, i) => (
          <i key={i} class={cell} title={`From byte ${countText(Math.floor((i * total) / CELLS))}: ${WORDS[cell]}`} />
        ))}
      </div>
      <ul class="legend" aria-label="Colours of the map">
        {present.map((cell) => (
          <li key={cell}>
            <i class={cell} /> {WORDS[cell]}
          </li>
        ))}
        <li class="unit">a square is {sizeText(Math.ceil(total / CELLS))}</li>
      </ul>
      {faults.length === 0 ? null : (
        <Faults name={file.name} faults={faults} count={done?.faults ?? faults.length} onRecord={onRecord} />
      )}
    </section>
  );
}

function verdict({ done, faults }: DamageWork): string {
  if (faults.length > 0) return plural(done?.faults ?? faults.length, 'fault');
  return done === undefined ? 'No fault so far' : 'The file is whole';
}

function mapText(cells: readonly Cell[]): string {
  const share = (cell: Cell): number => Math.round((100 * cells.filter((each) => each === cell).length) / cells.length);
  return (Object.keys(WORDS) as Cell[])
    .filter((cell) => cells.includes(cell))
    .map((cell) => `${share(cell)}% ${WORDS[cell]}`)
    .join(', ');
}

interface FaultsProps {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly count: number;
  readonly onRecord: (record: number) => void;
}

function Faults({ name, faults, count, onRecord }: FaultsProps): ComponentChildren {
  const shown = faults.slice(0, MAX_LISTED);
  return (
    <table class="faults">
      <caption>
        {shown.length < count ? `The first ${countText(shown.length)} of ${plural(count, 'fault')}` : 'All faults'}
      </caption>
      <thead>
        <tr>
          <th scope="col">Record</th>
          <th scope="col">At byte</th>
          <th scope="col">Lost</th>
          <th scope="col">What was found</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((fault, i) => (
          <tr key={i}>
            <td>
              {fault.record === null ? (
                '–'
              ) : (
                <button type="button" class="quiet" onClick={() => onRecord(fault.record!)}>
                  {countText(fault.record)}
                </button>
              )}
            </td>
            <td>{fault.offset === null ? '–' : countText(fault.offset)}</td>
            <td>{fault.lost === null ? 'the rest' : fault.lost === 0 ? 'one record' : sizeText(fault.lost)}</td>
            <td>
              <code>{fault.code}</code> {fault.message.replaceAll(name, baseName(name))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
