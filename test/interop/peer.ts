/** Runs TensorFlow in a child process, one for each test file, and sends it requests (see peer.py, decode_peer.py). */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type TensorFlowCompression = '' | 'GZIP' | 'ZLIB';
/** A record to make: its size and whether it compresses, or its data in hex. */
export type Made = readonly [size: number, kind: 'noise' | 'text'] | string;

export interface WriteRequest {
  readonly op: 'write';
  readonly file: string;
  readonly compression: TensorFlowCompression;
  readonly records: readonly Made[];
  readonly options?: Readonly<Record<string, number>>;
  readonly flushAfter?: number;
}
export interface ReadRequest {
  readonly op: 'read';
  readonly file: string;
  readonly compression: TensorFlowCompression;
  readonly via?: 'iterator' | 'dataset';
}
/** The number of records, and the SHA-256 over every record's length (uint64) and data. */
export interface Digest {
  readonly records: number;
  readonly sha256: string;
}
export interface WriteAnswer extends Digest {
  readonly fileBytes: number;
}
export interface ReadAnswer extends Digest {
  /** Name of TensorFlow's error class; null after a clean end. */
  readonly error: string | null;
  readonly message: string | null;
}

/** The interpreter that has TensorFlow. run.sh sets it. */
export const PYTHON = process.env['TFRECORD_TF_PYTHON'];

export class Peer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve(answer: string): void; reject(error: Error): void }[] = [];
  #errors = '';

  /** `script`: a script of this folder that answers lines of JSON with lines of JSON. */
  constructor(script = 'peer.py') {
    if (PYTHON === undefined) throw new Error('TFRECORD_TF_PYTHON is not set: start with npm run test:interop');
    this.#child = spawn(PYTHON, [join(__dirname, script)], { stdio: ['pipe', 'pipe', 'pipe'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    this.#child.on('close', (code, signal) => {
      const error = new Error(`TensorFlow ended (code ${code}, signal ${signal}): ${this.#errors.slice(-2000)}`);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  ask(request: WriteRequest): Promise<WriteAnswer>;
  ask(request: ReadRequest): Promise<ReadAnswer>;
  ask(request: WriteRequest | ReadRequest): Promise<WriteAnswer | ReadAnswer> {
    return this.exchange<WriteAnswer | ReadAnswer>(request);
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
