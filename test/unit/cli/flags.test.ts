import { actionFor, parseCount, parseSize, readOptions, type ReadFlags } from '../../../lib/cli/flags';
import { typeOfAll } from '../../../lib/cli/commands/info';
import { explain } from '../../../lib/cli/terminal/reporter';
import { TFRecordError } from '../../../lib/base/errors';
import { tfrecordError, named, setting, worded } from '../../../lib/base';

describe('sizes and counts', () => {
  it.each([
    ['0', 0],
    ['1000', 1000],
    ['4k', 4096],
    ['64M', 2 ** 26],
    ['1GiB', 2 ** 30],
    ['2 G', undefined],
    ['4G', undefined],
    ['-1', undefined],
    ['1.5M', undefined],
    ['', undefined],
    ['M', undefined],
  ])('size %j', (text, size) => {
    if (size === undefined) expect(() => parseSize(text)).toThrow('size');
    else expect(parseSize(text)).toBe(size);
  });

  it.each(['x', '-1', '1.5', '', '1e3', '99999999999999999999'])('count %j is refused', (text) => {
    expect(() => parseCount(text)).toThrow('number of records');
  });

  it('count', () => {
    expect(parseCount('0')).toBe(0);
    expect(parseCount('250')).toBe(250);
  });
});

describe('readOptions', () => {
  const flags: ReadFlags = { compression: 'auto', progress: true };
  const decide = (onError: NonNullable<ReadFlags['onError']>, error: TFRecordError) => {
    const heard: TFRecordError[] = [];
    const accepted = (fault: TFRecordError): number => heard.push(fault);
    const options = readOptions({ ...flags, onError }, { losses: { allowed: false }, accepted });
    let action: string;
    try {
      action = actionFor(error, options);
    } catch (thrown) {
      expect(thrown).toBe(error);
      action = 'throw';
    }
    return { action, heard: heard.length };
  };

  it.each([
    ['throw', 'TFR_CORRUPT_DATA', { record: 0 }, 'throw', 0],
    ['skip', 'TFR_CORRUPT_DATA', { record: 0 }, 'skip', 1],
    ['stop', 'TFR_CORRUPT_DATA', { record: 0 }, 'stop', 1],
    ['skip', 'ENOENT', {}, 'throw', 0],
    ['stop', 'TFR_NOT_TFRECORD', { record: 0 }, 'throw', 0],
    ['skip', 'TFR_COMPRESSION', { record: 0, compressedOffset: 0 }, 'throw', 0],
    ['skip', 'TFR_COMPRESSION', { record: 0, compressedOffset: 66 }, 'skip', 1],
    ['skip', 'TFR_COMPRESSION', { record: 7, compressedOffset: 4000 }, 'skip', 1],
  ] as const)('--on-error %s, %s at %j: %s', (onError, code, place, action, heard) => {
    expect(decide(onError, new TFRecordError(code, 'what happened', place))).toEqual({ action, heard });
  });
});

describe('messages', () => {
  it('name the options as the command does', () => {
    const raised = named('maxRecordBytes', 'maxRecordBytes', 9);
    const message = worded`Bad; ${setting('onError', 'skip')} or raise ${raised}, or ${setting('delimiter', ';')}`;
    expect(explain(tfrecordError('TFR_CORRUPT_DATA', message, {}))).toBe(
      "TFR_CORRUPT_DATA: Bad; --on-error skip or raise --max-record-bytes, or --delimiter ';'",
    );
    // The text of an error of others says nothing about options.
    const { code, text } = { code: 'TFR_CORRUPT_DATA', text: 'Bad; onError: "skip"' } as const;
    expect(explain(new TFRecordError(code, text))).toBe(`${code}: ${text}`);
    expect(explain(new TFRecordError('ENOENT', "ENOENT: no such file, open 'a'"))).toBe(
      "ENOENT: no such file, open 'a'",
    );
  });
});

describe('typeOfAll', () => {
  it.each([
    [{}, null],
    [{ Example: 3 }, 'Example'],
    [{ unknown: 1 }, 'unknown'],
    [{ Example: 3, unknown: 1 }, 'mixed'],
    // A SequenceExample without feature lists has the bytes of an Example.
    [{ Example: 3, SequenceExample: 1 }, 'SequenceExample'],
    [{ Example: 3, SequenceExample: 1, Event: 1 }, 'mixed'],
  ])('%j: %j', (types, expected) => {
    expect(typeOfAll(new Map(Object.entries(types)) as Parameters<typeof typeOfAll>[0])).toBe(expected);
  });
});
