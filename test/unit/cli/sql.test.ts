/** `tfrecord sql`: rows as a table, JSON and CSV, and errors with their exit codes. */
import { bytes, encodeExample, float, int64 } from '../../../lib';
import { scalar } from '../../support/records/event-logs';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { runHere, Screen } from '../../support/running/run-here';

const folder = new Folder();
const file = folder.at('a');
afterAll(() => {
  folder.remove();
});
beforeAll(() => {
  folder.write('a', [
    encodeExample({
      id: int64(2n ** 63n - 1n),
      f: float(0.1),
      t: 'a,"b"',
      raw: bytes([Uint8Array.of(255)]),
      l: int64([1, 2]),
    }),
    encodeExample({ id: int64(1), f: float(-0), l: int64([]) }),
    encodeExample({ id: int64(2), f: float(NaN), t: 'x' }),
  ]);
});

const FROM = `FROM read_tfrecord('${file}')`;

test('rows as JSON: every value exact', async () => {
  const { code, stdout, stderr } = await runHere(['sql', '--json', `SELECT id, f, t, raw, l ${FROM}`]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    '{"id":9223372036854775807,"f":0.1,"t":"a,\\"b\\"","raw":{"base64":"/w=="},"l":[1,2]}\n' +
      '{"id":1,"f":-0.0,"t":null,"raw":null,"l":[]}\n' +
      '{"id":2,"f":"NaN","t":"x","raw":null,"l":null}\n',
  );
});

test('logs of TensorBoard', async () => {
  const log = folder.write('events.tfevents', [
    scalar('loss', 1, 0.5),
    scalar('loss', 2, NaN),
    encodeExample({ t: 'x' }),
  ]);
  const query = `SELECT tag, step, kind, value, texts FROM read_events('${log}')`;
  const { code, stdout, stderr } = await runHere(['sql', '--json', query, '--on-error', 'skip']);
  expect(stdout).toBe(
    '{"tag":"loss","step":1,"kind":"scalar","value":0.5,"texts":null}\n' +
      '{"tag":"loss","step":2,"kind":"scalar","value":"NaN","texts":null}\n',
  );
  expect([code, stderr]).toEqual([0, expect.stringMatching(/TFR_EXAMPLE: Record 2 of .*byte 84/)]);
  expect(await runHere(['sql', '--json', query])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/TFR_EXAMPLE: Record 2 of .*byte 84/),
  });
  expect(await runHere(['sql', "FROM read_events('https://example.com/a')"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tfrecord scalars URL -o a.parquet'),
  });
});

test('floats have a point, also in lists, arrays, structs and maps; integers and decimals keep their digits', async () => {
  const query =
    'SELECT 1::FLOAT a, 2::DOUBLE b, 3::INT c, [1,0.1]::FLOAT[] d, {x: 1::FLOAT, y: 2::INT} e, 0.5 f, 1.50 g, 5::DECIMAL(18,0) h, ' +
    "map {'k': 1::FLOAT} i, 2::UTINYINT j, [1,2]::DOUBLE[2] k, 3.4028234663852886e38::FLOAT l, 1e300 m, [1]::SMALLINT[] n, 'NaN'::DOUBLE o, -0.0::DOUBLE p";
  const json =
    '{"a":1.0,"b":2.0,"c":3,"d":[1.0,0.1],"e":{"x":1.0,"y":2},"f":0.5,"g":1.50,"h":5,"i":{"k":1.0},"j":2,"k":[1.0,2.0],' +
    '"l":3.4028234663852886e+38,"m":1e+300,"n":[1],"o":"NaN","p":-0.0}\n';
  expect((await runHere(['sql', '--json', query])).stdout).toBe(json);
  expect((await runHere(['sql', '--csv', 'SELECT 1::FLOAT a, 2::DOUBLE b, 3 c'])).stdout).toBe('a,b,c\n1.0,2.0,3\n');
});

test.each([
  "COPY (SELECT 1) TO 'x.tfrecord'",
  "SELECT 1; copy t to 'a/x.tfrecords.gz' ",
  "\n-- first\n/* second */ COPY t TO 'x.tfrec'",
  "COPY (SELECT 1) TO 'x.tfrecord-00000-of-00001'",
  "COPY (SELECT 1) TO 'y.csv'; COPY (SELECT 1) TO 'x.tfrecord'",
  `COPY (SELECT ';''' AS ";") TO 'x.tfrecord'`,
])('COPY to the name of a TFRecord is refused: %s', async (query) => {
  const { code, stderr } = await runHere(['sql', query]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/TFR_SQL: DuckDB cannot write TFRecords: .*x\.tfrec.* would be CSV.*tfrecord convert/);
});

test('many comments before a query take no time', async () => {
  const { code, stdout } = await runHere(['sql', '--json', `${'/* a ** b */ '.repeat(60)}SELECT 1 AS a`]);
  expect([code, stdout]).toEqual([0, '{"a":1}\n']);
});

test('a text that has the words of COPY is none, and a query may name a format', async () => {
  const shown = await runHere(['sql', '--csv', "SELECT 'COPY t TO ''x.tfrecord''' AS a"]);
  expect(shown.stdout).toBe("a\nCOPY t TO 'x.tfrecord'\n");
  const named = await runHere(['sql', "COPY (SELECT 1) TO '/dev/null/x.tfrecord' (FORMAT csv)"]);
  expect(named.stderr).not.toContain('cannot write TFRecords');
});

test.each(["'https://example.org/a.tfrecord?token=secret'", "['b', 's3://bucket/a']"])(
  '%s is not a file',
  async (argument) => {
    for (const spec of ['', `, spec := '{"id":{"type":"varLen","dtype":"int64"}}'`]) {
      const { code, stdout, stderr } = await runHere(['sql', `SELECT * FROM read_tfrecord(${argument}${spec})`]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^tfrecord: error: TFR_SQL: read_tfrecord reads files only: found (?:https:\/\/example.org\/a\.tfrecord|s3:\/\/bucket\/a)\. "tfrecord convert URL a\.parquet" makes a file that read_parquet\('a\.parquet'\) reads\.\n$/,
      );
    }
  },
);

test('names with characters that a terminal obeys are escaped', async () => {
  expect((await runHere(['sql', '--json', 'SELECT 1 AS "a\u202eb", {"c\u202ed": 2} AS s'])).stdout).toBe(
    '{"a\\u202eb":1,"s":{"c\\u202ed":2}}\n',
  );
});

test('rows as CSV', async () => {
  const { code, stdout } = await runHere(['sql', '--csv', `SELECT id, t, l ${FROM}`]);
  expect(code).toBe(0);
  expect(stdout).toBe('id,t,l\n9223372036854775807,"a,""b""","[1,2]"\n1,,[]\n2,x,\n');
});

test('rows as a table', async () => {
  const { code, stdout } = await runHere(['sql', `SELECT count(*) AS n, max(id) AS most ${FROM}`]);
  expect(code).toBe(0);
  expect(
    stdout.split('\n').map((line) =>
      line
        .replace(/[^\w ]/g, '')
        .replace(/ +/g, ' ')
        .trim(),
    ),
  ).toEqual(expect.arrayContaining(['n most', '3 9223372036854775807']));
});

test('a spec names the columns', async () => {
  folder.put('spec.json', Buffer.from('{"id":{"type":"fixedLen","dtype":"int64","shape":[]}}'));
  const { stdout } = await runHere(['sql', '--json', '--spec', folder.at('spec.json'), `DESCRIBE ${FROM}`]);
  expect(stdout).toMatch(/^\{"column_name":"id","column_type":"BIGINT",[^\n]*\n$/);
});

test('what is wrong with the query is one line, and wrong use', async () => {
  for (const query of ['SELECT nope', `SELECT nope ${FROM}`, 'SELECT 1 +', `SELECT 'a'::INT ${FROM}`, '']) {
    const { code, stdout, stderr } = await runHere(['sql', '--json', query]);
    expect([query, stderr, code, stdout]).toEqual([query, stderr, 2, '']);
    expect(stderr).toMatch(/^tfrecord: error: TFR_SQL: [^\n]+\n$/);
  }
});

test('damage, and missing files, are faults', async () => {
  const whole = tfrecord([encodeExample({ id: int64(1) }), encodeExample({ id: int64(2) })]);
  folder.put('cut', whole.subarray(0, whole.length - 1));
  const query = `SELECT id FROM read_tfrecord('${folder.at('cut')}')`;
  const { code, stderr } = await runHere(['sql', '--json', query]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tfrecord: error: TFR_TRUNCATED: .*cut, record 1/);
  const accepted = await runHere(['sql', '--json', '--on-error', 'stop', query]);
  expect([accepted.code, accepted.stdout]).toEqual([0, '{"id":1}\n']);
  const missing = await runHere(['sql', `FROM read_tfrecord('${folder.at('missing')}')`]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/ENOENT/);
});

test.each(['', ' ; -- nothing\n', '/* nothing */'])('the query %j', async (query) => {
  const { code, stderr } = await runHere(['sql', query]);
  expect([code, stderr]).toEqual([
    2,
    `tfrecord: error: TFR_SQL: the query is empty. Example: "SELECT * FROM read_tfrecord('a.tfrecord')"\n`,
  ]);
});

test('a full disk is no wrong use', async () => {
  const { code, stderr } = await runHere(['sql', "COPY (SELECT 1) TO '/dev/full' (FORMAT csv, USE_TMP_FILE false)"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tfrecord: error: TFR_SQL: IO Error: .*No space left/);
});

test.each(['--json', '--csv'])('an output that fails, with %s', async (form) => {
  class Full extends Screen {
    override _write(_chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
      done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    }
  }
  const query = 'SELECT i FROM range(20000) AS rows(i)';
  const { code, stderr } = await runHere(['sql', form, query], { stdout: new Full() });
  expect([code, stderr]).toEqual([
    1,
    'tfrecord: error: cannot write the output: ENOSPC: no space left on device, write\n',
  ]);
});

test.each(['{', '{"a":1}'])('the argument spec := %j is wrong use', async (spec) => {
  const query = `FROM read_tfrecord('${file}', spec := '${spec}')`;
  const { code, stderr } = await runHere(['sql', query]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^tfrecord: error: TFR_SPEC: spec[^\n]+\n$/)]);
});

test('a fault in the first records names the file and the record in it', async () => {
  folder.write('texts', [encodeExample({ n: 'no features of the others' }), encodeExample({ id: 'text' })]);
  folder.write('malformed', [Uint8Array.of(0x0a, 0xff, 1)]);
  const mixed = await runHere(['sql', `FROM read_tfrecord(['${file}', '${folder.at('texts')}'])`]);
  expect([mixed.code, mixed.stderr]).toEqual([
    1,
    `tfrecord: error: TFR_FEATURE: Record 1 of ${folder.at('texts')}: Feature "id" has values of two types: ` +
      'expected int64 values, as before, found bytes values. A spec without the feature reads the others\n',
  ]);
  const malformed = await runHere(['sql', `FROM read_tfrecord('${folder.at('malformed')}')`]);
  expect(malformed.code).toBe(1);
  expect(malformed.stderr).toContain(`TFR_EXAMPLE: Record 0 of ${folder.at('malformed')}: The bytes are not`);
});
