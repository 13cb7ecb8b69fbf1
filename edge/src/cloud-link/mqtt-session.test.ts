import net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openSession } from './mqtt-session.ts';

/** MQTT 3.1.1: the types of packets, in the upper half of their first byte. */
const CONNECT = 1;
const SUBSCRIBE = 8;

let broker: net.Server;
afterEach(() => broker.close());

/** A broker that accepts a client and its subscription, and acknowledges no message after that. */
async function startMuteBroker(): Promise<string> {
  broker = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (packet) => {
      const type = (packet[0] ?? 0) >> 4;
      if (type === CONNECT) socket.write(Buffer.from([0x20, 2, 0, 0]));
      if (type === SUBSCRIBE) socket.write(Buffer.from([0x90, 3, packet[2] ?? 0, packet[3] ?? 0, 1]));
    });
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `mqtt://127.0.0.1:${address.port}`;
}

it('ends although the broker acknowledges nothing', async () => {
  const session = await openSession(
    {
      url: await startMuteBroker(),
      clientId: 'site-edge',
      username: 'site',
      password: 'secret',
      will: { topic: 'presence', payload: 'offline' },
      subscriptions: ['down'],
      keepaliveSeconds: 30,
      connectTimeoutMs: 5000,
    },
    new AbortController().signal,
  );
  session.publish('up', 'an event');
  await session.end(50);
  expect(await session.closed).toBe('the connection was closed');
});
