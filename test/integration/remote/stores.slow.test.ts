/** The stores over the users' clients, with servers that are real ones or answer as these. */
import { StoreError, type ListedObject } from '../../../lib/io/remote/object-store';
import { s3Package } from '../../support/servers/clients';
import { describeWith } from '../../support/servers/servers';
import { bodyOf, serveStore, uploadObject, type CloudName, type ServedStore } from '../../support/servers/stores';

jest.mock('@aws-sdk/client-s3', () => s3Package(), { virtual: true });

const { signal } = new AbortController();
/** Names that URLs and XML write in another way. */
const KEY = 'train/a b+ü&#%41?.tfrecord';
const CLOUDS: readonly CloudName[] = ['s3rver', 'swift', 'azurite', 'firebase'];

/** Rules of the real stores that a server does not know: refusal by a tag, uploads of several parts, refusal of ranges after the end. */
const LACKS: Readonly<Partial<Record<CloudName, readonly string[]>>> = {
  s3rver: ['tag'],
  azurite: ['beyond'],
  firebase: ['tag', 'parts', 'beyond'],
};

for (const name of CLOUDS) {
  const lacks = (what: string): boolean => LACKS[name]?.includes(what) === true;

  describeWith('clients', name)(`a store over ${name}`, () => {
    let served: ServedStore;

    beforeAll(async () => {
      served = await serveStore(name);
    });
    afterAll(() => served.server.stop());

    const refusal = async (answer: Promise<unknown>): Promise<unknown> => {
      const error: unknown = await answer.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return error instanceof StoreError ? error.refusal : error;
    };
    const collect = async (prefix: string): Promise<ListedObject[]> => {
      const objects: ListedObject[] = [];
      for await (const page of served.store.list!(served.url(prefix), signal)) objects.push(...page);
      return objects.sort((a, b) => (a.url < b.url ? -1 : 1));
    };

    test('what was uploaded is looked at, listed, and read in ranges', async () => {
      const { store, url } = served;
      const bytes = Buffer.from('0123456789');
      await uploadObject(store, url(KEY), bytes);
      await uploadObject(store, url('train/b'), bytes);
      await uploadObject(store, url('other'), bytes);

      const facts = await store.look!(url(KEY), signal);
      expect(facts.size).toBe(10);
      expect(facts.tag).toMatch(/^[\w-]+$/);
      expect(Math.abs(facts.mtimeMs! - Date.now())).toBeLessThan(60_000);

      const body = await store.read(url(KEY), { start: 2, end: 5, tag: facts.tag }, signal);
      expect(body).toMatchObject({ start: 2, whole: false, size: 10, tag: facts.tag });
      expect(await bodyOf(body)).toEqual(bytes.subarray(2, 5));
      const rest = await store.read(url(KEY), { start: 8, end: 99 }, signal);
      expect(await bodyOf(rest)).toEqual(bytes.subarray(8));

      const listed = await collect('train/');
      expect(listed.map((each) => [each.url, each.size, each.tag])).toEqual([
        [url(KEY), 10, facts.tag],
        [url('train/b'), 10, expect.any(String)],
      ]);
    });

    (lacks('parts') ? test.skip : test)('an object of several parts appears when it is finished', async () => {
      const { store, url } = served;
      const bytes = Buffer.alloc(20 * 2 ** 20, 'parts of an object');
      const upload = await store.upload!(url('big'), signal);
      const { partBytes } = upload;
      await upload.put(0, bytes.subarray(0, partBytes), false, signal);
      await upload.put(1, bytes.subarray(partBytes, 2 * partBytes), false, signal);
      await upload.put(1, bytes.subarray(partBytes, 2 * partBytes), false, signal);
      await upload.put(2, bytes.subarray(2 * partBytes), true, signal);
      expect(await refusal(store.look!(url('big'), signal))).toBe('missing');
      expect((await upload.finish(3, signal)).size).toBe(bytes.length);
      const body = await store.read(url('big'), { start: 0, end: bytes.length }, signal);
      expect((await bodyOf(body)).equals(bytes)).toBe(true);
    });

    test('an upload of nothing makes an empty object', async () => {
      const { store, url } = served;
      await uploadObject(store, url('empty'), Buffer.alloc(0));
      expect((await store.look!(url('empty'), signal)).size).toBe(0);
    });

    test('an upload that is given up leaves no object', async () => {
      const { store, url } = served;
      const upload = await store.upload!(url('left'), signal);
      await upload.put(0, Buffer.alloc(upload.partBytes), true, signal);
      await upload.abort();
      expect(await refusal(store.look!(url('left'), signal))).toBe('missing');
      expect(await collect('left')).toEqual([]);
    });

    test('refusals have their kinds', async () => {
      const { store, url } = served;
      await uploadObject(store, url('ten'), Buffer.from('0123456789'));
      expect(await refusal(store.look!(url('none'), signal))).toBe('missing');
      expect(await refusal(store.read(url('none'), { start: 0, end: 1 }, signal))).toBe('missing');
      if (!lacks('beyond'))
        expect(await refusal(store.read(url('ten'), { start: 10, end: 11 }, signal))).toBe('beyond');
    });

    (lacks('tag') ? test.skip : test)('an object that was replaced is refused by its tag', async () => {
      const { store, url } = served;
      await uploadObject(store, url('changes'), Buffer.from('before'));
      const { tag } = await store.look!(url('changes'), signal);
      await uploadObject(store, url('changes'), Buffer.from('after!'));
      expect(await refusal(store.read(url('changes'), { start: 0, end: 2, tag }, signal))).toBe('changed');
    });

    test('a body that nobody reads ends when its signal aborts', async () => {
      const { store, url } = served;
      await uploadObject(store, url('long'), Buffer.alloc(4 * 2 ** 20));
      const aborter = new AbortController();
      const body = await store.read(url('long'), { start: 0, end: 4 * 2 ** 20 }, aborter.signal);
      aborter.abort();
      // The bytes that had come may still be given.
      await bodyOf(body).catch(() => undefined);
      expect(await bodyOf(await store.read(url('long'), { start: 0, end: 5 }, signal))).toHaveLength(5);
    });
  });
}
