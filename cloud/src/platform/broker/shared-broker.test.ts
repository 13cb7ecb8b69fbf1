import net from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { SharedBroker } from './shared-broker.ts';

/** MQTT 3.1.1: the type of a packet, in the upper half of its first byte. */
const CONNECT = 1;
const SITE = 'b3a5c1a2-6f0e-4c9e-9d57-3f1f0c1f7b11';

let broker: net.Server;
afterEach(() => broker.close());

/** A broker that accepts a client, and acknowledges nothing after that. */
async function startMuteBroker(): Promise<string> {
  broker = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (packet) => {
      if ((packet[0] ?? 0) >> 4 === CONNECT) socket.write(Buffer.from([0x20, 2, 0, 0]));
    });
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const address = broker.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `mqtt://127.0.0.1:${address.port}`;
}

it('stops although the broker acknowledges nothing, and rejects what waits for that', async () => {
  const shared = new SharedBroker({
    url: await startMuteBroker(),
    log: pino({ enabled: false }),
    stopTimeoutMs: 50,
  });
  await shared.start();
  const published = shared.publish(SITE, 'down/head', '{}');
  const outcome = expect(published).rejects.toMatchObject({ code: 'link-lost' });
  await shared.stop();
  await outcome;
});
