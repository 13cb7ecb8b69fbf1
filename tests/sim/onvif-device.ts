import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { find, readXml, type XmlElement } from '@hlid/edge/onvif/xml-element';
import { TINY_JPEG } from './jpeg.ts';
import { cutOff, envelopeOf, type Outcome, SOAP, sendOutcome } from './onvif-answers.ts';
import { type DiscoveryOptions, SCOPES, startDiscovery } from './onvif-discovery.ts';
import { createFaults, type OnvifFaults } from './onvif-faults.ts';
import { createLoginCheck, type OnvifLogin } from './onvif-login.ts';
import {
  axisPlateEvent,
  inputEvent,
  plateEvent,
  relayEvent,
  type SimAxisPlate,
  type SimPlate,
} from './onvif-notifications.ts';
import { createOperations, OPEN_TO_ALL, PATHS } from './onvif-operations.ts';
import { createPullPoints } from './onvif-pull-points.ts';
import { createRelays, type RelayView, type SimRelay } from './onvif-relays.ts';
import { createSubscriptions, type SubscriptionWays } from './onvif-subscriptions.ts';

/** A request that the device got, whatever it made of it. */
interface OnvifRequest {
  operation: string;
  /** Path and query. */
  target: string;
  /** How it was logged in to; null: not, or in vain. */
  by: 'token' | 'digest' | null;
  /** It was refused with a fault. */
  refused: boolean;
}

export interface OnvifDeviceOptions extends Partial<SubscriptionWays> {
  /** 0 or nothing: a free one. */
  port?: number;
  user?: string;
  password?: string;
  logins?: readonly OnvifLogin[];
  lockAfter?: number;
  nonceUses?: number;
  /** Milliseconds that its clock is ahead. */
  clockAheadMs?: number;
  relays?: readonly SimRelay[];
  /** The service that has the relays. */
  relaysAt?: 'device' | 'deviceIo';
  /** The device service's answer about relays that it does not have: an empty list, or a fault. */
  withoutRelays?: 'empty' | `ter:${string}`;
  /** The capabilities do not name DeviceIO; `GetServices` does. */
  hidesDeviceIo?: boolean;
  /** Its picture, by the address that was requested; absent: a grey point. */
  pictureAt?: (target: string) => Buffer;
  /** How it writes its answers, instead of HTTP: all that goes to the connection. */
  answersAs?: (envelope: string) => string;
  /** The content type of its picture. */
  snapshotType?: string;
  inputs?: readonly string[];
  maxPullPoints?: number;
  discovery?: Partial<DiscoveryOptions> | null;
  /** Key and certificate of a device with https. */
  tls?: { key: string; cert: string };
}

export interface OnvifDeviceSim extends Pick<OnvifFaults, 'fail' | 'heal'> {
  /** The address of its device service. */
  readonly url: string;
  readonly port: number;
  readonly urn: string;
  readonly discoveryPort: number | null;
  readonly requests: readonly OnvifRequest[];
  failedLogins(): number;
  isLocked(): boolean;
  unlock(): void;
  pullPoints(): number;
  /** Subscriptions are gone, as after a restart of the device. */
  forgetSubscriptions(): void;
  setClockAhead(ms: number): void;
  tellPlate(plate: SimPlate): void;
  tellAxisPlate(plate: SimAxisPlate): void;
  setInput(token: string, active: boolean): void;
  relay(token: string): Readonly<RelayView>;
  /** A technician sets the relays back to their factory state. */
  setBackRelays(): void;
  /** Called whenever a relay is switched on, at once. */
  onOpening(listener: (token: string) => void): () => void;
  stop(): Promise<void>;
}

const UNDERSTOOD = ['Security', 'Action', 'To', 'MessageID', 'ReplyTo', 'SubscriptionId'];
const TOPICS = [
  'tns1:RuleEngine/Recognition/LicensePlate',
  'tns1:Device/Trigger/Relay',
  'tns1:Device/Trigger/DigitalInput',
];
const MAX_BYTES = 256 * 1024;

/** A strict ONVIF device on the loopback interface: a camera that reads plates, with relays and inputs. */
export async function startOnvifDevice(options: OnvifDeviceOptions = {}): Promise<OnvifDeviceSim> {
  const { user = 'hlid', password = 'parking-1' } = options;
  const { logins = ['token', 'digest-md5', 'digest-sha256'] } = options;
  let clockAheadMs = options.clockAheadMs ?? 0;
  const now = () => new Date(Date.now() + clockAheadMs);
  const teller = { now };
  const requests: OnvifRequest[] = [];
  const openingListeners = new Set<(token: string) => void>();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const inputs = new Map((options.inputs ?? ['loop-1']).map((token) => [token, false]));
  const points = createPullPoints({ most: options.maxPullPoints ?? 5, now: () => performance.now() });
  const relays = createRelays(options.relays ?? [{ token: 'relay-1' }], (token, active) => {
    points.notify(relayEvent(teller, token, active));
    if (active) for (const listener of openingListeners) listener(token);
  });
  const login = createLoginCheck({
    user,
    password,
    logins,
    lockAfter: options.lockAfter ?? 5,
    toleranceMs: 5000,
    nonceUses: options.nonceUses ?? Number.POSITIVE_INFINITY,
    now,
  });
  const faults = createFaults();
  const send = (response: ServerResponse, outcome: Outcome) => {
    const bytes = options.answersAs?.(envelopeOf(outcome));
    if (bytes === undefined) sendOutcome(response, outcome);
    else response.socket?.end(bytes);
  };

  function tellStates(only: string): void {
    for (const { token, active } of relays.all())
      points.notify(relayEvent(teller, token, active, true), only);
    for (const [token, active] of inputs) points.notify(inputEvent(teller, token, active, true), only);
  }

  const subscriptions = createSubscriptions({
    ways: {
      addressing: options.addressing ?? 'query',
      pullProlongs: options.pullProlongs ?? true,
      renews: options.renews ?? true,
      topics: options.topics ?? TOPICS,
      lifetimeFormat: options.lifetimeFormat ?? 'any',
      maxWaitMs: options.maxWaitMs ?? Number.POSITIVE_INFINITY,
      maxEvents: options.maxEvents ?? Number.POSITIVE_INFINITY,
    },
    points,
    now,
    address: () => `${base}${PATHS.subscription}`,
    tellStates,
  });

  const urn = `urn:uuid:${randomUUID()}`;
  const perform = createOperations({
    base: () => base,
    urn,
    now,
    relays,
    relaysAt: options.relaysAt ?? 'device',
    withoutRelays: options.withoutRelays ?? 'ter:ActionNotSupported',
    hidesDeviceIo: options.hidesDeviceIo ?? false,
    inputs: () => inputs.size,
    subscriptions,
  });

  function refuseHeader(request: IncomingMessage, header: XmlElement | null): boolean {
    const to = find(header, 'To');
    if (to && to.text !== `${base}${request.url}`) return true;
    return (header?.children ?? []).some(
      (block) =>
        ['1', 'true'].includes(block.attributes['mustUnderstand'] ?? '') && !UNDERSTOOD.includes(block.name),
    );
  }

  async function handle(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const target = request.url ?? '';
    if (request.method === 'GET' && target.startsWith(PATHS.snapshot))
      return answerSnapshot(request, response);
    const root = readXml(text);
    const header = find(root, 'Header');
    const [body] = find(root, 'Body')?.children ?? [];
    const soap =
      request.method === 'POST' &&
      request.headers['content-type']?.startsWith('application/soap+xml') === true &&
      root?.namespace === SOAP;
    const entry: OnvifRequest = { operation: body?.name ?? '', target, by: null, refused: true };
    requests.push(entry);
    if (!soap || !body) return send(response, { fault: 'ter:WellFormed' });
    if (!OPEN_TO_ALL.includes(body.name)) {
      const result = login.check(request, header);
      if (!result.ok) return refuseLogin(response, result.reason);
      entry.by = result.by;
    }
    if (refuseHeader(request, header)) return send(response, { fault: 's:MustUnderstand' });
    const fault = faults.next(body.name);
    if (fault?.kind === 'fault') return send(response, { fault: fault.code ?? 'ter:Action' });
    if (fault && 'acts' in fault && !fault.acts) return cutOff(response, fault.kind, '');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const outcome = await perform(new URL(target, base), header, body, gone.signal);
    entry.refused = 'fault' in outcome;
    if (fault?.kind === 'slow') {
      const timer = setTimeout(() => {
        timers.delete(timer);
        send(response, outcome);
      }, fault.answersAfterMs);
      timers.add(timer);
    } else if (fault) cutOff(response, fault.kind, envelopeOf(outcome));
    else send(response, outcome);
  }

  function refuseLogin(response: ServerResponse, reason: 'none' | 'wrong' | 'locked' | 'stale'): void {
    const challenges = login.challenges(reason === 'stale');
    if (challenges.length > 0) response.setHeader('www-authenticate', challenges);
    send(response, { fault: 'ter:NotAuthorized', status: challenges.length > 0 ? 401 : 400 });
  }

  function answerSnapshot(request: IncomingMessage, response: ServerResponse): void {
    const result = login.check(request, null);
    const known = logins.every((way) => way === 'token');
    const basic = Buffer.from(
      request.headers.authorization?.replace('Basic ', '') ?? '',
      'base64',
    ).toString();
    const byBasic = known && basic === `${user}:${password}`;
    requests.push({
      operation: 'snapshot',
      target: request.url ?? '',
      by: result.ok ? result.by : null,
      refused: !(result.ok || byBasic),
    });
    if (!result.ok && !byBasic) {
      response.setHeader('www-authenticate', known ? ['Basic realm="snapshot"'] : login.challenges(false));
      response.writeHead(401).end();
      return;
    }
    const picture = options.pictureAt?.(request.url ?? '') ?? Buffer.from(TINY_JPEG, 'base64');
    const type = options.snapshotType ?? 'image/jpeg';
    response.writeHead(200, { 'content-type': type, 'content-length': picture.length }).end(picture);
  }

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    });
    request.on('end', () => void handle(request, response, Buffer.concat(chunks).toString('utf8')));
  };
  const server = options.tls ? https.createServer(options.tls, serve) : http.createServer(serve);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const base = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const url = `${base}${PATHS.device}`;
  const discovery = options.discovery
    ? await startDiscovery(
        { port: 0, group: null, host: '127.0.0.1', ...options.discovery },
        { urn, scopes: SCOPES, addresses: () => [url] },
      )
    : null;

  return {
    url,
    port,
    urn,
    discoveryPort: discovery?.port ?? null,
    requests,
    failedLogins: login.failedLogins,
    isLocked: login.isLocked,
    unlock: login.unlock,
    pullPoints: points.count,
    forgetSubscriptions: points.endAll,
    setClockAhead(ms) {
      clockAheadMs = ms;
    },
    tellPlate: (plate) => points.notify(plateEvent(teller, plate)),
    tellAxisPlate: (plate) => points.notify(axisPlateEvent(teller, plate)),
    setInput(token, active) {
      if (inputs.get(token) === active) return;
      inputs.set(token, active);
      points.notify(inputEvent(teller, token, active));
    },
    relay(token) {
      const relay = relays.get(token);
      if (!relay) throw new Error(`the device has no relay ${token}`);
      return relay;
    },
    setBackRelays: relays.setBack,
    onOpening(listener) {
      openingListeners.add(listener);
      return () => {
        openingListeners.delete(listener);
      };
    },
    fail: faults.fail,
    heal: faults.heal,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      relays.stop();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const socket of sockets) socket.destroy();
      points.endAll();
      await Promise.all([closed, discovery?.stop()]);
    },
  };
}
