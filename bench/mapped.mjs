// The function for `map` and `mapWorker`: see dataset.mjs.

const ROUNDS = 20_000;

/** Does about 20 µs of arithmetic. */
export function heavy(x) {
  let state = x + 1;
  for (let i = 0; i < ROUNDS; i += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return state;
}

export default heavy;
