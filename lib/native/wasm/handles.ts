/** Handles to objects of the module, which are freed when their handles are collected. */
import type { Instance } from './instance';
import type { WasmName } from './exports';

/** The object behind a handle. Other objects are refused: a wrong pointer would destroy memory. */
export interface NativeObject {
  readonly pointer: number;
}

/** The handles of one kind, made by one instance. */
export class Handles<T extends NativeObject, Handle extends object> {
  readonly #held = new WeakMap<object, T>();
  readonly #registry: FinalizationRegistry<T>;

  /** @param free frees the object; `leave` runs before it */
  constructor(instance: Instance, free: Extract<WasmName, `${string}_free`>, leave: (held: T) => void = () => undefined) {
    this.#registry = instance.whenCollected((held) => {
      leave(held);
      instance.exports[free](held.pointer);
      instance.jobs.schedule();
    });
  }

  new(held: T): Handle {
    const handle = {} as Handle;
    this.#held.set(handle, held);
    this.#registry.register(handle, held);
    return handle;
  }

  of(handle: Handle): T {
    const held = typeof handle === 'object' && handle !== null ? this.#held.get(handle) : undefined;
    if (held === undefined) throw new TypeError('tfrecord: not a handle of this kind');
    return held;
  }
}
