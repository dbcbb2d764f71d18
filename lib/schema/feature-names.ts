/** The names of features: those of the option `features`, and their order. */
import { invalidArgType, TFRecordError } from '../base';
import { compareUtf8, nearestHint } from '../example';
import { type FeatureSurvey } from '../table';
import { SEQUENCE } from './message/schema-message';

/** Checks the option `features`. @throws TypeError */
export function checkNames(names: unknown): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) throw invalidArgType('options.features', 'an array of strings', names);
  const found = new Set<string>();
  names.forEach((name: unknown, i) => {
    if (typeof name !== 'string') throw invalidArgType(`options.features[${i}]`, 'a string', name);
    found.add(name);
  });
  return found;
}

/** @throws TFRecordError TFR_FEATURE if one of `wanted` is not among `found` */
export function refuseAbsent(wanted: ReadonlySet<string> | undefined, found: readonly string[]): void {
  const known = new Set(found);
  for (const name of wanted ?? []) {
    if (known.has(name)) continue;
    throw new TFRecordError(
      'TFR_FEATURE',
      `No record has a feature ${JSON.stringify(name)}: check the name.${nearestHint(name, known)}`,
      {
        feature: name,
        expected: name,
        found: 'no such feature',
      },
    );
  }
}

type Named = Pick<FeatureSurvey, 'section' | 'name'>;

/** Orders features: the context before feature lists, then by name. */
export function byNames(a: Named, b: Named): number {
  return rank(a) - rank(b) || compareUtf8(a.name, b.name);
}

function rank({ section }: Named): number {
  return section === 'context' ? 0 : 1;
}

/** The part of the record and the name of the feature with the path `path`. */
export function placeOf(path: readonly string[]): Named {
  return { section: path.length > 1 && path[0] === SEQUENCE ? 'sequence' : 'context', name: path.at(-1) ?? '' };
}
