import type { SingleBar } from 'cli-progress';

import { grouped } from '../../base';
import type { Streams } from './streams';
import { onDemand } from '../on-demand';

/** Time before a bar is shown, in milliseconds. */
const PATIENCE = 500;
/** Time between two updates of the bar, in milliseconds. */
const REDRAW = 100;

/** The progress of the work. `bytes` counts stored bytes, as on disk. */
export interface ProgressState {
  readonly bytes: number;
  readonly records: number;
}

/** A progress bar on stderr, if that is a terminal, which is shown after some time. */
export class Progress {
  readonly #stderr: Streams['stderr'];
  readonly #total: number | undefined;
  readonly #enabled: boolean;
  readonly #start = Date.now();
  #drawn = 0;
  #bar: SingleBar | undefined;

  /** `total` is the size of all files in bytes; undefined if a source has no size. */
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
      // Replaces the bar's own estimate, which restarts after each `clear`.
      left: (((now - this.#start) / 1000) * ((this.#total ?? 0) / Math.max(value, 1) - 1)).toFixed(0),
    };
    if (this.#bar === undefined) {
      this.#bar = this.#create();
      this.#bar.start(this.#total ?? 0, value, counts);
    } else {
      this.#bar.update(value, counts);
    }
  }

  /** Removes the bar. The next update shows it again. */
  clear(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #create(): SingleBar {
    const { SingleBar, Presets } = onDemand.cliProgress;
    const counts = '{records} records, {megabytes} MB';
    const format = this.#total === undefined ? counts : `{bar} {percentage} %  ${counts}  {left} s left`;
    return new SingleBar(
      { stream: this.#stderr, format, barsize: 30, clearOnComplete: true, hideCursor: false },
      Presets.shades_classic,
    );
  }
}
