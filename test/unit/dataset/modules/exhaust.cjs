'use strict';

// Takes memory until there is no more.
module.exports = () => {
  const held = [];
  for (;;) held.push(new Array(100_000).fill(held.length));
};
