import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { pinOf } from '@hlid/node/tls-files';
import { type Certified, TestAuthority } from '@hlid/protocol/test/certificates';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type CloudProgram, startCloud } from '../harness/cloud-program.ts';
import { edgeDocument, fourLanes } from '../harness/edge-document.ts';
import { type EdgeProgram, startEdge } from '../harness/edge-program.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { cameraOf } from '../harness/lane-camera.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { addDefaultProducts, createSite, registerCameras } from '../harness/provision.ts';
import { sitePlan } from '../harness/site.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { type Relay, startRelay } from '../sim/relay.ts';

/** An authority that is unknown to every machine. */
const authority = new TestAuthority();
const CodeSchema = z.looseObject({ code: z.string() });
const lanes = fourLanes(newSecret);
const site = sitePlan({ name: 'Harbour' });

const folder = mkdtempSync(join(tmpdir(), 'hlid-tls-'));
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const at = (name: string) => join(folder, name);

let cloud: CloudProgram;
let operator: Operator;
let siteId: string;
let edge: EdgeProgram;
let relay: Relay;
let pin: string;

function write(name: string, { cert, key }: Certified): { cert: string; key: string } {
  writeFileSync(at(`${name}.pem`), cert);
  writeFileSync(at(`${name}-key.pem`), key);
  return { cert: at(`${name}.pem`), key: at(`${name}-key.pem`) };
}

/** The address of a plain line to a TLS port, for the simulators and for the operator of the tests. */
async function plainLine(secureUrl: string): Promise<string> {
  const port = Number(new URL(secureUrl).port);
  const server = createServer((socket) => {
    const secure = connect({ host: '127.0.0.1', port, servername: 'localhost', ca: authority.cert });
    for (const side of [socket, secure]) side.on('error', () => [socket, secure].map((one) => one.destroy()));
    socket.pipe(secure).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const here = authority.issue({ name: 'cloud', hosts: ['localhost', '127.0.0.1'] });
  pin = pinOf(new X509Certificate(here.cert));
  writeFileSync(at('ca.pem'), authority.cert);
  const tls = write('cloud', here);
  const config = at('cloud.yaml');
  const mqtt = { tls: { ...tls, clientCa: at('ca.pem'), clientCertificates: 'required' } };
  writeFileSync(config, stringify({ http: { tls }, mqtt }));
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const env = { HLID_CLOUD_CONFIG: config };
  cloud = await startCloud({ folder: at('cloud'), apiKey, operator: login, env });
  stops.push(() => cloud.stop());
  operator = await logIn({ cloudUrl: await plainLine(cloud.httpUrl()), apiKey, ...login });
  ({ siteId } = await createSite(operator, site));
  await registerCameras(operator, siteId, lanes);
  await addDefaultProducts(operator);
  relay = await startRelay({ outputs: lanes.length });
  stops.push(() => relay.stop());
});
afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

it('a site enrols by a code, with an authority, a pin and a certificate of its own; a wrong pin gets no code', async () => {
  expect(cloud.httpUrl()).toMatch(/^https:/);
  const own = write('site', authority.issue({ name: siteId }));
  const { code } = await operator.call(CodeSchema, 'POST', `/sites/${siteId}/enrolment`);
  const enrol = (given: string) => [
    'enrol',
    code,
    '--cloud',
    cloud.httpUrl(),
    '--ca',
    at('ca.pem'),
    '--pin',
    given,
    '--cert',
    own.cert,
    '--key',
    own.key,
  ];
  const other = pinOf(new X509Certificate(authority.cert));
  const refused = await runEdgeTool(at('edge'), enrol(other));
  expect(refused).toMatchObject({
    code: 1,
    complaint: expect.stringContaining(`expected ${other}, seen ${pin}`),
  });
  expect(await runEdgeTool(at('edge'), enrol(pin))).toMatchObject({ code: 0, complaint: '' });
  // Once more, as after a mistake: whom the site trusts stays as it is.
  const again = await operator.call(CodeSchema, 'POST', `/sites/${siteId}/enrolment`);
  expect(await runEdgeTool(at('edge'), ['enrol', again.code, '--replace'])).toMatchObject({ code: 0 });
  const stored = JSON.parse(readFileSync(join(at('edge'), 'credentials.json'), 'utf8'));
  expect(stored).toMatchObject({ ca: 'cloud-ca.pem', pin: [pin], ...own });
});

it('lets a car in whose camera pushes by https, and the visit is in the cloud', async () => {
  const cameraTls = {
    host: '127.0.0.1',
    port: 0,
    ...write('cameras', authority.issue({ name: 'edge', hosts: ['localhost'] })),
  };
  const document = { ...edgeDocument({ site, lanes, relayUrl: relay.url }), cameraTls };
  edge = await startEdge({ folder: at('edge'), document });
  stops.push(() => edge.stop());
  const [lane] = lanes;
  if (!lane) throw new Error('no lane');
  const push = await plainLine(String(edge.ready()['cameraTlsUrl']));
  for (const seen of cameraOf(lane).see({ plate: 'TLS123', score: 0.94, at: new Date() })) {
    const answer = await post(`${push}/cameras/${lane.cameraId}/${lane.format}?token=${lane.token}`, seen);
    expect(answer.status).toBe(200);
  }
  await waitFor(() => relay.openings(lane.output) === 1, { what: 'the gate to open', detail: edge.tail });
  await waitFor(async () => (await operator.visits({ plate: 'TLS123' })).length === 1, {
    what: 'the visit to be in the cloud',
    detail: () => `${edge.tail()}\n${cloud.tail()}`,
  });
  const response = await fetch(new URL('/metrics', edge.localUrl()));
  expect(await response.text()).toMatch(
    /^hlid_certificate_expires_seconds\{certificate="the cloud's \(mqtt\)"\} 7\d+/m,
  );
});

const hasCurl = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

it.skipIf(!hasCurl)('curl trusts the same authority and the same pin', () => {
  const ask = (...words: string[]) => spawnSync('curl', ['-sS', ...words], { encoding: 'utf8' });
  const ping = `${cloud.httpUrl()}/ping`;
  const trusting = ['--cacert', at('ca.pem')];
  expect(ask(...trusting, '--pinnedpubkey', pin, ping)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('pong'),
  });
  const other = pinOf(new X509Certificate(authority.cert));
  // 90: the pinned key does not match; 60: the authority is not known.
  expect(ask(...trusting, '--pinnedpubkey', other, ping).status).toBe(90);
  expect(ask(ping).status).toBe(60);
  const push = String(edge.ready()['cameraTlsUrl']).replace('127.0.0.1', 'localhost');
  expect(ask(...trusting, '-o', '/dev/null', '-w', '%{http_code}', push)).toMatchObject({
    status: 0,
    stdout: '404',
  });
});
