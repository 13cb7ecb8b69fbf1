import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type EventAck, PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { siteTopics, splitTopic } from '@hlid/protocol/site-link/topics';
import { Aedes } from 'aedes';
import { portOf } from './port-of.ts';

/** An MQTT broker with a cloud behind it that accepts a site's messages and stores nothing. */
export interface BenchBroker {
  url: string;
  /** How many messages came on a topic, and the last of them. */
  received(topic: string): { messages: number; last: string };
  stop(): Promise<void>;
}

export async function startBenchBroker(): Promise<BenchBroker> {
  const broker = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const received = new Map<string, { messages: number; last: string }>();
  const committed = new Map<string, number>();

  function publish(topic: string, ack: EventAck): void {
    const payload = Buffer.from(JSON.stringify(ack));
    broker.publish({ cmd: 'publish', qos: 1, dup: false, retain: false, topic, payload }, () => undefined);
  }

  /** Answers like a real cloud that has the events on its disk. */
  function takeFromSite(siteId: string, leaf: string, message: string): void {
    if (leaf !== 'presence' && leaf !== 'up') return;
    const reported: { epoch?: string; events?: { seq: number }[] } = JSON.parse(message);
    const { epoch } = reported;
    if (epoch === undefined) return;
    const newest = reported.events?.at(-1)?.seq ?? committed.get(epoch) ?? 0;
    committed.set(epoch, newest);
    const { upAck } = siteTopics(siteId);
    publish(upAck, { v: PROTOCOL_VERSION, epoch, committed: newest });
  }

  broker.on('publish', ({ topic, payload }, client) => {
    if (!client) return;
    const last = String(payload);
    received.set(topic, { messages: (received.get(topic)?.messages ?? 0) + 1, last });
    const site = splitTopic(topic);
    if (site) takeFromSite(site.siteId, site.leaf, last);
  });

  return {
    url: `mqtt://127.0.0.1:${portOf(server)}`,
    received: (topic) => received.get(topic) ?? { messages: 0, last: '' },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}
