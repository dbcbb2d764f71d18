/** The examples of datasets, from files to batches: their output for the files that they make, and for others. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { tensorflow } from '../../../lib/example/message/messages.generated';
import { NO_REAL_FILES, REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { runExample } from '../../support/running/run-example';
import { wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
const linesOf = (name: string, args?: readonly string[]): string[] => runExample(name, args).trimEnd().split('\n');

describe('cifar.mjs', () => {
  test('its own files: each image once, with its label', () => {
    const [first, ...classes] = linesOf('cifar.mjs');
    expect(first).toBe('300 images in batches of 64, 64, 64, 64, 44');
    expect(classes).toHaveLength(10);
    for (const [label, line] of classes.entries()) {
      const [, count, ...colour] = /^\w+: (\d+), on average rgb\((\d+), (\d+), (\d+)\)$/.exec(line)!.map(Number);
      expect(count).toBe(30);
      const drawn = [20 + 20 * label, 220 - 20 * label, 25 + ((100 + 50 * label) % 200)];
      for (const [channel, value] of drawn.entries()) expect(Math.abs(colour[channel]! - value)).toBeLessThanOrEqual(1);
    }
  });

  test('files of that layout', () => {
    const image = (label: number, ...colour: number[]): Buffer =>
      Buffer.concat([Buffer.of(label), ...colour.map((value) => Buffer.alloc(1024, value))]);
    writeFileSync(folder.at('data_batch_1.bin'), Buffer.concat([image(9, 1, 2, 3), image(0, 4, 5, 6)]));
    writeFileSync(folder.at('data_batch_2.bin'), image(9, 3, 4, 255));
    const lines = linesOf('cifar.mjs', [folder.at('data_batch_*.bin')]);
    expect(lines.filter((line) => !line.endsWith(': 0'))).toEqual([
      '3 images in batches of 3',
      'airplane: 1, on average rgb(4, 5, 6)',
      'truck: 2, on average rgb(2, 3, 129)',
    ]);
  });
});

test('digits.mjs: a training, stopped and gone on with', () => {
  expect(linesOf('digits.mjs')).toEqual([
    'stopped in epoch 1, after 17 of its 50 batches',
    '200 batches in all: those of a training without a break',
    'and the same weights',
    'knows more than 95 % of 300 digits that it never saw',
  ]);
});

describe('taxi.mjs', () => {
  test('its own file', () => {
    const [count, averages, ...others] = linesOf('taxi.mjs');
    expect(count).toBe('100 trips in 4 batches');
    const [fare, miles, minutes] = /^on average (\S+) dollars, (\S+) miles, (\S+) minutes$/
      .exec(averages!)!
      .slice(1)
      .map(Number);
    expect(fare).toBeCloseTo(3.25 + 2 * miles!, 1);
    expect(minutes).toBeCloseTo(3 * miles!, 1);
    expect(others).toEqual([
      '34 without a company, 4 without a place of arrival',
      'paid by Cash: 60',
      'paid by Credit Card: 40',
      'most begin at 1 h',
    ]);
  });

  const file = join(REAL_FILES, 'tensorflow+tfx', 'data_tfrecord-00000-of-00012.gz');
  if (!existsSync(file)) {
    test.todo(NO_REAL_FILES);
  } else {
    test("TFX's own rows, as protobufjs has them", () => {
      const rows = wholeRecords(gunzipSync(readFileSync(file))).map((record) => {
        const { features } = tensorflow.Example.decode(record);
        const feature = features!.feature!;
        const values = (name: string): readonly unknown[] =>
          feature[name]?.bytesList?.value ?? feature[name]?.floatList?.value ?? feature[name]?.int64List?.value ?? [];
        return { values, one: (name: string) => Number(values(name)[0]) };
      });
      const average = (name: string): number => rows.reduce((sum, { one }) => sum + one(name), 0) / rows.length;
      const without = (name: string): number => rows.filter(({ values }) => values(name).length === 0).length;
      const counts = (of: readonly string[]): [string, number][] =>
        [...new Set(of)].sort().map((value) => [value, of.filter((other) => other === value).length]);
      const payments = counts(
        rows.map(({ values }) => Buffer.from(values('payment_type')[0] as Uint8Array).toString()),
      );
      const hours = counts(rows.map(({ one }) => String(one('trip_start_hour')).padStart(2, '0')));
      const most = Math.max(...hours.map(([, count]) => count));
      expect(rows).toHaveLength(205);
      expect(linesOf('taxi.mjs', [file])).toEqual([
        '205 trips in 7 batches',
        `on average ${average('fare').toFixed(2)} dollars, ${average('trip_miles').toFixed(2)} miles, ` +
          `${(average('trip_seconds') / 60).toFixed(2)} minutes`,
        `${without('company')} without a company, ${without('dropoff_latitude')} without a place of arrival`,
        ...payments.map(([payment, count]) => `paid by ${payment}: ${count}`),
        `most begin at ${Number(hours.find(([, count]) => count === most)![0])} h`,
      ]);
    });
  }
});
