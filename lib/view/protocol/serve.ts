import { checkMessage } from './check';
import {
  MAX_CREDITS,
  MAX_PENDING,
  type Ask,
  type Asks,
  type Port,
  type Problem,
  type ToHost,
  type ToPage,
} from './messages';

type Answer<A extends Ask> = (
  args: Asks[A]['args'],
  signal: AbortSignal,
) => AsyncGenerator<Asks[A]['batch'], Asks[A]['done']>;

/**
 * The answers to requests: for each a generator that yields batches and returns the last answer. Without `add`, files
 * cannot be added.
 */
export type Answers = { readonly [A in Exclude<Ask, 'add'>]: Answer<A> } & { readonly add?: Answer<'add'> | undefined };

type AnyAnswer = (args: unknown, signal: AbortSignal) => AsyncGenerator;

/** A pending request. */
class Serving {
  readonly #interrupt = new AbortController();
  #credits: number;
  #granted: (() => void) | undefined;

  constructor(credits: number) {
    this.#credits = credits;
  }

  get signal(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Resolves when a batch may be sent, or the request was cancelled. */
  async credit(): Promise<void> {
    while (this.#credits === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => (this.#granted = resolve));
    }
  }

  spend(): void {
    this.#credits--;
  }

  grant(count: number): void {
    this.#credits = Math.min(this.#credits + count, MAX_CREDITS);
    this.#granted?.();
  }

  cancel(): void {
    this.#interrupt.abort();
    this.#granted?.();
  }
}

/**
 * The host's end of the protocol: answers the requests that `port` receives, until it closes. A request proceeds only
 * while it has credits, so a page that grants none causes no work. An invalid message gets an error, and has no other
 * effect.
 *
 * @param files returns the number of files that requests may name
 * @param problemOf converts an error that an answer throws to a description for the page
 * @returns a function that fails all pending requests
 */
export function serve(
  port: Port,
  answers: Answers,
  files: () => number,
  problemOf: (error: unknown) => Problem,
): (problem: Problem) => void {
  const underWay = new Map<number, Serving>();
  const cancelAll = (): void => {
    for (const serving of underWay.values()) serving.cancel();
  };
  const post = (message: ToPage): void => {
    try {
      port.post(message);
    } catch {
      // Without an answer, a page would wait for ever, so the port is closed.
      cancelAll();
      port.close();
    }
  };
  const refuse = (id: number, why: string): void => {
    post({ id, error: { code: 'ERR_INVALID_ARG_VALUE', message: `Refused: ${why}.`, record: null } });
  };

  const answer = async (id: number, batches: AsyncGenerator, serving: Serving): Promise<void> => {
    try {
      for (;;) {
        await serving.credit();
        if (serving.signal.aborted) return;
        const step = await batches.next();
        if (serving.signal.aborted) return;
        if (step.done === true) {
          post({ id, done: step.value });
          return;
        }
        serving.spend();
        post({ id, batch: step.value });
      }
    } catch (error) {
      if (!serving.signal.aborted) post({ id, error: problemOf(error) });
    } finally {
      underWay.delete(id);
      await batches.return(undefined).catch(() => undefined);
    }
  };

  port.onMessage((given) => {
    const message: ToHost | string = checkMessage(given, files());
    if (typeof message === 'string') {
      const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined;
      refuse(typeof id === 'number' && Number.isSafeInteger(id) ? id : 0, message);
      return;
    }
    const serving = underWay.get(message.id);
    if ('cancel' in message) serving?.cancel();
    else if ('grant' in message) serving?.grant(message.grant);
    else if (serving !== undefined) refuse(0, `request ${message.id} is under way already`);
    else if (underWay.size >= MAX_PENDING) refuse(message.id, `more than ${MAX_PENDING} requests are under way`);
    else if (answers[message.ask] === undefined) refuse(message.id, `this port may not ask for ${message.ask}`);
    else {
      const started = new Serving(message.credits);
      underWay.set(message.id, started);
      const batches = (answers[message.ask] as AnyAnswer)(message.args, started.signal);
      void answer(message.id, batches, started);
    }
  });
  port.onClose(cancelAll);
  return (problem) => {
    for (const [id, serving] of underWay) {
      if (!serving.signal.aborted) post({ id, error: problem });
      serving.cancel();
    }
  };
}
