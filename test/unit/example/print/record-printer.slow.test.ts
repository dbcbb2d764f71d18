import fc from 'fast-check';

import { JsonText, RecordPrinter, recordType, type PrintOptions, type RecordType } from '../../../../lib/example';
import { tensorflow } from '../../../../lib/example/message/messages.generated';

const { Example, SequenceExample, Event } = tensorflow;
type FeatureMap = Record<string, tensorflow.Feature.$Properties>;

function example(feature: FeatureMap): Uint8Array {
  return Example.encode({ features: { feature } }).finish();
}

function printed(record: Uint8Array, printer = new RecordPrinter()): { type: RecordType; json: string } {
  const out = new JsonText();
  const type = printer.print(record, out);
  return { type, json: out.toString() };
}

function line(record: Uint8Array, options?: PrintOptions): string {
  return printed(record, new RecordPrinter(options)).json;
}

function bytesOf(...values: readonly (string | Uint8Array)[]): tensorflow.Feature.$Properties {
  return { bytesList: { value: values.map((value) => Buffer.from(value as string)) } };
}

function floatLine(...values: readonly number[]): string {
  return line(example({ f: { floatList: { value: [...values] } } }));
}

// One feature "n" whose Int64List holds the packed bytes `packed`.
function int64Record(packed: readonly number[]): Uint8Array {
  const list = [0x0a, packed.length, ...packed];
  const feature = [0x1a, list.length, ...list];
  const entry = [0x0a, 1, 0x6e, 0x12, feature.length, ...feature];
  const features = [0x0a, entry.length, ...entry];
  return Uint8Array.from([0x0a, features.length, ...features]);
}

describe('RecordPrinter, Example', () => {
  it('prints every kind, with names in order', () => {
    const record = example({
      score: { floatList: { value: [0.5, 29] } },
      name: bytesOf('Ann'),
      age: { int64List: { value: [29, -1] } },
      missing: {},
      none: { int64List: { value: [] } },
    });
    expect(line(record)).toBe(
      '{"features":{"age":[29,-1],"missing":null,"name":["Ann"],"none":[],"score":[0.5,29.0]}}',
    );
  });

  it('names the kinds when asked', () => {
    const record = example({
      score: { floatList: { value: [1] } },
      name: bytesOf('Ann'),
      age: { int64List: { value: [] } },
      missing: {},
    });
    expect(line(record, { kinds: true })).toBe(
      '{"features":{"age":{"int64":[]},"missing":null,"name":{"bytes":["Ann"]},"score":{"float":[1.0]}}}',
    );
  });

  it.each([
    [[0x00], '0'],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], '9223372036854775807'],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], '-9223372036854775808'],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], '-1'],
    // 2^53 + 1, which no double holds, and its negative.
    [[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10], '9007199254740993'],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0xff, 0x01], '-9007199254740993'],
    // 2^32 - 1 and 2^31: the halves' signs.
    [[0xff, 0xff, 0xff, 0xff, 0x0f], '4294967295'],
    [[0x80, 0x80, 0x80, 0x80, 0x08], '2147483648'],
  ])('prints the int64 of bytes %j exactly', (packed, digits) => {
    expect(line(int64Record(packed))).toBe(`{"features":{"n":[${digits}]}}`);
  });

  it('prints any int64 as BigInt does', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const packed: number[] = [];
        let rest = BigInt.asUintN(64, value);
        for (; rest >= 0x80n; rest >>= 7n) packed.push(Number(rest & 0x7fn) | 0x80);
        packed.push(Number(rest));
        expect(line(int64Record(packed))).toBe(`{"features":{"n":[${value}]}}`);
      }),
    );
  });

  it('prints the shortest digits of a float32', () => {
    expect(floatLine(0.1, 1 / 3, 16777216, 3.4028234663852886e38, 1.401298464324817e-45, -0)).toBe(
      '{"features":{"f":[0.1,0.33333334,16777216.0,3.4028234663852886e+38,1e-45,-0.0]}}',
    );
  });

  it('prints what JSON has no number for as strings', () => {
    expect(floatLine(NaN, Infinity, -Infinity)).toBe('{"features":{"f":["NaN","Infinity","-Infinity"]}}');
  });

  it('prints floats that read back as the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [printed] = /\[(.*)\]/.exec(floatLine(value))!.slice(1);
        expect(printed).toMatch(/[.e]/);
        expect(Object.is(Math.fround(JSON.parse(printed!) as number), value)).toBe(true);
        const shortest = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((p) => Math.fround(Number(value.toPrecision(p))) === value)!;
        // The shortest digits of the largest float32 would exceed it.
        const isLargest = Math.abs(value) === (2 - 2 ** -23) * 2 ** 127;
        expect(Number(printed) === (isLargest ? value : Number(value.toPrecision(shortest)))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('orders names by their UTF-8 bytes, not by UTF-16', () => {
    const names = ['\u{1f600}', '\uff5a', 'b', 'B', '', 'é', 'ab', 'a'];
    const printed = line(example(Object.fromEntries(names.map((name) => [name, {}]))));
    const inOrder = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(printed).toBe(`{"features":{${inOrder.map((name) => `${JSON.stringify(name)}:null`).join()}}}`);
  });

  it('keeps a feature that is called __proto__', () => {
    const record = Buffer.from('0a0f0a0d0a095f5f70726f746f5f5f1200', 'hex');
    expect(line(record)).toBe('{"features":{"__proto__":null}}');
  });

  it('follows protobuf where a name or a kind comes twice: the last one counts', () => {
    const entry = (kind: number, value: number) => [0x0a, 1, 0x6e, 0x12, 5, kind, 3, 0x0a, 1, value];
    const twice = [...[0x0a, 10, ...entry(0x1a, 1)], ...[0x0a, 10, ...entry(0x1a, 2)]];
    expect(line(Uint8Array.from([0x0a, twice.length, ...twice]))).toBe('{"features":{"n":[2]}}');
  });

  it('merges a message that comes in two parts', () => {
    const parts = Buffer.concat([example({ b: bytesOf('2') }), example({ a: bytesOf('1') })]);
    expect(line(parts)).toBe('{"features":{"a":["1"],"b":["2"]}}');
  });

  it('reads unpacked numbers', () => {
    const feature = [0x1a, 4, 0x08, 1, 0x08, 2];
    const entry = [0x0a, 1, 0x6e, 0x12, feature.length, ...feature];
    const features = [0x0a, entry.length, ...entry];
    expect(line(Uint8Array.from([0x0a, features.length, ...features]))).toBe('{"features":{"n":[1,2]}}');
  });
});

describe('RecordPrinter, bytes', () => {
  const value = (bytes: string | Uint8Array, options?: PrintOptions) =>
    line(example({ v: bytesOf(bytes) }), options).slice('{"features":{"v":['.length, -']}}'.length);

  it.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['tab\tand "quote"\n', '"tab\\tand \\"quote\\"\\n"'],
    ['Grüße 🙂', '"Grüße 🙂"'],
  ])('prints %j as text', (text, json) => {
    expect(value(text)).toBe(json);
  });

  it.each([
    ['a zero', [0x61, 0x00]],
    ['an escape sequence', [0x1b, 0x5b, 0x32, 0x4a]],
    ['DEL', [0x7f]],
    ['a C1 control', [0xc2, 0x9b]],
    ['a cut character', [0x61, 0xc3]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
  ])('prints %s as base64', (_name, bytes) => {
    expect(value(Uint8Array.from(bytes))).toBe(`{"base64":"${Buffer.from(bytes).toString('base64')}"}`);
  });

  it('cuts long text between characters and says how many bytes are missing', () => {
    expect(value('x'.repeat(256))).toBe(`"${'x'.repeat(256)}"`);
    expect(value(`${'x'.repeat(255)}é!`)).toBe(`{"text":"${'x'.repeat(255)}","more":3}`);
    expect(value(`${'x'.repeat(255)}é!`, { full: true })).toBe(`"${'x'.repeat(255)}é!"`);
  });

  it('cuts long binary values', () => {
    const bytes = Buffer.alloc(50, 0xff);
    expect(value(bytes)).toBe(`{"base64":"${bytes.subarray(0, 48).toString('base64')}","more":2}`);
    expect(value(bytes, { full: true })).toBe(`{"base64":"${bytes.toString('base64')}"}`);
  });

  it('cuts long lists and counts what it cut', () => {
    const record = example({ n: { int64List: { value: Array.from({ length: 40 }, (_, i) => i) } } });
    const printer = new RecordPrinter();
    expect(JSON.parse(printed(record, printer).json).features.n).toEqual([
      ...Array.from({ length: 32 }, (_, i) => i),
      { more: 8 },
    ]);
    expect(printer.cuts).toBe(1);
    const full = new RecordPrinter({ full: true });
    expect(JSON.parse(printed(record, full).json).features.n).toHaveLength(40);
    expect(full.cuts).toBe(0);
  });

  it('escapes what a terminal would obey in names', () => {
    expect(line(example({ 'a\x9b2J\x1b': {} }))).toBe('{"features":{"a\\u009b2J\\u001b":null}}');
  });
});

describe('RecordPrinter, other records', () => {
  it('prints a SequenceExample with one list a step', () => {
    const record = SequenceExample.encode({
      context: { feature: { id: { int64List: { value: [7] } } } },
      featureLists: {
        featureList: { words: { feature: [bytesOf('a', 'b'), {}, bytesOf()] }, empty: { feature: [] } },
      },
    }).finish();
    expect(printed(record)).toEqual({
      type: 'SequenceExample',
      json: '{"context":{"id":[7]},"featureLists":{"empty":[],"words":[["a","b"],null,[]]}}',
    });
  });

  it('cuts long feature lists', () => {
    const feature = Array.from({ length: 18 }, (_, i) => ({ int64List: { value: [i] } }));
    const record = SequenceExample.encode({ featureLists: { featureList: { n: { feature } } } }).finish();
    const steps = JSON.parse(line(record)).featureLists.n;
    expect(steps).toHaveLength(17);
    expect(steps.slice(15)).toEqual([[15], { more: 2 }]);
  });

  it('prints an Event', () => {
    const record = Event.encode({
      wallTime: 1585769947.5,
      step: 3,
      summary: {
        value: [
          { tag: 'loss', simpleValue: 0.25 },
          { tag: 'w', histo: { min: 0.5, max: 2, num: 3, sum: 4, bucketLimit: [1, 3], bucket: [1, 2] } },
        ],
      },
    }).finish();
    expect(printed(record)).toEqual({
      type: 'Event',
      json: '{"event":{"wallTime":1585769947.5,"step":3,"summary":[{"tag":"loss","simpleValue":0.25},{"tag":"w","histo":{"min":0.5,"max":2.0,"num":3.0,"sum":4.0,"buckets":2}}]}}',
    });
    const first = Event.encode({ wallTime: 1, fileVersion: 'brain.Event:2' }).finish();
    expect(line(first)).toBe('{"event":{"wallTime":1.0,"step":0,"fileVersion":"brain.Event:2"}}');
  });

  const what = (event: tensorflow.Event.$Properties): unknown => {
    const { event: printed } = JSON.parse(line(Event.encode({ wallTime: 1, ...event }).finish()));
    return Object.fromEntries(Object.entries(printed).filter(([name]) => name !== 'wallTime' && name !== 'step'));
  };
  const values = (...value: tensorflow.Summary.Value.$Properties[]): unknown =>
    (what({ summary: { value } }) as { summary: unknown }).summary;

  it('prints what else an Event may tell', () => {
    expect(what({ graphDef: new Uint8Array(7) })).toEqual({ graphDef: { bytes: 7 } });
    expect(what({ metaGraphDef: new Uint8Array(7) })).toEqual({ metaGraphDef: { bytes: 7 } });
    expect(what({ logMessage: { level: tensorflow.LogMessage.Level.INFO, message: 'hi' } })).toEqual({
      logMessage: { level: 'INFO', message: 'hi' },
    });
    expect(what({ logMessage: { level: 21 as never } })).toEqual({ logMessage: { level: 21, message: '' } });
    expect(
      what({ sessionLog: { status: tensorflow.SessionLog.SessionStatus.CHECKPOINT, checkpointPath: '/a', msg: 'b' } }),
    ).toEqual({
      sessionLog: { status: 'CHECKPOINT', checkpointPath: '/a', msg: 'b' },
    });
    expect(what({ taggedRunMetadata: { tag: 't', runMetadata: new Uint8Array(3) } })).toEqual({
      taggedRunMetadata: { tag: 't', bytes: 3 },
    });
    expect(what({ fileVersion: 'brain.Event:2', sourceMetadata: { writer: 'me' } })).toEqual({
      fileVersion: 'brain.Event:2',
      writer: 'me',
    });
  });

  it('prints values of every kind', () => {
    const encodedImageString = new Uint8Array(5);
    const audio = { sampleRate: 44100, numChannels: 2, lengthFrames: 10, contentType: 'audio/wav' };
    const old = new Uint8Array(2);
    expect(
      values(
        { tag: 'i', image: { height: 2, width: 3, colorspace: 4, encodedImageString } },
        { tag: 'a', audio: { ...audio, encodedAudioString: new Uint8Array(4) } },
        { tag: 'o', obsoleteOldStyleHistogram: old, metadata: { pluginData: { pluginName: 'histograms' } } },
      ),
    ).toEqual([
      { tag: 'i', image: { height: 2, width: 3, colorspace: 4, bytes: 5 } },
      { tag: 'a', audio: { ...audio, bytes: 4 } },
      { tag: 'o', plugin: 'histograms', obsoleteOldStyleHistogram: { bytes: 2 } },
    ]);
  });

  it('prints tensors', () => {
    const { DataType } = tensorflow;
    const tensor = (properties: tensorflow.TensorProto.$Properties): string => {
      const record = Event.encode({ wallTime: 1, summary: { value: [{ tag: 't', tensor: properties }] } }).finish();
      return /"tensor":(.*)\}\]\}\}$/.exec(line(record))?.[1] ?? '';
    };
    const tensorShape = { dim: [{ size: 1 }, { size: 2 }] };
    const content = (values: ArrayBufferView): Uint8Array => new Uint8Array(values.buffer);
    expect(tensor({ dtype: DataType.DT_FLOAT, floatVal: [0.1] })).toBe(
      '{"dtype":"DT_FLOAT","shape":[],"values":[0.1]}',
    );
    expect(tensor({ dtype: DataType.DT_DOUBLE, tensorShape, tensorContent: content(Float64Array.of(0.1, 2)) })).toBe(
      '{"dtype":"DT_DOUBLE","shape":[1,2],"values":[0.1,2.0]}',
    );
    expect(tensor({ dtype: DataType.DT_INT64, tensorContent: content(BigInt64Array.of(-(2n ** 63n))) })).toBe(
      '{"dtype":"DT_INT64","shape":[],"values":[-9223372036854775808]}',
    );
    expect(tensor({ dtype: DataType.DT_UINT64, uint64Val: [{ low: -1, high: -1 } as never] })).toBe(
      '{"dtype":"DT_UINT64","shape":[],"values":[18446744073709551615]}',
    );
    expect(tensor({ dtype: DataType.DT_STRING, stringVal: [Buffer.from('hi')] })).toBe(
      '{"dtype":"DT_STRING","shape":[],"values":["hi"]}',
    );
    expect(tensor({ dtype: DataType.DT_BOOL, boolVal: [true, false] })).toBe(
      '{"dtype":"DT_BOOL","shape":[],"values":[true,false]}',
    );
    expect(tensor({ dtype: DataType.DT_HALF, tensorContent: new Uint8Array(2) })).toBe(
      '{"dtype":"DT_HALF","shape":[],"bytes":2}',
    );
    expect(tensor({ dtype: 99 as never, tensorContent: new Uint8Array(3) })).toBe('{"dtype":99,"shape":[],"bytes":3}');
    expect(tensor({ dtype: DataType.DT_INT32 })).toBe('{"dtype":"DT_INT32","shape":[],"values":[]}');
  });

  it('takes an Event whose inside is broken for bytes', () => {
    const whole = Event.encode({ wallTime: 1, summary: { value: [{ tensor: { floatVal: [1] } }] } }).finish();
    // The tensor's packed floats claim more bytes than there are.
    const broken = Uint8Array.from(whole);
    broken[broken.length - 5] = 9;
    expect(recordType(whole)).toBe('Event');
    expect(printed(broken)).toMatchObject({ type: 'unknown' });
    expect(printed(whole)).toMatchObject({ type: 'Event' });
  });

  it('prints size and first bytes of anything else', () => {
    expect(line(Uint8Array.from([0, 1, 254]))).toBe('{"bytes":3,"hex":"0001fe"}');
    expect(line(Buffer.from('foo'))).toBe('{"bytes":3,"hex":"666f6f","text":"foo"}');
    expect(line(new Uint8Array(40))).toBe(`{"bytes":40,"hex":"${'00'.repeat(32)}","more":8}`);
    expect(line(new Uint8Array(40), { full: true })).toBe(`{"bytes":40,"hex":"${'00'.repeat(40)}"}`);
  });

  it('prints valid JSON for any bytes, whole and damaged', () => {
    const whole = example({ name: bytesOf('Ann', Buffer.alloc(60, 7)), n: { int64List: { value: [1, 300] } } });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 40 }),
          fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
            const damaged = Uint8Array.from(whole);
            damaged[at] = byte;
            return damaged;
          }),
        ),
        (record) => {
          const { json } = printed(record);
          expect(json).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
          expect(typeof JSON.parse(json)).toBe('object');
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('recordType', () => {
  it.each([
    ['an empty record', '', 'Example'],
    ['an Example without features', '0a00', 'Example'],
    ['text', Buffer.from('hello').toString('hex'), 'unknown'],
    ['JSON', Buffer.from('{"a":1}').toString('hex'), 'unknown'],
    ['line feeds', '0a0a0a0a0a0a0a0a0a0a0a0a', 'unknown'],
    ['an unknown field', '0a001a00', 'unknown'],
    ['an unknown wire type', '0800', 'unknown'],
    ['a length beyond the record', '0a05', 'unknown'],
    ['a length that never ends', '0affffffffffff01', 'unknown'],
    ['a name that is no UTF-8', '0a070a050a01ff1200', 'unknown'],
    ['an entry with two names', '0a0a0a080a01610a01621200', 'unknown'],
    ['floats of three bytes', '0a0e0a0c0a0161120712050a03000000', 'unknown'],
    ['a varint that is cut', '0a0c0a0a0a016112051a030a0180', 'unknown'],
    ['an entry without a value', '0a050a030a0161', 'Example'],
    ['an entry without a value, its name no name', '0a050a030a0107', 'unknown'],
    ['an empty FeatureLists', '1200', 'SequenceExample'],
    ['an Event without a time', '1001', 'unknown'],
    ['an Event of nonsense time', '09ffffffffffffffff1001', 'unknown'],
  ])('%s', (_name, bytes, type) => {
    expect(recordType(Buffer.from(bytes, 'hex'))).toBe(type);
  });

  it('does not take a list of Examples with a context for an Example', () => {
    const inner = example({ age: { int64List: { value: [1] } } });
    const record = Buffer.concat([[0x0a, inner.length], inner].map((part) => Uint8Array.from(part)));
    expect(recordType(record)).toBe('ExampleListWithContext');
  });

  it('does not take random bytes for a message', () => {
    fc.assert(
      // Without a bias: small values are likely to form a message, such as an Event at time 0.
      fc.property(fc.noBias(fc.uint8Array({ minLength: 12, maxLength: 200 })), (record) => {
        expect(recordType(record)).toBe('unknown');
      }),
      { numRuns: 2000 },
    );
  });
});
