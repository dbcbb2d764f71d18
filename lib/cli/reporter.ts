import pc from 'picocolors';

import { TFRecordError } from '../errors';
import type { Progress } from './progress';
import { wantsColor, type Streams } from './streams';
import { linesText, lineText } from './text';

/** Exit codes. */
export const EXIT = {
  ok: 0,
  /** Data at fault, or a file that cannot be read. */
  fault: 1,
  /** Wrong arguments. */
  usage: 2,
  /** 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Warnings that are printed; the rest is counted. */
const MAX_WARNINGS = 20;

/** Messages to stderr, and the exit code that follows from them. */
export class Reporter {
  /** Cleared before a message is printed. */
  progress: Progress | undefined;
  #exitCode: ExitCode = EXIT.ok;
  #warnings = 0;
  #last: unknown;
  readonly #stderr: Streams['stderr'];
  readonly #colors: ReturnType<typeof pc.createColors>;

  constructor(streams: Streams) {
    this.#stderr = streams.stderr;
    // Without a reader for its messages the command still does its work.
    this.#stderr.on('error', () => undefined);
    this.#colors = pc.createColors(wantsColor(streams.stderr, streams.env));
  }

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Reports an error, and sets the exit code. The same error is reported only once. */
  error(error: unknown): void {
    this.fault();
    if (error === this.#last) return;
    this.#last = error;
    this.#print(this.#colors.red('error'), explain(error));
  }

  /** Reports damage that the user chose to accept. */
  warning(error: TFRecordError): void {
    if (++this.#warnings <= MAX_WARNINGS) this.#print(this.#colors.yellow('warning'), explain(error));
  }

  note(text: string): void {
    this.#print(this.#colors.dim('note'), lineText(text));
  }

  /** Sets the exit code for data at fault. */
  fault(): void {
    this.#exitCode = EXIT.fault;
  }

  /** Notes how many warnings were only counted. */
  finish(): void {
    const unsaid = this.#warnings - MAX_WARNINGS;
    if (unsaid > 0) this.note(`${unsaid} more faults were accepted`);
  }

  #print(kind: string, text: string): void {
    this.progress?.clear();
    this.#stderr.write(`tfrecord: ${kind}: ${text}\n`);
  }
}

/** An error in one line that starts with its code, in the words of the command. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return lineText(String(error));
  const message = commandWording(error);
  // Our errors may quote the name of a file. Others may have several lines, such as that of an addon that does not
  // load.
  if (!(error instanceof TFRecordError)) return linesText(message);
  // Messages of system errors start with their code already.
  return lineText(error.code.startsWith('TFR_') ? `${error.code}: ${message}` : message);
}

/** Where `--on-error` is no option: without the advice to use it. */
export function withoutOnError(text: string): string {
  return text.replace(/; (?:onError:|--on-error) [^.]*\./g, '.');
}

/** The library's advice names its options; the command has its own names for them. */
export function commandWording({ message }: Error): string {
  return message
    .replace(/\bonError: "(\w+)"/g, '--on-error $1')
    .replace(/\bcompression: "(\w+)"/g, '--compression $1')
    .replace(/\bmaxRecordBytes\b/g, '--max-record-bytes');
}
