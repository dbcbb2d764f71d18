import type { Scope } from './scope';

/** What stages keep for as long as an iterator lives. */
export interface Kept {
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
}

const keptBy = new WeakMap<Scope, Map<unknown, Kept>>();

/** The one `Class` that is kept with `scope`, made when it is first asked for. */
export function keptWith<T extends Kept>(scope: Scope, Class: new () => T): T {
  let all = keptBy.get(scope);
  if (all === undefined) keptBy.set(scope, (all = new Map<unknown, Kept>()));
  let kept = all.get(Class);
  if (kept === undefined) all.set(Class, (kept = new Class()));
  return kept as T;
}

/** Ends what is kept with `scope`. */
export async function endKept(scope: Scope): Promise<void> {
  await Promise.all(Array.from(keptBy.get(scope)?.values() ?? [], (kept) => kept.end()));
}
