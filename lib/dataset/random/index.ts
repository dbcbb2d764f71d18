export { Draws } from './draws';
export { permutation, type Permutation } from './permutation';
export { elementRng, type Rng } from './rng';
export {
  callSeed,
  nestedSeed,
  optionalSeed,
  seedFromText,
  seedJson,
  seedText,
  seedWords,
  stageKey,
  systemSeed,
  type Seed,
} from './seed';
export type { Words } from './threefry';
