export { Draws } from './draws';
export { permutation, type Permutation } from './permutation';
export { elementRng, type Rng } from './rng';
export { callSeed, nestedSeed, seedFromText, seedText, seedWords, stageKey, systemSeed, type Seed } from './seed';
export type { Words } from './threefry';
