import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { contentDigest } from '@hlid/node/digest';
import { type CommandReply, CommandReplySchema } from '@hlid/protocol/site-link/commands';
import { addToHash, EMPTY_HASH, itemText, takeFromHash } from '@hlid/protocol/site-link/content-hash';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import {
  EventBatchSchema,
  type FeedAck,
  FeedAckSchema,
  type FeedHead,
  type Presence,
  PresenceSchema,
} from '@hlid/protocol/site-link/envelope';
import type { SiteChange } from '@hlid/protocol/site-link/site-change';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { Aedes } from 'aedes';
import { zoneChange } from './lists.ts';

export const SITE = 'site-1';
export const SECRET = 'swordfish';
const topics = siteTopics(SITE);

/** The cloud's part of the protocol, played by hand on a real broker and a real HTTP server. */
export async function startTestCloud() {
  const logs = new Map<string, SiteEvent[]>();
  let epochs: string[] = [];
  const presences: Presence[] = [];
  const feedAcks: FeedAck[] = [];
  const replies: CommandReply[] = [];
  const asked: string[] = [];
  const batches: number[][] = [];
  const feed: SiteChange[] = [];
  const hashes: string[] = [EMPTY_HASH];

  /** The events of an epoch, which is the site's latest from now on where it is new. */
  function logOf(epoch: string): SiteEvent[] {
    const log = logs.get(epoch) ?? [];
    logs.set(epoch, log);
    if (!epochs.includes(epoch)) epochs = [...epochs, epoch];
    return log;
  }

  const cloud = {
    /** The events of the latest epoch. */
    get committed(): SiteEvent[] {
      return logs.get(epochs.at(-1) ?? '') ?? [];
    },
    /** The epochs in the order in which they were first received. */
    epochs: () => epochs,
    /** Another database has spoken for the site. */
    supersede: () => void logOf(randomUUID()),
    presences,
    feedAcks,
    /** Answers to commands. */
    replies,
    /** Paths that were asked for over HTTP. */
    asked,
    /** Numbers of each batch that arrived. */
    batches,
    /** The treatment of the next batch: `lose` neither applies nor answers. */
    onBatch: (_seqs: number[]): 'apply' | 'lose' | 'refuse' | 'hold-answer' => 'apply',
    answersPresence: true,
    /** Changes up to here are no longer to be had one by one. */
    compactedTo: 0,
    httpStatus: 200,
    /** The snapshot ends here and there. */
    cutsSnapshot: false,
    secret: SECRET,
    mqttUrl: '',
    httpUrl: '',
    publish(topic: string, message: unknown, retain = false): void {
      const payload = typeof message === 'string' ? message : JSON.stringify(message);
      broker.publish(
        { cmd: 'publish', qos: 1, dup: false, retain, topic, payload: Buffer.from(payload) },
        () => undefined,
      );
    },
    head(n = feed.length): FeedHead {
      return { v: 1, n, hash: hashes[n] ?? EMPTY_HASH };
    },
    /** Commits changes; the test decides whether the site is notified at once. */
    change(many: number, { push = true, head = true } = {}): void {
      const from = feed.length;
      for (let n = from + 1; n <= from + many; n++) {
        const { change, before } = zoneChange(n, feed);
        feed.push(change);
        let hash = hashes[n - 1] ?? EMPTY_HASH;
        if (before) hash = takeFromHash(hash, digest(before));
        if (change.change.op === 'put') hash = addToHash(hash, digest(change));
        hashes.push(hash);
      }
      if (push) cloud.publish(topics.down, { v: 1, changes: feed.slice(from), head: cloud.head() });
      if (head) cloud.publish(topics.head, cloud.head(), true);
    },
    /** Restores the cloud from a backup: later changes and events are unknown to it. */
    setBack(to: { feed?: number; events?: number }): void {
      feed.length = Math.min(feed.length, to.feed ?? feed.length);
      hashes.length = feed.length + 1;
      const { committed } = cloud;
      committed.length = Math.min(committed.length, to.events ?? committed.length);
    },
    /** A broker that forgets everything: a new one on the same port. */
    async restartBroker(): Promise<void> {
      await stopBroker();
      await startBroker();
    },
    async stop(): Promise<void> {
      await stopBroker();
      server.closeAllConnections();
      server.close();
    },
    stopBroker,
    startBroker,
  };

  let broker: Aedes;
  let mqttServer: net.Server;
  const sockets = new Set<net.Socket>();

  async function startBroker(): Promise<void> {
    broker = await Aedes.createBroker({
      authenticate(_client, username, password, done) {
        const right = username === SITE && String(password) === cloud.secret;
        done(right ? null : Object.assign(new Error('no'), { returnCode: 5 }), right);
      },
    });
    broker.on('publish', (packet, client) => {
      if (client) hear(packet.topic, String(packet.payload));
    });
    mqttServer = net.createServer({ noDelay: true }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      broker.handle(socket);
    });
    mqttServer.listen(Number(new URL(cloud.mqttUrl || 'mqtt://x:0').port || 0), '127.0.0.1');
    await once(mqttServer, 'listening');
    cloud.mqttUrl = `mqtt://127.0.0.1:${portOf(mqttServer)}`;
    cloud.publish(topics.head, cloud.head(), true);
  }

  async function stopBroker(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    const closed = once(mqttServer, 'close');
    mqttServer.close();
    await closed;
    await new Promise<void>((resolve) => broker.close(() => resolve()));
  }

  function hear(topic: string, payload: string): void {
    const message: unknown = JSON.parse(payload);
    if (topic === topics.presence) {
      const presence = PresenceSchema.parse(message);
      presences.push(presence);
      if (presence.online && cloud.answersPresence) greet(presence.epoch);
    } else if (topic === topics.downAck) feedAcks.push(FeedAckSchema.parse(message));
    else if (topic === topics.commandReply) replies.push(CommandReplySchema.parse(message));
    else if (topic === topics.up) hearBatch(message);
  }

  function hearBatch(message: unknown): void {
    const { epoch, events } = EventBatchSchema.parse(message);
    const seqs = events.map(({ seq }) => seq);
    batches.push(seqs);
    const fate = cloud.onBatch(seqs);
    if (fate === 'lose') return;
    const log = logOf(epoch);
    if (fate !== 'refuse' && (seqs[0] ?? 0) <= log.length + 1) {
      log.push(...events.filter(({ seq }) => seq > log.length));
    }
    if (fate !== 'hold-answer') cloud.publish(topics.upAck, { v: 1, epoch, committed: log.length });
  }

  function greet(epoch: string): void {
    const log = logOf(epoch);
    const last = log.at(-1);
    cloud.publish(topics.upAck, {
      v: 1,
      epoch,
      committed: log.length,
      superseded: epochs.at(-1) !== epoch,
      ...(last && { digest: contentDigest(JSON.stringify(last)) }),
    });
  }

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://cloud');
    asked.push(url.pathname);
    if (cloud.httpStatus !== 200) return void response.writeHead(cloud.httpStatus).end();
    if (request.headers.authorization !== `Bearer ${SITE}.${cloud.secret}`)
      return void response.writeHead(401).end();
    if (url.pathname === '/edge/changes') {
      const after = Number(url.searchParams.get('after'));
      if (after < cloud.compactedTo) return void response.writeHead(410).end();
      // Pages are small here, so that there are several.
      const changes = feed.slice(after, after + 10);
      return void response.end(JSON.stringify({ v: 1, changes, head: cloud.head() }));
    }
    const text = snapshotLines()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    const zipped = gzipSync(text);
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' });
    if (!cloud.cutsSnapshot) return void response.end(zipped);
    response.write(zipped.subarray(0, zipped.length / 2), () => response.destroy());
  });

  function snapshotLines(): SnapshotLine[] {
    const zones = new Map<string, SnapshotLine>();
    for (const { change } of feed) {
      if (change.kind !== 'zone') continue;
      if (change.op === 'put') zones.set(change.id, { kind: 'zone', id: change.id, item: change.item });
      else zones.delete(change.id);
    }
    return [{ kind: 'head', ...cloud.head() }, ...zones.values(), { kind: 'end', lines: zones.size }];
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cloud.httpUrl = `http://127.0.0.1:${portOf(server)}`;
  await startBroker();
  return cloud;
}

export type TestCloud = Awaited<ReturnType<typeof startTestCloud>>;

function portOf(server: net.Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('not listening');
  return address.port;
}

function digest({ change }: SiteChange): string {
  if (change.kind !== 'zone' || change.op !== 'put') throw new Error('only zones are in the test lists');
  return contentDigest(itemText('zone', change.id, change.item));
}
