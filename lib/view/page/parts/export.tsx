import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { Client } from '../../protocol';
import { baseName, countText, plural, sizeText } from '../format';
import type { Exportable } from '../model/exportable';
import { save } from '../model/save';
import { Dialog } from './dialog';

interface ExportProps {
  readonly client: Client;
  readonly file: number;
  readonly name: string;
  readonly choices: readonly Exportable[];
  readonly onClose: () => void;
}

const FORMATS = [
  {
    id: 'jsonl',
    label: 'JSON Lines',
    note: 'one line of JSON for each record, as tfrecord cat prints',
    ending: '.jsonl',
  },
  { id: 'tfrecord', label: 'TFRecord', note: 'the records as they are, with new checksums', ending: '.tfrecord' },
] as const;

/** The dialog for an export: choice of records and format. Passes the file to the browser. */
export function Export({ client, file, name, choices, onClose }: ExportProps): ComponentChildren {
  const [wanted, setWanted] = useState(choices[0]!.id);
  // The choice of a failed search is removed.
  const chosen = choices.find(({ id }) => id === wanted) ?? choices[0]!;
  const [format, setFormat] = useState<(typeof FORMATS)[number]>(FORMATS[0]);
  const [bytes, setBytes] = useState<number>();
  const [outcome, setOutcome] = useState<string>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(new Error('The dialog was closed.')), []);

  const start = (): void => {
    const { id, selection } = chosen;
    const cancel = new AbortController();
    running.current = cancel;
    const parts: BlobPart[] = [];
    let size = 0;
    setBytes(0);
    setOutcome(undefined);
    const onBatch = (piece: Uint8Array): void => {
      // Blobs, because the browser may store them on the disk.
      parts.push(new Blob([piece as BlobPart]));
      size += piece.length;
      setBytes(size);
    };
    client
      .ask('export', { file, selection, format: format.id }, { onBatch, signal: cancel.signal, credits: 16 })
      .then(
        ({ records }) => {
          const ending = `${id === 'all' ? '' : `-${id}`}${format.ending}`;
          const fileName = `${baseName(name)
            .replace(/\.(?:gz|zlib|zz)$/, '')
            .replace(/\.tf_?records?$/, '')}${ending}`;
          save(new Blob(parts), fileName);
          setOutcome(`${plural(records, 'record')}, ${sizeText(size)}, as ${fileName}`);
        },
        (error: unknown) => setOutcome((error as Error).message),
      )
      .finally(() => {
        running.current = undefined;
        setBytes(undefined);
      });
  };

  return (
    <Dialog title="Export" onClose={onClose}>
      <form
        class="export"
        onSubmit={(event) => {
          event.preventDefault();
          if (bytes === undefined) start();
        }}
      >
        <fieldset>
          <legend>Which records</legend>
          {choices.map(({ id, label }) => (
            <label>
              <input type="radio" name="which" checked={chosen.id === id} onChange={() => setWanted(id)} /> {label}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>As</legend>
          {FORMATS.map((each) => (
            <label>
              <input type="radio" name="format" checked={format === each} onChange={() => setFormat(each)} />{' '}
              {each.label}
              <small>{each.note}</small>
            </label>
          ))}
        </fieldset>
        <footer>
          <output role="status">
            {bytes === undefined ? outcome : `${countText(Math.round(bytes / 1e6))} MB so far`}
          </output>
          {bytes === undefined ? (
            <button class="primary">Export</button>
          ) : (
            <button type="button" onClick={() => running.current?.abort(new Error('The export was stopped.'))}>
              Stop
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
