import type { SingleBar } from 'cli-progress';

import { grouped } from './text';
import type { Streams } from './streams';

/** Work that ends before this many milliseconds shows no bar. */
const PATIENCE = 500;
const REDRAW = 100;

/** How far the work is. Bytes are those of the files, as they lie on disk. */
export interface ProgressState {
  readonly bytes: number;
  readonly records: number;
}

/** A bar on a terminal's stderr, once the work is long; silent anywhere else. */
export class Progress {
  readonly #stderr: Streams['stderr'];
  readonly #total: number | undefined;
  readonly #enabled: boolean;
  readonly #start = Date.now();
  #drawn = 0;
  #bar: SingleBar | undefined;

  /** `total`: bytes of all files, undefined when a source has no size. */
  constructor(streams: Streams, total: number | undefined, allowed: boolean) {
    this.#stderr = streams.stderr;
    this.#total = total;
    this.#enabled = allowed && streams.stderr.isTTY === true && streams.env['TERM'] !== 'dumb';
  }

  update(state: ProgressState): void {
    if (!this.#enabled) return;
    const now = Date.now();
    if (now - this.#start < PATIENCE || now - this.#drawn < REDRAW) return;
    this.#drawn = now;
    const value = Math.min(state.bytes, this.#total ?? state.bytes);
    const counts = {
      records: grouped(state.records),
      megabytes: (state.bytes / 1e6).toFixed(0),
      // The bar's own estimate forgets what came before it was taken away.
      left: (((now - this.#start) / 1000) * ((this.#total ?? 0) / Math.max(value, 1) - 1)).toFixed(0),
    };
    if (this.#bar === undefined) {
      this.#bar = this.#create();
      this.#bar.start(this.#total ?? 0, value, counts);
    } else {
      this.#bar.update(value, counts);
    }
  }

  /** Takes the bar away; the next update brings it back. */
  clear(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #create(): SingleBar {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- short work never loads it
    const { SingleBar, Presets } = require('cli-progress') as typeof import('cli-progress');
    const counts = '{records} records, {megabytes} MB';
    const format = this.#total === undefined ? counts : `{bar} {percentage} %  ${counts}  {left} s left`;
    return new SingleBar(
      { stream: this.#stderr, format, barsize: 30, clearOnComplete: true, hideCursor: false },
      Presets.shades_classic,
    );
  }
}
