throw new RangeError('at load');
