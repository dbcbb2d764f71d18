/** `--header`: sent with each request for an http: URL, and shown nowhere. */
import { remoteOptions } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ObjectServer } from '../../support/remote/object-server';
import { runHere } from '../../support/running/run-here';

const SECRET = 'Bearer s3cr3t';
const folder = new Folder();
let server: ObjectServer;
beforeAll(async () => {
  server = await ObjectServer.start({ '/a.tfrecord': tfrecord(['', '']) }, ({ headers }) =>
    headers.authorization === SECRET ? undefined : 401,
  );
});
beforeEach(() => (server.requests.length = 0));
afterEach(() => remoteOptions({}));
afterAll(async () => {
  folder.remove();
  await server.close();
});

test.each([
  ['NAME:VALUE', ['--header', `Authorization: ${SECRET}`]],
  ['with = and without a blank', [`--header=authorization:${SECRET}`, '--header', 'X-Other:']],
  ['the last one of a name', ['--header', 'authorization: other', '--header', `AUTHORIZATION: ${SECRET}`]],
])('%s', async (_name, flags) => {
  const { code, stdout, stderr } = await runHere(['count', '--json', server.url('/a.tfrecord'), ...flags]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('s3cr3t');
  expect(JSON.parse(stdout)).toMatchObject({ records: 2 });
});

test('@FILE has a header on each line', async () => {
  const file = folder.put('headers', `x-first: 1\r\nAuthorization: ${SECRET}\n`);
  expect(await runHere(['head', server.url('/a.tfrecord'), '--header', `@${file}`])).toMatchObject({ code: 0 });
  expect(server.requests[0]!.headers).toMatchObject({ 'x-first': '1', authorization: SECRET });
});

test('convert reads with it', async () => {
  const out = folder.at('out.jsonl');
  const args = [
    'convert',
    '--from',
    'tfrecord',
    server.url('/a.tfrecord'),
    out,
    '--header',
    `authorization: ${SECRET}`,
  ];
  expect(await runHere(args)).toMatchObject({ code: 0 });
});

test.each([
  ['no colon', ['--header', 's3cr3t'], 'expected NAME:VALUE or @FILE'],
  ['a line end in a value', ['--header', 'a: s3cr3t\nb: c'], 'expected NAME:VALUE or @FILE'],
  ['a blank in a name', ['--header', 's3cr3t x: c'], 'expected NAME:VALUE or @FILE'],
  ['a file with another line', ['--header', `@${folder.put('bad', 'a: b\ns3cr3t\n')}`], 'line 2 of @'],
  ['a file that is missing', ['--header', '@/nowhere/s'], 'ENOENT'],
])('%s is wrong use, and not shown', async (_name, flags, message) => {
  const { code, stdout, stderr } = await runHere(['count', server.url('/a.tfrecord'), ...flags]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('s3cr3t');
  expect(server.requests).toEqual([]);
});

test('a refused request does not show it', async () => {
  const flags = ['--header', 'authorization: Bearer wr0ng'];
  const { code, stderr } = await runHere(['verify', '--json', server.url('/a.tfrecord'), ...flags]);
  expect(code).toBe(1);
  expect(stderr).not.toContain('wr0ng');
});
