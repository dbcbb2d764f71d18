/** Colours of runs: the same ones whenever the same runs are shown, and whichever of them are hidden. */

/** Lines on light and on dark ground, with a contrast of at least 3. */
const COLORS = [
  ['#2457c5', '#86aefc'],
  ['#c2410c', '#fb9a5b'],
  ['#15803d', '#5fd68a'],
  ['#a21caf', '#ea8af5'],
  ['#b3261e', '#ff9a90'],
  ['#0e7490', '#5fd3ea'],
  ['#7a5a00', '#e6c35a'],
  ['#6d28d9', '#b9a1ff'],
  ['#be185d', '#ff8fc0'],
  ['#4d6b12', '#b5d85f'],
  ['#475569', '#b4c0d0'],
  ['#0f766e', '#55d6c2'],
] as const;
/** Lengths of dashes and spaces of runs beyond the number of colours. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/** The look of a run's lines. */
export interface RunLook {
  readonly light: string;
  readonly dark: string;
  readonly dash: readonly number[];
}

/** Gives each run a look by its name, or the next free one if another run has that. */
export class RunLooks {
  readonly #places = new Map<string, number>();
  readonly #taken = new Set<number>();

  of(run: string): RunLook {
    let place = this.#places.get(run);
    if (place === undefined) {
      // Plain lines first. If there are more runs than looks, some have the same one.
      if (this.#taken.size === COLORS.length * DASHES.length) this.#taken.clear();
      const round = Math.floor(this.#taken.size / COLORS.length);
      place = round * COLORS.length + (hashOf(run) % COLORS.length);
      while (this.#taken.has(place)) {
        place = round * COLORS.length + ((place + 1) % COLORS.length);
      }
      this.#places.set(run, place);
      this.#taken.add(place);
    }
    const [light, dark] = COLORS[place % COLORS.length]!;
    return { light, dark, dash: DASHES[Math.floor(place / COLORS.length)]! };
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
