/**
 * Messages as data: text, and mentions of options, which each reader words in its own terms. The library writes
 * `onError: "stop"`, the command `--on-error stop`. No code searches the text of a message for what it needs to know.
 */

/** A value that a hint gives an option. */
export type HintValue = string | number | boolean;

/** A mention of an option, or of a function. */
export interface Mention {
  /** The name, and after a dot the member of its value: `onError`, `split.train`, `statistics()`. */
  readonly option: string;
  /** The value that helps. */
  readonly value?: HintValue | undefined;
  /** True if the message shows the value, too. */
  readonly isSetting: boolean;
  /** The command of the function that has the option; undefined if that is the function that failed. */
  readonly of?: string | undefined;
  /** The library's words for it. */
  readonly words: string;
}

/** Words a mention for one kind of reader. */
export type Terms = (mention: Mention) => string;

/**
 * The purpose of a part of a message. `aside`: advice that says what a program does, such as passing over damage;
 * `received`: a wrong argument as JavaScript shows it.
 */
type Purpose = 'text' | 'advice' | 'aside' | 'received';

type MessagePart = string | Mention | Message;

/** A message, or text without mentions and advice. */
export type Text = string | Message;

const LIBRARY: Terms = ({ words }) => words;

/** A message, or a part of one. */
export class Message {
  readonly #purpose: Purpose;
  readonly #parts: readonly MessagePart[];

  constructor(purpose: Purpose, parts: readonly MessagePart[]) {
    this.#purpose = purpose;
    this.#parts = parts;
  }

  /** Returns the text in the words of `terms`, without parts of the purposes `without`. */
  in(terms: Terms, without: readonly Purpose[] = []): string {
    const texts = this.#parts.map((part) => {
      if (typeof part === 'string') return part;
      if (!(part instanceof Message)) return terms(part);
      return without.includes(part.#purpose) ? '' : part.in(terms, without);
    });
    return texts.join('');
  }

  /** Returns the message with `to` in the place of each value of a template that is the text `from`. */
  withValue(from: string, to: string): Message {
    const parts = this.#parts.map((part) => {
      if (part instanceof Message) return part.withValue(from, to);
      return part === from ? to : part;
    });
    return new Message(this.#purpose, parts);
  }

  /** Returns the message with each mention replaced by what `replace` returns for it. */
  mentioning(replace: (mention: Mention) => Mention): Message {
    const parts = this.#parts.map((part) => {
      if (typeof part === 'string') return part;
      return part instanceof Message ? part.mentioning(replace) : replace(part);
    });
    return new Message(this.#purpose, parts);
  }

  /** Returns the message without the advice that mentions an option which the reader lacks: one that `has` refuses. */
  offering(has: (mention: Mention) => boolean): Message {
    const parts = this.#parts.flatMap((part): readonly MessagePart[] => {
      if (!(part instanceof Message)) return [part];
      const kept = part.offering(has);
      return kept.#isAdvice && (kept.#mentionsOther(has) || String(kept).trim() === '') ? [] : [kept];
    });
    return new Message(this.#purpose, parts);
  }

  /** The text in the library's words. */
  toString(): string {
    return this.in(LIBRARY);
  }

  /** The text without advice; undefined if the message has none. */
  get reason(): string | undefined {
    return this.reasonIn(LIBRARY);
  }

  /** The text without advice in the words of `terms`; undefined if the message has none. */
  reasonIn(terms: Terms): string | undefined {
    return this.#hasAdvice() ? this.in(terms, ['advice', 'aside']).trimEnd() : undefined;
  }

  /** The first option that the advice mentions. */
  get hint(): { readonly option: string; readonly value?: HintValue } | undefined {
    const { advised } = this;
    if (advised === undefined) return undefined;
    const { option, value } = advised;
    return value === undefined ? { option } : { option, value };
  }

  /** The mention that `hint` is made of. */
  get advised(): Mention | undefined {
    return this.#advised(false);
  }

  get #isAdvice(): boolean {
    return this.#purpose === 'advice' || this.#purpose === 'aside';
  }

  /** True if a part, not a part of a part, is a mention that `has` refuses. */
  #mentionsOther(has: (mention: Mention) => boolean): boolean {
    return this.#parts.some((part) => typeof part !== 'string' && !(part instanceof Message) && !has(part));
  }

  #hasAdvice(): boolean {
    return this.#parts.some((part) => part instanceof Message && (part.#isAdvice || part.#hasAdvice()));
  }

  #advised(isAdvice: boolean): Mention | undefined {
    for (const part of this.#parts) {
      if (typeof part === 'string') continue;
      if (part instanceof Message) {
        const mention = part.#advised(isAdvice || part.#isAdvice);
        if (mention !== undefined) return mention;
      } else if (isAdvice && part.of === undefined) return part;
    }
    return undefined;
  }
}

type Tag = (texts: TemplateStringsArray, ...values: readonly (MessagePart | number | bigint | undefined)[]) => Message;

function tagOf(purpose: Purpose): Tag {
  return (texts, ...values) => {
    const parts = texts.flatMap((text, i): MessagePart[] => {
      const value = values[i];
      if (value === undefined) return [text];
      return [text, typeof value === 'number' || typeof value === 'bigint' ? String(value) : value];
    });
    return new Message(purpose, parts);
  };
}

/** A template of a message. Values may be texts, mentions and messages; undefined is nothing. */
export const worded = tagOf('text');
/** A template of advice: what to do. */
export const advice = tagOf('advice');
/** A template of advice that says what a program does. */
export const aside = tagOf('aside');
/** A template of the part of a message that shows a wrong argument. */
export const received = tagOf('received');

/** Mentions an option with a value: `onError: "stop"`. */
export function setting(option: string, value: HintValue): Mention {
  return { option, value, isSetting: true, words: `${option}: ${JSON.stringify(value)}` };
}

/** Mentions an option by its name. `value` helps, but the message does not show it. */
export function named(option: string, words = option, value?: HintValue): Mention {
  return { option, value, isSetting: false, words };
}

/** Mentions a method of datasets that does what the option of its name does, in the same words: `onError: "stop"`. */
export function method(name: string, value: HintValue): Mention {
  return { ...setting(name, value), option: `${name}()` };
}

/** Mentions an option of another function, which the command `of` calls. It is no hint: the caller cannot set it. */
export function elsewhere(option: string, of: string, words = option): Mention {
  return { option, isSetting: false, words, of };
}

/** The messages of errors, and of lists of notes. */
const messages = new WeakMap<object, Message>();
const lists = new WeakMap<readonly string[], readonly Message[]>();

/** Returns `error`, and remembers that its message is `message`. */
export function withMessage<E extends object>(error: E, message: Message): E {
  messages.set(error, message);
  return error;
}

/** Returns the message of `error`: one of plain text for an error of others. */
export function messageOf(error: { readonly message: string }): Message {
  return messages.get(error) ?? new Message('text', [error.message]);
}

/** Returns the message of `error` in the library's words, without what only a program can do. */
export function textForPeople(error: { readonly message: string }): string {
  return messageOf(error).in(LIBRARY, ['aside']);
}

/** Returns the texts of `notes`, of which {@link messagesOf} returns the messages. */
export function textsOf(notes: readonly Text[]): readonly string[] {
  const texts = notes.map(String);
  lists.set(
    texts,
    notes.map((note) => worded`${note}`),
  );
  return texts;
}

/** Returns the messages of texts that {@link textsOf} returned. */
export function messagesOf(texts: readonly string[]): readonly Message[] {
  return lists.get(texts) ?? texts.map((text) => new Message('text', [text]));
}
