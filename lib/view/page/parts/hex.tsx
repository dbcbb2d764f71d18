import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Client, ValuePlace } from '../../protocol';
import { countText } from '../format';

const WIDTH = 16;
const FIRST_BYTES = 256;
const MORE_BYTES = 4096;

interface HexProps {
  readonly client: Client;
  readonly file: number;
  readonly record: number;
  readonly place: ValuePlace;
  readonly bytes: number;
}

/** Shows bytes as hexadecimal digits and letters, in lines of 16: the first ones, and more on demand. */
export function Hex({ client, file, record, place, bytes }: HexProps): ComponentChildren {
  const [end, setEnd] = useState(FIRST_BYTES);
  const [data, setData] = useState(new Uint8Array(0));
  const [error, setError] = useState<string>();
  const to = Math.min(end, bytes);
  useEffect(() => {
    const cancel = new AbortController();
    const pieces: Uint8Array[] = [];
    client
      .ask(
        'value',
        { file, record, place, from: data.length, to },
        {
          signal: cancel.signal,
          onBatch: (piece) => void pieces.push(piece),
        },
      )
      .then(
        () => setData((before) => joined([before, ...pieces])),
        (thrown: unknown) => {
          if (!cancel.signal.aborted) setError((thrown as Error).message);
        },
      );
    return () => cancel.abort(new Error('no longer shown'));
  }, [to]);
  if (error !== undefined) return <p class="note">{error}</p>;
  return (
    <div class="hex">
      <pre tabIndex={0} role="group" aria-label="Bytes in hexadecimal">
        {dump(data)}
      </pre>
      {to < bytes ? (
        <button type="button" onClick={() => setEnd(end + MORE_BYTES)}>
          More of {countText(bytes)} bytes
        </button>
      ) : null}
    </div>
  );
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns lines of an offset, 16 bytes, and their letters. */
export function dump(data: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += WIDTH) {
    const line = Array.from(data.subarray(at, at + WIDTH));
    const digits = line
      .map((byte, i) => `${i === WIDTH / 2 ? ' ' : ''}${byte.toString(16).padStart(2, '0')}`)
      .join(' ');
    const letters = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${digits.padEnd(3 * WIDTH)}  ${letters}`);
  }
  return lines.join('\n');
}
