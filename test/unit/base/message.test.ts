/** Messages as parts: reason, advice, and options that each reader words in its own terms. */
import {
  invalidArgValue,
  tfrecordError,
  TFRecordError,
  type TFRecordErrorDetails,
  advice,
  aside,
  elsewhere,
  messageOf,
  messagesOf,
  named,
  setting,
  textForPeople,
  textsOf,
  worded,
  type Message,
  faultError,
  placedError,
} from '../../../lib/base';
import { commandWording, usageWording } from '../../../lib/cli/terminal/terms';
import { packThrown, unpackThrown } from '../../../lib/dataset/worker/packed-thrown';
import { ErrorPolicy } from '../../../lib/record';
import { problemOf } from '../../../lib/view/host/problem';

const DAMAGE = worded`Bad byte ${7} in ${'a'}.${advice` Restore it${aside`; ${setting('onError', 'stop')} ends before it`}.`}`;

const errorOf = (message: Message, details: TFRecordErrorDetails = {}): TFRecordError =>
  tfrecordError('TFR_CORRUPT_DATA', message, details);

test('an error has its reason without advice, and the option that helps', () => {
  const error = errorOf(DAMAGE, { file: 'a' });
  expect(error.message).toBe('Bad byte 7 in a. Restore it; onError: "stop" ends before it.');
  expect({ ...error }).toEqual({
    code: 'TFR_CORRUPT_DATA',
    file: 'a',
    reason: 'Bad byte 7 in a.',
    hint: { option: 'onError', value: 'stop' },
  });
});

test('advice that the reader lacks is left out, and nothing else', () => {
  const onlyVerify = DAMAGE.offering(({ option }) => option === 'verify');
  expect(String(onlyVerify)).toBe('Bad byte 7 in a. Restore it.');
  expect([onlyVerify.hint, onlyVerify.reason]).toEqual([undefined, 'Bad byte 7 in a.']);
  expect(String(DAMAGE.offering(() => true))).toBe(String(DAMAGE));
  const whole = worded`Bad ${named('spec')}.${advice` ${advice`The ${setting('verify', 'none')} reads it.`}`}`;
  expect(String(whole.offering(() => false))).toBe('Bad spec.');
});

test('the option of another function is no hint', () => {
  const error = errorOf(worded`Bad.${advice` ${elsewhere('resume', 'convert')} goes on.`}`);
  expect([error.message, error.hint, error.reason]).toEqual(['Bad. resume goes on.', undefined, 'Bad.']);
  expect(commandWording(error, new Set())).toBe('Bad. tfrecord convert --resume goes on.');
});

test('without advice, both are absent', () => {
  expect(Object.keys(errorOf(worded`Bad ${named('spec')}.`))).toEqual(['code']);
});

test('a hint without a value, and one whose value the message does not show', () => {
  expect(errorOf(worded`Bad.${advice` Name them (${named('features')}).`}`).hint).toEqual({ option: 'features' });
  const raised = named('maxRecordBytes', 'maxRecordBytes', 300);
  const error = errorOf(worded`Bad.${advice` Raise ${raised}.`}`);
  expect(error.hint).toEqual({ option: 'maxRecordBytes', value: 300 });
  expect([error.message, commandWording(error)]).toEqual([
    'Bad. Raise maxRecordBytes.',
    'Bad. Raise --max-record-bytes.',
  ]);
});

test('users give both fields to errors of their own', () => {
  const error = new TFRecordError('TFR_USER', 'Bad. Do that.', {
    reason: 'Bad.',
    hint: { option: 'verify', value: 'none' },
  });
  expect([error.reason, error.hint]).toEqual(['Bad.', { option: 'verify', value: 'none' }]);
});

test('each reader has its own words: programs, the command, people who look at a page', () => {
  const error = errorOf(DAMAGE);
  expect(commandWording(error)).toBe('Bad byte 7 in a. Restore it; --on-error stop ends before it.');
  expect(textForPeople(error)).toBe('Bad byte 7 in a. Restore it.');
});

test.each([
  [setting('compression', 'auto'), 'compression: "auto"', '--compression auto'],
  [setting('round', true), 'round: true', '--round'],
  [setting('delimiter', '\t'), 'delimiter: "\\t"', "--delimiter '\\t'"],
  [named('rounding', '"rounding" (of convert: round)'), '"rounding" (of convert: round)', '--round'],
  [named('statistics()'), 'statistics()', 'tfrecord stats'],
  [setting('int64', 'bigint'), 'int64: "bigint"', 'int64: "bigint"'],
])('%j', (mention, library, command) => {
  const error = errorOf(worded`${mention}`);
  expect([error.message, commandWording(error)]).toEqual([library, command]);
});

test('an argument error names its option for the command, which wrote its value otherwise', () => {
  const error = invalidArgValue('options.split.train', 'a number', undefined);
  expect(error.message).toBe('"options.split.train" must be a number. Received undefined');
  expect(usageWording(error)).toBe('--split train must be a number');
  expect(usageWording(invalidArgValue('options.maxBytes', 'above 0', -1))).toBe(
    '--max-bytes must be above 0. Received -1',
  );
  expect(usageWording(invalidArgValue('output', 'a path', '-'))).toBe('"output" must be a path. Received "-"');
});

test('an error that another wraps keeps its words and its hint', () => {
  const placed = placedError(errorOf(DAMAGE), { file: 'b', record: 3, offset: 0, bytes: 1 });
  expect(commandWording(placed)).toBe('Record 3 of b: Bad byte 7 in a. Restore it; --on-error stop ends before it.');
  expect(placed).toMatchObject({
    reason: 'Record 3 of b: Bad byte 7 in a.',
    hint: { option: 'onError', value: 'stop' },
  });
});

test('another name of a file replaces values of the message, never a part of its text', () => {
  const message = worded`EIO: a bad disk, write '${'a'}'`.withValue('a', 'out');
  expect(String(message)).toBe("EIO: a bad disk, write 'out'");
});

test('the record that is too long says which limit reads it', () => {
  const fault = { code: 'TFR_RECORD_TOO_LARGE', part: 'data', detail: '', expected: 100n, found: 255n } as const;
  expect(faultError(fault, { file: 'a' }).hint).toEqual({ option: 'maxRecordBytes', value: 255 });
});

test('the limit of a policy hints at onError, with no value: only its user knows a better limit', () => {
  const policy = new ErrorPolicy({ action: 'skip', max: 0 });
  expect(() => policy.resolve(errorOf(DAMAGE, { file: 'a' }))).toThrow(
    expect.objectContaining({
      reason: "1 of 1 record would be skipped, more than onError's max 0; the last is a.",
      hint: { option: 'onError' },
    }),
  );
});

test('both fields go through worker threads, clones and the protocol of the viewer', () => {
  const error = errorOf(DAMAGE);
  const { reason, hint } = error;
  expect(unpackThrown(structuredClone(packThrown(error)))).toMatchObject({ reason, hint });
  expect(structuredClone({ ...error })).toMatchObject({ reason, hint });
  expect(problemOf(error)).toMatchObject({ reason, hint, message: 'Bad byte 7 in a. Restore it.' });
  expect(problemOf(new TypeError('a'))).toEqual({ code: 'ERR_INTERNAL', message: 'a', record: null });
});

test('notes keep their messages', () => {
  const notes = textsOf([worded`Made text; ${named('na')} names them`, 'plain']);
  expect(notes).toEqual(['Made text; na names them', 'plain']);
  expect(messagesOf(notes).map((note) => note.in(() => '--na'))).toEqual(['Made text; --na names them', 'plain']);
  expect(messagesOf(['other']).map(String)).toEqual(['other']);
  expect(String(messageOf(new Error('of others')))).toBe('of others');
});
