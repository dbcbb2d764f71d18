import { rm } from 'node:fs/promises';

import { manifestOf, totalsOf, writeManifest, type JobIdentity, type ManifestOutput } from './manifest';

/** Manifests up to this size are written after every output. */
const SMALL_BYTES = 64 * 1024;
/**
 * Minimum time between two writes of a larger manifest, in milliseconds. After a kill, the outputs of that time are
 * written again.
 */
const INTERVAL = 1000;

/** Keeps the manifest file of a running job up to date. */
export class ManifestKeeper {
  readonly #path: string | undefined;
  readonly #job: JobIdentity;
  readonly #bytesIn: number;
  readonly #begun: number;
  /** Finished outputs by range, then by side. */
  #outputs: (ManifestOutput | undefined)[][] = [];
  #bytes = 0;
  #writtenAt = -Infinity;
  #isThere = false;
  #writing: Promise<void> = Promise.resolve();

  /** `path`: undefined to write no file. `begun`: a time of `performance.now()`. */
  constructor(path: string | undefined, job: JobIdentity, bytesIn: number, begun: number) {
    this.#path = path;
    this.#job = job;
    this.#bytesIn = bytesIn;
    this.#begun = begun;
  }

  /** Call it before the first output appears. `outputs`: those that an earlier run finished. */
  async begin(outputs: readonly (readonly (ManifestOutput | undefined)[])[]): Promise<void> {
    this.#outputs = outputs.map((sides) => [...sides]);
    await this.#write(false);
  }

  /** Adds a finished output. */
  async note(output: ManifestOutput, range: number, side: number): Promise<void> {
    this.#outputs[range]![side] = output;
    if (this.#bytes > SMALL_BYTES && performance.now() - this.#writtenAt < INTERVAL) return;
    await this.#write(false);
  }

  /** Call it when all outputs are finished. Returns their totals. */
  async complete(): Promise<ReturnType<typeof totalsOf>> {
    await this.#write(true);
    return totalsOf(this.#finished);
  }

  /** Call it if the job failed. Removes the manifest if no output was finished. Never rejects. */
  async giveUp(): Promise<void> {
    if (!this.#isThere) return;
    if (this.#finished.length === 0) await rm(this.#path!, { force: true }).catch(() => undefined);
    else await this.#write(false).catch(() => undefined);
  }

  get #finished(): ManifestOutput[] {
    return this.#outputs.flat().filter((output) => output !== undefined);
  }

  /** Outputs that are written at once may finish at once: the manifest is written after what was written before. */
  #write(complete: boolean): Promise<void> {
    return (this.#writing = this.#writing.catch(() => undefined).then(() => this.#writeNow(complete)));
  }

  async #writeNow(complete: boolean): Promise<void> {
    if (this.#path === undefined) return;
    const state = { complete, bytesIn: this.#bytesIn, begun: this.#begun };
    this.#bytes = await writeManifest(this.#path, manifestOf(this.#job, this.#finished, state));
    this.#isThere = true;
    this.#writtenAt = performance.now();
  }
}
