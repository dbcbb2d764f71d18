/**
 * The binding of a page. The bundle of this door has it in place of lib/native/load.ts, so all rooms call it: an addon
 * cannot be loaded in a page.
 */
import type { Binding } from '../native';

export type { Binding } from '../native';

let chosen: Binding | undefined;

/** Returns the binding that `init` made. */
export function native(): Binding {
  if (chosen !== undefined) return chosen;
  throw new Error('tfrecord-native/wasm is not ready: call "await init()" before anything else (docs/wasm.md).');
}

export function choose(binding: Binding): void {
  chosen ??= binding;
}
