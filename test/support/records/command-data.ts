/** The files of the examples in docs/command.md. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { decodeExample, encodeExample, Event, float, readRecordsSync } from '../../../lib';
import { ROOT } from '../running/compiled-sources';
import type { Folder } from './record-files';

const SPEC = {
  station: { type: 'fixedLen', dtype: 'bytes', shape: [] },
  temperature: { type: 'fixedLen', dtype: 'float32', shape: [] },
};

const SCHEMA = `
  feature {
    name: "station" type: BYTES presence { min_fraction: 1 }
    drift_comparator { infinity_norm { threshold: 0.01 } }
    string_domain { ${['01', '02', '03', '04', '05', '06', '07'].map((number) => `value: "ST-${number}"`).join(' ')} }
  }
  feature { name: "temperature" type: FLOAT value_count { min: 1 max: 1 } float_domain { max: 15 } }
`;

/** Puts the files into `folder`. */
export function putCommandData(folder: Folder): void {
  const data = (name: string): string => join(ROOT, 'examples', 'data', name);
  for (const name of ['weather.tfrecord', 'weather.tfrecord.gz', 'weather.tfrecord.zlib']) {
    copyFileSync(data(name), folder.at(name));
  }
  for (const name of ['weather-00000-of-00002', 'weather-00001-of-00002']) copyFileSync(data(name), folder.at(name));
  folder.put('short.spec.json', JSON.stringify(SPEC));
  folder.put('weather.pbtxt', SCHEMA);
  const old = readFileSync(data('weather.tfrecord'));
  old[old.length - 10]! ^= 1;
  folder.put('old.tfrecord', old);
  const records = [...readRecordsSync(data('weather.tfrecord'))];
  const warmer = (record: Uint8Array, by: number): Uint8Array => {
    const features = decodeExample(record);
    return encodeExample({ ...features, temperature: float(Number(features['temperature']!.values.at(0)) + by) });
  };
  folder.write('new.tfrecord', [
    records[0]!,
    warmer(records[1]!, 1),
    warmer(records[2]!, 0.001),
    ...records.slice(3, -1),
  ]);
  for (const [run, values] of [
    ['train', [1.5, 0.5]],
    ['eval', [undefined, 0.75]],
  ] as const) {
    mkdirSync(folder.at(`runs/${run}`), { recursive: true });
    const events = values.flatMap((simpleValue, i) => {
      if (simpleValue === undefined) return [];
      const value = [{ tag: 'loss', simpleValue }];
      return [Event.encode({ wallTime: 1_700_000_001.5 + i, step: BigInt(i + 1), summary: { value } })];
    });
    folder.write(`runs/${run}/events.out.tfevents.1`, [Event.encode({ fileVersion: 'brain.Event:2' }), ...events]);
  }
  const histo = { min: 0, max: 1, num: 3, bucketLimit: [0.5, 1], bucket: [1, 2] };
  mkdirSync(folder.at('logs'), { recursive: true });
  folder.write('logs/events.out.tfevents.1', [
    Event.encode({ step: 4n, summary: { value: [{ tag: 'weights', histo }] } }),
  ]);
  const jpeg = Buffer.from('ffd8ffe000104a4649460001', 'hex');
  folder.write(
    'photos.tfrecord',
    [
      ['tom.jpg', 'cat'],
      ['rex.jpg', 'dog'],
      ['kit.jpg', 'cat'],
    ].map(([name, label]) => encodeExample({ 'image/encoded': jpeg, 'image/filename': name!, label: label! })),
  );
  const strokes = [3, 7].map((step) => Uint8Array.from({ length: 28 * 28 }, (_, i) => (i % step === 0 ? 255 : 0)));
  folder.write(
    'digits.tfrecord',
    strokes.map((pixels) => encodeExample({ image_raw: pixels })),
  );
  folder.write('sounds.tfrecord', [encodeExample({ audio: float(Array.from({ length: 16 }, (_, i) => Math.sin(i))) })]);
}
