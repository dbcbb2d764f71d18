/**
 * Drops slabs while native threads fill them: native code keeps them alive. Uses the addon's functions, because every
 * reader of `lib` keeps its slabs itself. Argument: a file of many slabs. Needs --expose-gc.
 */
import { testSpec } from '../../../support/records/reader-spec';
import { argument, say } from '../../../support/running/case';
import { native, type SlabFill } from '../../../../lib/native';

const SLAB_BYTES = 1024 * 1024;
const AHEAD = 24;

async function main(): Promise<void> {
  const damaged: SlabFill[] = [];
  for (let round = 0; round < 10; round++) {
    const handle = native().readerOpenFile(argument(0), testSpec({ maxRecordBytes: 2 ** 31 - 1 }));
    const fills = Array.from({ length: AHEAD }, () => {
      return native().readerFill(handle, new Uint8Array(Buffer.allocUnsafeSlow(SLAB_BYTES).buffer));
    });
    globalThis.gc?.();
    // Buffers that would get the memory of a freed slab.
    const others = Array.from({ length: AHEAD }, () => Buffer.allocUnsafeSlow(SLAB_BYTES).fill(round));
    for (const result of await Promise.all(fills)) {
      if (result.halt !== undefined || result.faults.length > 0) damaged.push(result);
    }
    if (others.some((other) => other.some((byte) => byte !== round))) throw new Error('foreign memory was written');
    await native().readerClose(handle);
  }
  say({ damaged: damaged.length });
}

void main();
