/** How many steps the records of a padded tensor have, which its shape does not tell. */
interface Steps {
  readonly splits: Int32Array;
  readonly size: number;
}

const noted = new WeakMap<object, Steps>();

/** Row r of `tensor` has as many steps as lie between its `splits`, which count `size` for a step. */
export function noteSteps(tensor: object, splits: Int32Array, size: number): void {
  noted.set(tensor, { splits, size });
}

/** Number of steps of row `row`; undefined for tensors that were not composed of records. */
export function stepsOf(tensor: object, row: number): number | undefined {
  const steps = noted.get(tensor);
  if (steps === undefined) return undefined;
  return (steps.splits[row + 1]! - steps.splits[row]!) / steps.size;
}
