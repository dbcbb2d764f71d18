/** Servers with certificates of their own: how they are trusted, and the errors where they are not. */
import { readRecords, remoteOptions } from '../../../lib';
import { httpSource } from '../../../lib/adapters/http';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { ObjectServer } from '../../support/remote/object-server';
import { runCli } from '../../support/running/run-cli';
import { hasOpenssl, makeCertificates, type Certificates } from '../../support/servers/certificates';
import { undiciAgent } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';

const folder = new Folder();
const BYTES = tfrecord(['one', 'two']);
let made: Certificates;
const servers: ObjectServer[] = [];

(hasOpenssl() ? describeWith('undici') : describe.skip)('https', () => {
  beforeAll(() => (made = makeCertificates(folder.path)));
  afterEach(async () => {
    remoteOptions({});
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  afterAll(() => folder.remove());

  const serve = async (tls: object = { key: made.key, cert: made.cert }): Promise<ObjectServer> => {
    const server = await ObjectServer.start({ '/a.tfrecord': BYTES }, undefined, tls);
    servers.push(server);
    return server;
  };
  const read = async (source: Parameters<typeof readRecords>[0]): Promise<string[]> => {
    const texts: string[] = [];
    for await (const record of readRecords(source)) texts.push(Buffer.from(record).toString());
    return texts;
  };

  test('an authority that nobody trusts is an error at once, which says what to change', async () => {
    const server = await serve();
    const url = server.url('/a.tfrecord');
    await expect(read(url)).rejects.toMatchObject({
      code: 'TFR_REMOTE',
      file: url,
      found: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      message: expect.stringMatching(/start Node with NODE_EXTRA_CA_CERTS=FILE.*useHttpDispatcher\(\)/),
    });
    expect(server.connections).toBe(1);
    const agent = undiciAgent();
    await expect(read(httpSource(agent, url))).rejects.toMatchObject({ found: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    await agent.close();
    // undici connects once more when it is closed.
    expect(server.connections).toBeLessThanOrEqual(3);
    expect(server.requests).toEqual([]);
  });

  test('NODE_EXTRA_CA_CERTS trusts it', async () => {
    const url = (await serve()).url('/a.tfrecord');
    expect(await runCli(['count', url])).toMatchObject({ code: 1, stdout: '' });
    expect(await runCli(['count', url], { env: { NODE_EXTRA_CA_CERTS: made.caFile } })).toMatchObject({
      code: 0,
      stdout: `2\n`,
    });
  });

  test('connect.ca of an agent trusts it', async () => {
    const agent = undiciAgent({ connect: { ca: made.ca } });
    expect(await read(httpSource(agent, (await serve()).url('/a.tfrecord')))).toEqual(['one', 'two']);
    await agent.close();
  });

  test('a certificate of another host', async () => {
    const agent = undiciAgent({ connect: { ca: made.ca } });
    const server = await serve({ key: made.key, cert: made.otherCert });
    await expect(read(httpSource(agent, server.url('/a.tfrecord')))).rejects.toMatchObject({
      code: 'TFR_REMOTE',
      found: 'ERR_TLS_CERT_ALTNAME_INVALID',
      message: expect.stringContaining('use a host name that it lists'),
    });
    await agent.close();
  });

  test('a server that answers without TLS', async () => {
    const server = await ObjectServer.start({ '/a.tfrecord': BYTES });
    servers.push(server);
    await expect(read(server.url('/a.tfrecord').replace('http:', 'https:'))).rejects.toMatchObject({
      code: 'TFR_REMOTE',
      found: 'ERR_SSL_WRONG_VERSION_NUMBER',
      message: expect.stringContaining('check the port'),
    });
  });

  test('a server that asks for the certificate of the client', async () => {
    const { key, cert, ca } = made;
    // In TLS 1.3 the server refuses after the handshake, and Node reports a broken connection.
    const server = await serve({ key, cert, ca, requestCert: true, maxVersion: 'TLSv1.2' });
    const url = server.url('/a.tfrecord');
    const nameless = undiciAgent({ connect: { ca: made.ca } });
    await expect(read(httpSource(nameless, url))).rejects.toMatchObject({
      code: 'TFR_REMOTE',
      found: expect.stringMatching(/^ERR_SSL_.*ALERT/),
      message: expect.stringContaining('connect.cert and connect.key'),
    });
    const agent = undiciAgent({ connect: { ca: made.ca, cert: made.cert, key: made.key } });
    expect(await read(httpSource(agent, url))).toEqual(['one', 'two']);
    await Promise.all([nameless.close(), agent.close()]);
  });
});
