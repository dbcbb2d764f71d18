/** Options of parsing are checked for each record, because callers may change them between records. */
import {
  decodeExample,
  encodeExample,
  fixedLen,
  int64,
  parseExample,
  parseSingleExample,
  type ParseOptions,
} from '../../../../lib';

const record = encodeExample({ id: int64(7), name: 'a' });
const spec = { id: fixedLen([], 'int64'), name: fixedLen([], 'bytes') };
const parse = (options?: ParseOptions): unknown => ({ ...parseSingleExample(record, spec, options) });
const bytes = Uint8Array.of(97);

test('an object that changes between records', () => {
  const options: ParseOptions = {};
  expect(parse(options)).toEqual({ id: 7n, name: bytes });
  options.int64 = 'number';
  expect(parse(options)).toEqual({ id: 7, name: bytes });
  options.bytes = 'text';
  expect(parse(options)).toEqual({ id: 7, name: 'a' });
  delete options.int64;
  expect(parse(options)).toEqual({ id: 7n, name: 'a' });
  options.bytes = undefined;
  expect(parse(options)).toEqual({ id: 7n, name: bytes });
  Object.assign(options, { int: 5 });
  const unknown = expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('"int"') as unknown });
  for (const run of [parseSingleExample, (_: unknown, ...rest: [never, never]) => parseExample([record], ...rest)]) {
    expect(() => run(record, spec as never, options as never)).toThrow(unknown as Error);
  }
  expect(() => decodeExample(record, options)).toThrow(unknown as Error);
});

class Inherited {
  readonly #int64 = 'number';

  get int64(): string {
    return this.#int64;
  }
}

test.each<[string, object | undefined, unknown]>([
  ['no options', undefined, 7n],
  ['none', {}, 7n],
  ['a class', new Inherited(), 7],
  ['another object', Object.create({ int64: 'number' }) as object, 7],
  ['no prototype', Object.assign(Object.create(null) as object, { int64: 'number' }), 7],
  ['a member that is not enumerable', Object.defineProperty({}, 'int64', { value: 'number' }), 7],
  ['frozen', Object.freeze({ int64: 'number' }), 7],
  ['a symbol', { [Symbol('int')]: 5, int64: 'number' }, 7],
  [
    'a getter',
    {
      get int64() {
        return 'number';
      },
    },
    7,
  ],
  ['a Proxy', new Proxy({ int64: 'number' }, {}), 7],
])('%s', (_, options, id) => {
  expect(parse(options)).toEqual({ id, name: bytes });
});

test.each<[string, unknown, string]>([
  ['null', null, 'ERR_INVALID_ARG_TYPE'],
  ['a list', [], 'ERR_INVALID_ARG_TYPE'],
  ['text', 'number', 'ERR_INVALID_ARG_TYPE'],
  ['a number', { int64: 5 }, 'ERR_INVALID_ARG_TYPE'],
  ['null as a member', { bytes: null }, 'ERR_INVALID_ARG_TYPE'],
  ['another word', { bytes: 'string' }, 'ERR_INVALID_ARG_VALUE'],
  ['an inherited name of objects', { int64: 'toString' }, 'ERR_INVALID_ARG_VALUE'],
])('%s is refused', (_, options, code) => {
  expect(() => parse(options as never)).toThrow(expect.objectContaining({ code }) as Error);
});

test('members of Object.prototype are not options', () => {
  for (const enumerable of [false, true]) {
    Object.defineProperty(Object.prototype, 'int64', { value: 'number', enumerable, configurable: true });
    try {
      expect(Object.getOwnPropertyDescriptor(parse({}), 'id')?.value).toBe(7n);
      expect(Object.getOwnPropertyDescriptor(parse({ bytes: 'text' }), 'name')?.value).toBe('a');
    } finally {
      delete (Object.prototype as { int64?: unknown }).int64;
    }
  }
});
