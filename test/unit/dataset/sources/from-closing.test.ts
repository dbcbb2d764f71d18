/** Users' iterators are ended properly. */
import { Dataset } from '../../../../lib/dataset';

/** An iterator that gives 0, 1, 2 ... up to before `pendingAt`, and never comes back from there. */
class Stuck implements AsyncIterableIterator<number> {
  returned = 0;
  asked = 0;
  readonly #pendingAt: number;

  constructor(pendingAt: number) {
    this.#pendingAt = pendingAt;
  }

  next(): Promise<IteratorResult<number>> {
    const value = this.asked++;
    return value < this.#pendingAt
      ? Promise.resolve({ value, done: false })
      : new Promise<IteratorResult<number>>(() => undefined);
  }

  return(): Promise<IteratorResult<number>> {
    this.returned++;
    // As an async generator does: it answers behind the step that is pending.
    return new Promise<IteratorResult<number>>(() => undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

test('a step that is pending is not waited for: the iterator is told once, and closing resolves', async () => {
  const source = new Stuck(1);
  const elements = Dataset.from(source).iterate();
  expect(await elements.next()).toEqual({ value: 0, done: false });
  const pending = elements.next();
  await elements.return();
  expect(source.returned).toBe(1);
  expect(await pending).toEqual({ value: undefined, done: true });
  await elements.return();
  expect(source.returned).toBe(1);
});

test('the same through stages, and for an abort', async () => {
  const source = new Stuck(2);
  const abort = new AbortController();
  const elements = Dataset.from(source)
    .map((value) => value * 10)
    .batch(2)
    .iterate({ signal: abort.signal });
  expect((await elements.next()).value).toEqual([0, 10]);
  const pending = elements.next();
  abort.abort(new Error('enough'));
  await expect(pending).rejects.toThrow('enough');
  expect(source.returned).toBe(1);
});

test('what return() rejects with behind a pending step goes nowhere', async () => {
  const source = new Stuck(0);
  source.return = () => Promise.reject(new Error('too late'));
  const elements = Dataset.from(source).iterate();
  const pending = elements.next();
  await elements.return();
  expect(await pending).toEqual({ value: undefined, done: true });
});

test('an idle async generator is waited for: its finally has run when closing resolves', async () => {
  const log: string[] = [];
  async function* values(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
      yield 3;
    } finally {
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push('finally');
    }
  }
  for await (const value of Dataset.from(values).take(2)) expect([1, 2]).toContain(value);
  expect(log).toEqual(['finally']);
});

test('a synchronous generator is closed at once', async () => {
  const log: string[] = [];
  function* values(): Generator<number> {
    try {
      for (let i = 0; ; i++) yield i;
    } finally {
      log.push('finally');
    }
  }
  const elements = Dataset.from(values).iterate();
  await elements.next();
  const closing = elements.return();
  expect(log).toEqual(['finally']);
  await closing;
});

describe('promises among the values of a sync source are waited for', () => {
  const later = async (value: number): Promise<number> => value;
  const sources: Record<string, () => Iterable<number | Promise<number>>> = {
    array: () => [1, later(2), 3],
    set: () => new Set([1, later(2), 3]),
    generator: function* () {
      yield* [later(1), 2, later(3)];
    },
  };
  test.each(Object.keys(sources))('%s', async (name) => {
    const dataset = Dataset.from(sources[name] as () => Iterable<number | Promise<number>>);
    expect(await dataset.toArray()).toEqual([1, 2, 3]);
    expect(await dataset.batch(2).toArray()).toEqual([[1, 2], [3]]);
  });

  test('one that rejects is an error behind those before it', async () => {
    const iterator = Dataset.from(() => [1, Promise.reject(new Error('no two')), 3]).iterate();
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    await expect(iterator.next()).rejects.toMatchObject({ code: 'TFR_USER', cause: new Error('no two') });
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });
});
