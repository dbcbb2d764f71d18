import { rm } from 'node:fs/promises';

import { totalsOf, writeManifest, type JobIdentity, type ManifestOutput } from './manifest';

/** Manifests up to this size are written after every output. */
const SMALL_BYTES = 64 * 1024;
/** Time between two writes of larger ones, in milliseconds. A killed job writes the outputs of that time again. */
const INTERVAL = 1000;

/** Keeps the manifest of a running job. */
export class ManifestKeeper {
  readonly #path: string | undefined;
  readonly #job: JobIdentity;
  readonly #bytesIn: number;
  readonly #begun: number;
  /** By ranges, then by sides. */
  #outputs: (ManifestOutput | undefined)[][] = [];
  #bytes = 0;
  #writtenAt = -Infinity;
  #isThere = false;

  /** `path`: undefined if there is to be no file. `begun`: a time of `performance.now()`. */
  constructor(path: string | undefined, job: JobIdentity, bytesIn: number, begun: number) {
    this.#path = path;
    this.#job = job;
    this.#bytesIn = bytesIn;
    this.#begun = begun;
  }

  /** The first output appears soon; `outputs` has those that an earlier run has finished. */
  async begin(outputs: readonly (readonly (ManifestOutput | undefined)[])[]): Promise<void> {
    this.#outputs = outputs.map((sides) => [...sides]);
    await this.#write(false);
  }

  /** Notes a finished output. */
  async note(output: ManifestOutput, range: number, side: number): Promise<void> {
    this.#outputs[range]![side] = output;
    if (this.#bytes > SMALL_BYTES && performance.now() - this.#writtenAt < INTERVAL) return;
    await this.#write(false);
  }

  /** All outputs are finished. Returns their totals. */
  async complete(): Promise<ReturnType<typeof totalsOf>> {
    await this.#write(true);
    return totalsOf(this.#finished);
  }

  /** The job failed. Nothing is left if no output was finished. Never rejects. */
  async giveUp(): Promise<void> {
    if (!this.#isThere) return;
    if (this.#finished.length === 0) await rm(this.#path!, { force: true }).catch(() => undefined);
    else await this.#write(false).catch(() => undefined);
  }

  get #finished(): ManifestOutput[] {
    return this.#outputs.flat().filter((output) => output !== undefined);
  }

  async #write(complete: boolean): Promise<void> {
    if (this.#path === undefined) return;
    const outputs = this.#finished;
    this.#bytes = await writeManifest(this.#path, {
      complete,
      ...this.#job,
      outputs,
      ...totalsOf(outputs),
      bytesIn: this.#bytesIn,
      seconds: (performance.now() - this.#begun) / 1000,
      finished: new Date().toISOString(),
    });
    this.#isThere = true;
    this.#writtenAt = performance.now();
  }
}
