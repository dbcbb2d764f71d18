import { nearestHint, nearestName } from '../../../../lib/example/feature/nearest-name';

test.each([
  ['agee', ['name', 'age'], 'age'],
  ['gae', ['name', 'age'], 'age'],
  ['LABEL', ['label', 'labels'], 'label'],
  ['image/encode', ['image/encoded', 'image/format'], 'image/encoded'],
  ['height', ['weight', 'width'], 'weight'],
  ['x', ['y', 'X'], 'X'],
  ['x', ['y'], undefined],
  ['x', ['label'], undefined],
  ['height', ['age'], undefined],
  ['age', ['age'], undefined],
  ['a'.repeat(100), ['a'.repeat(99)], undefined],
])('%s among %j is %s', (name, names, expected) => {
  expect(nearestName(name, names)).toBe(expected);
  expect(nearestHint(name, names)).toBe(expected === undefined ? '' : ` Did you mean ${JSON.stringify(expected)}?`);
});
