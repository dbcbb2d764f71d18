/** Drops streams that encode, with a record that nobody reads: they are collected. Needs --expose-gc. */
import { createRecordEncoder, RecordEncoderStream } from '../../../../lib';
import { say } from '../../../support/running/case';
import { settles } from '../../../support/settles';

const COUNT = 50;

/** Makes encoders that wait for a reader. */
async function leave(refs: WeakRef<object>[]): Promise<void> {
  for (let i = 0; i < COUNT; i++) {
    const stream = createRecordEncoder();
    await new Promise((resolve) => stream.write(Buffer.alloc(1000), resolve));
    const web = new RecordEncoderStream();
    await web.writable.getWriter().write(Buffer.alloc(1000));
    refs.push(new WeakRef(stream), new WeakRef(web.writable));
  }
}

async function main(): Promise<void> {
  let warnings = 0;
  process.on('warning', () => warnings++);
  const refs: WeakRef<object>[] = [];
  await leave(refs);
  await settles(() => {
    globalThis.gc?.();
    return refs.every((ref) => ref.deref() === undefined);
  });
  say({ left: refs.filter((ref) => ref.deref() !== undefined).length, warnings });
}

void main();
