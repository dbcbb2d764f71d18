/** Serialized Events for tests, in the forms of TensorFlow's writers. */
import { Event, type EventMessage, type MessageInit, type SummaryValueMessage } from '../../../lib';
import { held } from '../../../lib/events/run-reading';

/** The number of bytes of values that a reading of a run holds, if no test sets it. */
export const HELD = held.bytes;

/** Undoes what tests set, after each test of the block or file that calls this. */
export function restoreHeld(): void {
  afterEach(() => {
    held.bytes = HELD;
  });
}

type Value = MessageInit<SummaryValueMessage>;

/** An Event. Default of its time: 1,700,000,000 s and a quarter, plus its step. */
export function event(step: number | bigint, members: MessageInit<EventMessage> = {}): Uint8Array {
  return Event.encode({ wallTime: 1_700_000_000.25 + Number(step), step: BigInt(step), ...members });
}

/** The first record of a file. */
export function fileVersion(version: number | string = 2): Uint8Array {
  return event(0, { fileVersion: `brain.Event:${version}` });
}

/** The start of a session, at `step`. */
export function sessionStart(step: number): Uint8Array {
  return event(step, { sessionLog: { status: 1 } });
}

export function summary(step: number | bigint, ...value: Value[]): Uint8Array {
  return event(step, { summary: { value } });
}

/** A scalar as TensorFlow 1, PyTorch and others write it. */
export function scalar(tag: string, step: number | bigint, simpleValue: number): Uint8Array {
  return summary(step, { tag, simpleValue });
}

const metadataOf = (pluginName: string): NonNullable<Value['metadata']> => ({ pluginData: { pluginName } });

/** A scalar as TensorFlow 2 writes it. */
export function scalarTensor(tag: string, step: number | bigint, value: number): Uint8Array {
  const tensor = { dtype: 1, tensorShape: {}, floatVal: [value] };
  return summary(step, { tag, tensor, metadata: metadataOf('scalars') });
}

/** A tensor of byte strings of `plugin`. */
export function strings(
  plugin: string,
  tag: string,
  step: number | bigint,
  shape: readonly number[],
  values: readonly (string | Uint8Array)[],
): Uint8Array {
  const dim = shape.map((size) => ({ size: BigInt(size) }));
  const stringVal = values.map((value) => Buffer.from(value));
  return summary(step, { tag, tensor: { dtype: 7, tensorShape: { dim }, stringVal }, metadata: metadataOf(plugin) });
}

/** A tensor of doubles of `plugin`. */
export function doubles(
  plugin: string,
  tag: string,
  step: number | bigint,
  shape: readonly number[],
  doubleVal: readonly number[],
): Uint8Array {
  const dim = shape.map((size) => ({ size: BigInt(size) }));
  return summary(step, {
    tag,
    tensor: { dtype: 2, tensorShape: { dim }, doubleVal: [...doubleVal] },
    metadata: metadataOf(plugin),
  });
}
