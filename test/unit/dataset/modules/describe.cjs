// What a function can tell of its element and the context, as plain values. Tests call it in both threads.
'use strict';

module.exports = (value, context) => {
  const { origin, origins, epoch, index, valid, valids, rng } = context;
  const draws = [rng.uint32(), rng.int(10), rng.float(), rng.normal()];
  return { value, origin, origins, epoch, index, valid, valids, draws };
};
