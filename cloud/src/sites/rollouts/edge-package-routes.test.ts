import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type Answer, createTestApi, type TestApi } from '../../../test/api.ts';
import { GatedStore } from '../../../test/gated-store.ts';
import { packageBytes, SIGNATURE } from '../../../test/packages.ts';
import { backupSource } from '../../privacy/backup/backup-source.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const NAME = 'hlid-edge_0.3.0~rc1+2_amd64.deb';

interface Sent {
  name?: string;
  content?: Uint8Array<ArrayBuffer>;
  signature?: string | File | null;
  token?: string;
  headers?: Record<string, string>;
  api?: TestApi;
}

/** Sends a package as curl and a browser send it. */
async function send({
  name = NAME,
  content = packageBytes(),
  signature = SIGNATURE,
  api: to = api,
  ...options
}: Sent = {}) {
  const form = new FormData();
  form.set('package', new File([content], name));
  if (signature !== null) form.set('signature', signature);
  const request = new Request('http://x/edge-packages', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '', ...options.headers };
  const body = new Uint8Array(await request.arrayBuffer());
  return await to.call('POST', '/edge-packages', {
    body,
    headers,
    ...(options.token !== undefined && { token: options.token }),
  });
}

const codesOf = ({ body }: Answer) =>
  z
    .array(z.looseObject({ code: z.string() }))
    .parse(body['codes'])
    .map(({ code }) => code);

it('is stored with its signature, in a folder of its own', async () => {
  const added = await send();
  const sha256 = createHash('sha256').update(packageBytes()).digest('hex');
  expect(added.status).toBe(201);
  expect(added.body).toMatchObject({
    version: '0.3.0~rc1+2',
    architecture: 'amd64',
    bytes: packageBytes().byteLength,
    sha256,
    addedAt: api.now(),
    by: 'account:the-operator',
    byName: 'operator',
  });
  const path = join(dirname(api.file), 'packages', NAME);
  expect(readFileSync(path).equals(packageBytes())).toBe(true);
  expect((await api.call('GET', '/edge-packages')).body).toMatchObject({ total: 1, data: [added.body] });
  const [line] = (await api.audited()).filter(({ subject }) => subject === 'edge-package');
  expect(line).toMatchObject({ action: 'edge-package.add', before: null, after: { sha256 } });
});

it('comes again by any way of sending it, and is the same', async () => {
  const first = await send({ signature: new File([SIGNATURE], `${NAME}.minisig`) });
  const again = await send({ signature: SIGNATURE.replaceAll('\n', '\r\n') });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  // The body was read before, for its fingerprint.
  const headers = { 'Idempotency-Key': 'once' };
  expect((await send({ headers })).status).toBe(200);
});

it('stores a file again that was lost with a disk', async () => {
  await send();
  await api.context.packages.delete(NAME);
  await send();
  expect(await api.context.packages.get(NAME)).toMatchObject({ bytes: packageBytes().byteLength });
});

it('cannot have other bytes under the same version', async () => {
  await send();
  const other = await send({ content: packageBytes('other') });
  expect([other.status, codesOf(other)]).toEqual([409, ['other-package']]);
  expect((await send({ name: NAME.replace('amd64', 'arm64'), content: packageBytes('other') })).status).toBe(
    201,
  );
  const stored = await api.context.packages.get(NAME);
  expect(await new Response(stored?.body).text()).toBe(Buffer.from(packageBytes()).toString());
});

it('of two that are brought at once under one version, the one in the list is the one in the store', async () => {
  const packages = new GatedStore();
  const both = await createTestApi({ packages });
  const [mine, theirs] = [packageBytes('mine'), packageBytes('theirs')];
  const { arrived, release } = packages.hold((_key, content) => Buffer.from(content).equals(mine));
  const first = send({ content: mine, api: both });
  await arrived;
  const second = await send({ content: theirs, api: both });
  release();
  expect([(await first).status, second.status]).toEqual([201, 409]);
  const { body } = await both.call('GET', '/edge-packages');
  const stored = createHash('sha256')
    .update(packages.stored.get(NAME)?.content ?? '')
    .digest('hex');
  expect(body).toMatchObject({ total: 1, data: [{ sha256: stored }] });
  await both.close();
});

it.each<[string, Sent, string[]]>([
  ['of another package', { name: 'hlid-cloud_0.3.0_amd64.deb' }, ['package-name']],
  ['of another architecture', { name: 'hlid-edge_0.3.0_i386.deb' }, ['package-name']],
  ['with a path', { name: '../hlid-edge_0.3.0_amd64.deb' }, ['package-name']],
  ['that is no package', { content: new TextEncoder().encode('<html>') }, ['not-a-package']],
  ['that is empty', { content: new Uint8Array() }, ['not-a-package']],
  ['with another signature', { signature: '-----BEGIN PGP SIGNATURE-----' }, ['package-signature']],
  ['with a long signature', { signature: new File(['x'.repeat(100_000)], 'x') }, ['package-signature']],
  ['without a signature', { signature: null }, ['package-form']],
  [
    'with all of that',
    { name: 'x.deb', content: new Uint8Array(3), signature: '' },
    ['package-name', 'not-a-package', 'package-signature'],
  ],
])('refuses a file %s', async (_what, sent, codes) => {
  const refused = await send(sent);
  expect([refused.status, codesOf(refused)]).toEqual([400, codes]);
  expect((await api.call('GET', '/edge-packages')).body).toMatchObject({ total: 0 });
});

it('refuses what is no form, or cannot be read as one', async () => {
  const headers = { 'content-type': 'multipart/form-data' };
  expect((await api.call('POST', '/edge-packages', { body: 'x', headers })).status).toBe(400);
  expect((await api.call('POST', '/edge-packages', { body: { a: 1 } })).status).toBe(415);
});

it('is deleted with its file', async () => {
  const { id } = z.looseObject({ id: z.string() }).parse((await send()).body);
  expect((await api.call('DELETE', `/edge-packages/${id}`)).status).toBe(204);
  expect(existsSync(join(dirname(api.file), 'packages', NAME))).toBe(false);
  expect((await api.call('DELETE', `/edge-packages/${id}`)).status).toBe(404);
});

it('is added by an operator of every site who has proved who they are', async () => {
  const some = await api.account('operator', { siteIds: [api.site.id] });
  const reader = await api.account('operator', { permissions: ['visits'] });
  for (const token of [some, reader]) {
    expect((await send({ token })).status).toBe(403);
    expect((await api.call('GET', '/edge-packages', { token })).status).toBe(403);
  }
  const cookie = await api.session('the-operator', { steppedUpAt: null });
  const body = { version: '0.3.0' };
  const refused = await api.call('POST', '/rollouts', { body, token: null, headers: cookie });
  expect([refused.status, codesOf(refused)]).toEqual([403, ['step-up-needed']]);
});

it('is in no backup', async () => {
  await send();
  const config = { dataDir: dirname(api.file), s3: null, backup: null };
  const names = backupSource(config, join(dirname(api.file), 'cloud.yaml')).files.map(({ name }) => name);
  expect(names.filter((name) => name.includes('package'))).toEqual([]);
});
