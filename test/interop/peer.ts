/** Runs TensorFlow in a child process, one for each test file, and sends it requests (see the folders' peer.py). */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The interpreter that has TensorFlow. run.sh sets it. */
const PYTHON = process.env['TFRECORD_TF_PYTHON'];

export class Peer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve(answer: string): void; reject(error: Error): void }[] = [];
  #errors = '';

  /** @param script - Path in this folder of a script that answers lines of JSON with lines of JSON. */
  constructor(script: string) {
    if (PYTHON === undefined) throw new Error('TFRECORD_TF_PYTHON is not set: start with npm run test:interop');
    this.#child = spawn(PYTHON, [join(__dirname, script)], { stdio: ['pipe', 'pipe', 'pipe'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.#child.on('close', (code, signal) => {
      const error = new Error(`TensorFlow ended (code ${code}, signal ${signal}): ${this.#errors.slice(-2000)}`);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  /** Sends one request, and returns its answer. */
  async exchange<A>(request: object): Promise<A> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return JSON.parse(line) as A;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return resolve();
      this.#child.on('close', () => resolve());
      this.#child.stdin.end();
    });
  }
}
