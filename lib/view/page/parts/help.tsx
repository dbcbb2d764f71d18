import type { ComponentChildren } from 'preact';

import { Dialog } from './dialog';

const KEYS: readonly (readonly [string, string])[] = [
  ['1 … 5', 'records, one record, pictures, statistics, damage'],
  ['6', 'curves, if there are logs of TensorBoard'],
  ['↑ ↓ Page Home End', 'move in the list; ← → too among pictures'],
  ['Enter', 'open the record'],
  ['Esc', 'back to the list'],
  ['← →', 'the record before, the next one'],
  ['Space', 'mark the record for an export'],
  ['← → Home End', 'in a chart: read values; + and − zoom, 0 shows all'],
  ['/', 'filter'],
  ['g', 'go to a record by its number'],
  ['e', 'export'],
  ['[ ]', 'the file before, the next one'],
  ['?', 'these keys'],
];

const CONDITIONS: readonly (readonly [string, string])[] = [
  ['label=3, name=Ann', 'a value is 3, or the text Ann'],
  ['label!=3', 'no value is 3'],
  ['score>0.5', 'also >=, <, <='],
  ['name~^A, name!~^A', 'a text matches the regular expression; none does'],
  ['name, !name', 'the feature is there; it is missing'],
  ['label=3 && score>0.5', 'both'],
];

export function Help({ onClose }: { readonly onClose: () => void }): ComponentChildren {
  return (
    <Dialog title="Keys and filters" onClose={onClose}>
      <div class="help">
        <dl>
          {KEYS.map(([key, what]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <h3>A filter finds the records in which</h3>
        <dl>
          {CONDITIONS.map(([condition, what]) => (
            <div>
              <dt>
                <code>{condition}</code>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
