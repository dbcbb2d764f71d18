/**
 * Names of the members of a row, or of a map of features: its own, and the enumerable ones that it inherits from its
 * class or from another row. Properties that other code has added to the Object.prototype of any realm are not members.
 */
export function memberNames(object: object): readonly string[] {
  const own = Object.keys(object);
  const shared = Object.getPrototypeOf(object) as object | null;
  if (shared === null || Object.getPrototypeOf(shared) === null) return own;
  const inherited = Object.keys(shared).filter((name) => !Object.hasOwn(object, name));
  return inherited.length === 0 ? own : [...own, ...inherited];
}
