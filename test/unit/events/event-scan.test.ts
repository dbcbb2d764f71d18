/** The scanner reads the forms that it knows as the message codec does, and leaves all others to it. */
import fc from 'fast-check';

import { Event, type EventMessage, type MessageInit } from '../../../lib';
import {
  AUDIO,
  EventScan,
  HISTOGRAM,
  IMAGE,
  NOTHING,
  NUMBER_TENSOR,
  SCALAR,
  TENSOR,
} from '../../../lib/events/event-scan';
import { TagTable } from '../../../lib/events/tag-table';
import { event, fileVersion, scalar, scalarTensor, summary } from '../../support/records/event-logs';

/** The Event as the scanner reads it; undefined if it leaves the record to the codec. */
function scanned(record: Uint8Array): object | undefined {
  const scan = new EventScan();
  // Others' bytes around a record must not be read.
  const slab = new Uint8Array(record.length + 24).fill(0x0a);
  slab.set(record, 11);
  scan.load(slab, new TagTable(() => true));
  if (!scan.scan(11, 11 + record.length)) return undefined;
  const { wallTime, stepLow, stepHigh, hasSummary, count } = scan;
  const values = Array.from({ length: count }, (_, i) => {
    const form = scan.forms[i]!;
    const number = form === SCALAR || form === NUMBER_TENSOR ? scan.scalars[i] : undefined;
    return { tag: scan.tags[i]!.name, form, number, described: scan.described[i] };
  });
  return { wallTime, step: (BigInt(stepHigh) << 32n) | BigInt(stepLow), hasSummary, values };
}

/** The same of a message. */
function read({ wallTime, step, summary, graphDef }: EventMessage): object {
  const values = (summary?.value ?? []).map(({ tag, simpleValue, tensor, image, histo, audio, metadata }) => {
    const described = metadata !== undefined;
    if (simpleValue !== undefined) return { tag, form: SCALAR, number: simpleValue, described };
    const form = tensor ? TENSOR : image ? IMAGE : histo ? HISTOGRAM : audio ? AUDIO : NOTHING;
    return { tag, form, number: undefined, described };
  });
  return { wallTime, step, hasSummary: summary !== undefined || graphDef !== undefined, values };
}

/** Reads scalars of tensors as the scanner does. */
function expected(message: EventMessage): { values: { form: number; number: number | undefined }[] } {
  const result = read(message) as { values: { form: number; number: number | undefined }[] };
  message.summary?.value.forEach(({ tensor }, i) => {
    if (tensor?.dtype !== 1 || (tensor.tensorShape?.dim.length ?? 0) > 0) return;
    const { tensorContent, floatVal } = tensor;
    const floats = tensorContent.length > 0 ? [Buffer.from(tensorContent).readFloatLE()] : floatVal;
    result.values[i] = { ...result.values[i]!, form: NUMBER_TENSOR, number: floats[0] };
  });
  return result;
}

const step = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const number = fc.float({ noNaN: false });
const tensor = fc.oneof(
  number.map((value) => ({ dtype: 1, tensorShape: {}, floatVal: [value] })),
  number.map((value) => ({ dtype: 1, tensorContent: new Uint8Array(Float32Array.of(value).buffer) })),
  fc
    .array(number, { minLength: 2, maxLength: 4 })
    .map((floatVal) => ({ dtype: 1, tensorShape: { dim: [{ size: BigInt(floatVal.length) }] }, floatVal })),
  fc.constant({ dtype: 7, tensorShape: {}, stringVal: [Buffer.from('text')] }),
  fc.double().map((value) => ({ dtype: 2, tensorShape: {}, doubleVal: [value] })),
);
const content = fc.oneof(
  number.map((simpleValue) => ({ simpleValue })),
  tensor.map((one) => ({ tensor: one })),
  fc.constant({ image: { height: 2, width: 3, encodedImageString: Buffer.from('png') } }),
  fc.constant({ histo: { min: 1, max: 2, bucketLimit: [1, 2], bucket: [3, 4] } }),
  fc.constant({ audio: { sampleRate: 8000, encodedAudioString: Buffer.from('wav') } }),
  fc.constant({}),
);
const value = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 20 }).filter((tag) => tag.isWellFormed()),
    content,
    fc.boolean(),
  )
  .map(([tag, members, described]) => {
    return { tag, ...members, ...(described ? { metadata: { pluginData: { pluginName: 'scalars' } } } : {}) };
  });
const message: fc.Arbitrary<MessageInit<EventMessage>> = fc
  .tuple(fc.double(), step, fc.option(fc.array(value, { maxLength: 4 })))
  .map(([wallTime, at, values]) => {
    return {
      wallTime,
      step: at,
      ...(values === null ? {} : { summary: { value: values } }),
    };
  });

test('every Event of a usual form is read as the codec reads it', () => {
  fc.assert(
    fc.property(message, (one) => {
      const record = Event.encode(one);
      const values = one.summary?.value ?? [];
      const found = scanned(record);
      // A tag without a name may be that of its node.
      if (values.some(({ tag }) => tag === '')) expect(found).toBeUndefined();
      else expect(found).toEqual(expected(Event.decode(record)));
    }),
    { numRuns: 2000 },
  );
});

test('damaged Events are left to the codec, or read as it reads them', () => {
  let read = 0;
  fc.assert(
    fc.property(message, fc.nat(), fc.nat(255), fc.boolean(), (one, place, byte, cut) => {
      const record = Event.encode(one);
      if (record.length === 0) return;
      const at = place % record.length;
      const damaged = cut ? record.slice(0, at) : record.slice();
      if (!cut) damaged[at] = byte;
      const found = scanned(damaged) as { values: { form: number; described: boolean }[] } | undefined;
      if (found === undefined) return;
      read++;
      // The scanner passes over what it does not give.
      const passes = found.values.some(
        ({ form, described }) => described || ![SCALAR, NUMBER_TENSOR, NOTHING].includes(form),
      );
      let decoded: EventMessage;
      try {
        decoded = Event.decode(damaged);
      } catch (error) {
        // The tag of a value without content is not judged.
        if (passes || found.values.some(({ form }) => form === NOTHING)) return;
        throw error;
      }
      if (!passes) expect(found).toEqual(expected(decoded));
    }),
    { numRuns: 5000 },
  );
  expect(read).toBeGreaterThan(100);
});

test('the forms of all writers of scalars are read without the codec', () => {
  expect(scanned(scalar('loss', 7, 0.5))).toMatchObject({
    step: 7n,
    values: [{ tag: 'loss', form: SCALAR, number: 0.5 }],
  });
  expect(scanned(scalar('loss', -1, 0))).toMatchObject({ step: -1n, values: [{ number: 0 }] });
  expect(scanned(scalarTensor('loss', 2n ** 40n, -0))).toMatchObject({
    step: 2n ** 40n,
    values: [{ form: NUMBER_TENSOR, number: -0, described: true }],
  });
  expect(scanned(event(3))).toMatchObject({ hasSummary: false, values: [] });
  expect(scanned(event(3, { graphDef: Buffer.alloc(300, 7) }))).toMatchObject({ hasSummary: true, values: [] });
  expect(scanned(event(3, { metaGraphDef: Buffer.alloc(300, 7) }))).toMatchObject({ hasSummary: false });
});

test('versions, other members and merged summaries are left to the codec', () => {
  expect(scanned(fileVersion())).toBeUndefined();
  expect(scanned(event(0, { logMessage: { message: 'm' } }))).toBeUndefined();
  expect(scanned(summary(0, { tag: 't', nodeName: 'n', simpleValue: 1 }))).toBeUndefined();
  expect(scanned(Buffer.concat([scalar('a', 0, 1), scalar('b', 0, 2)]))).toBeUndefined();
});
