import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { JsonRows } from '../../../../lib/example';
import { batchOf } from '../../../../lib/record';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function batch(...lines: readonly string[]): Parameters<JsonRows['parse']>[0] {
  return batchOf(
    lines.map((line) => new TextEncoder().encode(line)),
    'lines',
  );
}

test('names, events and refused rows are those of the lines', async () => {
  const rows = new JsonRows({ except: ['x'] });
  const parsed = (await rows.parse(batch('{"a":1,"\ufeffé":["7"]}', '{', '{"x":[[]],"context":2}', '{"a":0.5}')))!;
  const { names, events, refused } = parsed;
  expect(Array.from({ length: names.length }, (_, i) => names.at(i))).toEqual([
    { name: 'a', isList: false },
    { name: '\ufeffé', isList: false },
    { name: 'x', isList: false },
    { name: 'context', isList: false },
  ]);
  expect(names.at(1)).toBe(names.at(1));
  expect(events).toEqual([
    { row: 0, name: 0, literal: undefined },
    { row: 0, name: 0, literal: 0 },
    { row: 0, name: 1, literal: undefined },
    { row: 0, name: 1, literal: 3 },
    { row: 2, name: 2, literal: undefined },
    { row: 2, name: 3, literal: undefined },
    { row: 2, name: 3, literal: 0 },
    { row: 3, name: 0, literal: 1 },
  ]);
  expect(Array.from(refused)).toEqual([1]);
  rows.free();
});

test('rows do not hold what parsing resolved with', async () => {
  const rows = new JsonRows();
  const parsed = async (): Promise<WeakRef<object>> => new WeakRef((await rows.parse(batch('{"a":1}', '{')))!.refused);
  const result = await parsed();
  await rows.settled();
  for (let turn = 0; turn < 20 && result.deref() !== undefined; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  expect(result.deref()).toBeUndefined();
  rows.free();
});
