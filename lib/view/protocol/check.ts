/** Checks the messages of pages, which are not trusted, before a host uses them. */
import { MAX_CREDITS, MAX_CSV, MAX_ROWS, MAX_WANTED, type Ask, type ToHost } from './messages';

type Check = (value: unknown, files: number) => boolean;

const MAX_TEXT = 4096;
const MAX_CONDITIONS = 16;
const MAX_RANGES = 4096;
const MAX_PATHS = 4096;
/** Maximum length of a path: that of Windows. */
const MAX_PATH = 32_767;

const count = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const file: Check = (value, files) => count(value) && value < files;
const text: Check = (value) => typeof value === 'string' && value.length <= MAX_TEXT;
const path: Check = (value) =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_PATH && !value.includes('\0');
const among =
  (...choices: readonly unknown[]): Check =>
  (value) =>
    choices.includes(value);
const list =
  (most: number, item: Check): Check =>
  (value, files) =>
    // `Array.from` fills holes, which `every` would skip.
    Array.isArray(value) && value.length <= most && Array.from<unknown>(value).every((each) => item(each, files));
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, files) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const given = Object.entries<unknown>({ ...value });
    return (
      given.length === Object.keys(checks).length &&
      given.every(([name, member]) => Object.hasOwn(checks, name) && checks[name]!(member, files))
    );
  };

const range: Check = (value, files) => list(2, count)(value, files) && Array.isArray(value) && value.length === 2;
const conditions = list(MAX_CONDITIONS, text);
const place = members({ section: among('context', 'lists', 'raw'), name: text, step: count, index: count });

const ARGUMENTS: Readonly<Record<Ask, Check>> = {
  files: members({}),
  add: members({ paths: list(MAX_PATHS, path) }),
  rows: members({ file, records: list(MAX_ROWS, count) }),
  record: members({ file, record: count }),
  value: members({ file, record: count, place, from: count, to: count }),
  find: members({ file, conditions }),
  statistics: members({ file }),
  damage: members({ file }),
  forget: members({ file }),
  export: members({
    file,
    selection: members({
      ranges: (value, files) => value === null || list(MAX_RANGES, range)(value, files),
      conditions,
    }),
    format: among('jsonl', 'tfrecord'),
  }),
  logs: members({}),
  curves: members({
    reading: count,
    wanted: list(MAX_WANTED, members({ curve: count, generation: count, from: count })),
  }),
  csv: members({ reading: count, curves: list(MAX_CSV, count) }),
  readLogsAgain: members({}),
};

const isAsk = (ask: unknown): ask is Ask => typeof ask === 'string' && Object.hasOwn(ARGUMENTS, ask);
const id: Check = (value) => count(value) && value > 0;
const credits: Check = (value) => count(value) && value <= MAX_CREDITS;

/** Returns `message` if a page may send it to a host of `files` files; else the reason as text. */
export function checkMessage(message: unknown, files: number): ToHost | string {
  if (typeof message !== 'object' || message === null) return 'a message is an object';
  const given: Readonly<Partial<Record<'id' | 'ask' | 'args', unknown>>> = message;
  if (!id(given.id, 0)) return 'id must be a positive integer';
  if (Object.hasOwn(given, 'cancel')) {
    return members({ id, cancel: among(true) })(message, 0) ? (message as ToHost) : 'cancel must be true, and alone';
  }
  if (Object.hasOwn(given, 'grant')) {
    return members({ id, grant: credits })(message, 0) ? (message as ToHost) : 'grant must be a number of batches';
  }
  const { ask } = given;
  if (!isAsk(ask)) return 'ask names no request';
  if (!members({ id, ask: () => true, args: () => true, credits })(message, 0)) {
    return 'a request has id, ask, args and credits';
  }
  return ARGUMENTS[ask](given.args, files) ? (message as ToHost) : `wrong arguments of ${ask}`;
}
