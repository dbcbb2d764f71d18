/** Steps that were logged again: the rules of TensorBoard, against a model that filters lists as TensorBoard does. */
import fc from 'fast-check';

import { readEvents } from '../../../lib';
import { held } from '../../../lib/events/run-reading';
import { event, fileVersion, HELD, restoreHeld, scalar, sessionStart, summary } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});
restoreHeld();

/** `tag@step=value` of all scalars, in the order of the log. */
async function valuesOf(records: readonly Uint8Array[], options = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { tag, step, value } of readEvents(folder.write('log', records), {
    kinds: ['scalar'],
    ...options,
  })) {
    found.push(`${tag}@${step}=${value}`);
  }
  return found;
}

test('a later start of a session drops its step and later ones, of all tags', async () => {
  const records = [
    fileVersion(),
    sessionStart(0),
    ...[1, 2, 3].map((step) => summary(step, { tag: 'a', simpleValue: step }, { tag: 'b', simpleValue: -step })),
    sessionStart(2),
    scalar('a', 2, 20),
    scalar('a', 3, 30),
  ];
  expect(await valuesOf(records)).toEqual(['a@1=1', 'b@1=-1', 'a@2=20', 'a@3=30']);
  expect(await valuesOf(records, { keepRestarted: true })).toHaveLength(8);
});

test('the first start of a session drops nothing', async () => {
  expect(await valuesOf([fileVersion(), scalar('a', 5, 1), sessionStart(0), scalar('a', 6, 2)])).toEqual([
    'a@5=1',
    'a@6=2',
  ]);
});

test('without starts of sessions, steps that go back drop nothing in files of version 2', async () => {
  expect(await valuesOf([fileVersion(), scalar('a', 5, 1), scalar('a', 1, 2)])).toEqual(['a@5=1', 'a@1=2']);
});

test.each([
  ['of version 1', [fileVersion(1)]],
  ['without a version', []],
  ['of no valid version', [fileVersion('0x2')]],
])('in files %s, a step that goes back drops the tags that it logs', async (_, first) => {
  const records = [...first, scalar('a', 5, 1), scalar('b', 5, 2), scalar('a', 3, 3), scalar('a', 4, 4)];
  expect(await valuesOf(records)).toEqual(['b@5=2', 'a@3=3', 'a@4=4']);
});

test.each([HELD, -1])('steps of files of version 2 count for an older file after them (held: %d)', async (bytes) => {
  held.bytes = bytes;
  const records = [fileVersion(), scalar('a', 1, 1), scalar('a', 9, 2), fileVersion(1), scalar('a', 5, 3)];
  expect(await valuesOf(records)).toEqual(['a@1=1', 'a@5=3']);
});

const STATUSES = ['value', 'start', 'version', 'graph'] as const;

/** A random event: its kind, tags, step. */
const random = fc.record({
  status: fc.oneof({ weight: 12, arbitrary: fc.constant('value' as const) }, fc.constantFrom(...STATUSES)),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
  step: fc.integer({ min: -3, max: 12 }),
});

test('random logs, held or read twice, give what the model gives', async () => {
  const log = fc.tuple(fc.constantFrom(0, 1, 2), fc.array(random, { maxLength: 40 }));
  await fc.assert(
    fc.asyncProperty(log, fc.boolean(), async ([first, events], twice) => {
      held.bytes = twice ? -1 : HELD;
      const records: Uint8Array[] = first === 0 ? [] : [fileVersion(first)];
      let version = first;
      let started = false;
      let recent = -1;
      let kept: { tag: string; step: number; text: string }[] = [];
      events.forEach(({ status, tags, step }, i) => {
        if (status === 'version') {
          version = 3 - version;
          records.push(fileVersion(version));
          // TensorBoard looks at this Event, too, but it has no summary.
        } else if (status === 'start') {
          records.push(sessionStart(step));
          if (version >= 2) {
            if (started) kept = kept.filter((value) => value.step < step);
            started = true;
          }
        } else {
          const isGraph = status === 'graph';
          const values = isGraph ? [] : tags;
          records.push(
            isGraph
              ? event(step, { graphDef: Uint8Array.of(1) })
              : summary(step, ...values.map((tag) => ({ tag, simpleValue: i }))),
          );
          if (version < 2 && step < recent) {
            kept = kept.filter((value) => !values.includes(value.tag as 'a') || value.step < step);
          }
          recent = step;
          for (const tag of values) kept.push({ tag, step, text: `${tag}@${step}=${i}` });
        }
      });
      expect(await valuesOf(records)).toEqual(kept.map(({ text }) => text));
    }),
    { numRuns: 300 },
  );
});
