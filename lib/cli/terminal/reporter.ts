import pc from 'picocolors';

import { counted, TFRecordError, codeOf } from '../../base';
import { Losses } from './losses';
import type { Progress } from './progress';
import { wantsColor, type Streams } from './streams';
import { acceptedWording, commandWording, type Flags } from './terms';
import { linesText, lineText } from './text';

/** The exit codes of the command. */
export const EXIT = {
  ok: 0,
  /**
   * The data is damaged, bytes were given up unread, a file cannot be read, grep found nothing, diff found a
   * difference, or validate found an anomaly.
   */
  fault: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** 128 + SIGINT, as in shells. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error of use that is detected only when the command runs. */
export class UsageError extends Error {}

/** True for errors of use, including arguments that the library rejects. */
export function isUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  if (!(error instanceof TypeError || error instanceof RangeError)) return false;
  return /^ERR_(INVALID_ARG|OUT_OF_RANGE)/.test(String(codeOf(error)));
}

/** Maximum number of warnings to print. Others are only counted. */
const MAX_WARNINGS = 20;

/** Prints messages to stderr, and determines the exit code. */
export class Reporter {
  /** The progress bar, which is cleared before a message is printed. */
  progress: Progress | undefined;
  /** The damage that was skipped. */
  readonly losses = new Losses();
  #exitCode: ExitCode = EXIT.ok;
  #warnings = 0;
  #last: unknown;
  readonly #stderr: Streams['stderr'];
  readonly #colors: ReturnType<typeof pc.createColors>;
  readonly #flags: Flags;

  /** `flags`: those of the command, which messages may advise. */
  constructor(streams: Streams, flags?: Flags) {
    this.#flags = flags;
    this.#stderr = streams.stderr;
    // The command continues even if its messages cannot be written.
    this.#stderr.on('error', () => undefined);
    this.#colors = pc.createColors(wantsColor(streams.stderr, streams.env));
  }

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Reports an error, and sets the exit code. The same error is reported only once. */
  error(error: unknown): void {
    this.#exitCode = isUsage(error) ? EXIT.usage : EXIT.fault;
    if (error === this.#last) return;
    this.#last = error;
    this.#print(this.#colors.red('error'), explain(error, this.#flags));
  }

  /** Reports damage that the user chose to accept with `--on-error`. */
  accepted(error: TFRecordError, action: 'skip' | 'stop'): void {
    if (action === 'skip') this.losses.add(error);
    this.warning(error);
  }

  /** Reports damage that the command reads over. Later ones are only counted. */
  warning(error: TFRecordError): void {
    // The user already follows the advice to use --on-error.
    if (++this.#warnings > MAX_WARNINGS) return;
    this.#print(this.#colors.yellow('warning'), explain(error, this.#flags, acceptedWording));
  }

  note(text: string): void {
    this.#print(this.#colors.dim('note'), lineText(text));
  }

  /** Sets the exit code to {@link EXIT.fault}. */
  fault(): void {
    this.#exitCode = EXIT.fault;
  }

  /** Prints the number of warnings that were only counted, and reports bytes that were given up unread. */
  finish(): void {
    const unsaid = this.#warnings - MAX_WARNINGS;
    if (unsaid > 0) this.note(`${counted(unsaid, 'more fault was', undefined, 'more faults were')} accepted`);
    const { losses } = this;
    if (!losses.hasBytes) return;
    if (losses.allowed) this.note(String(losses));
    else this.error(losses.toError());
  }

  #print(kind: string, text: string): void {
    this.progress?.clear();
    this.#stderr.write(`tfrecord: ${kind}: ${text}\n`);
  }
}

/** Returns an error as one line that starts with its code, reworded by `wording` for the command with `flags`. */
export function explain(error: unknown, flags?: Flags, wording = commandWording): string {
  if (!(error instanceof Error)) return lineText(String(error));
  const message = wording(error, flags);
  // Errors of this package may quote file names, so control characters and line ends are escaped. Others may have
  // several lines, such as the error of an addon that cannot be loaded.
  if (!(error instanceof TFRecordError)) return linesText(message);
  // Messages of system errors already start with their code.
  return lineText(error.code.startsWith('TFR_') ? `${error.code}: ${message}` : message);
}
