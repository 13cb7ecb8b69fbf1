import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findTakenPorts, readPorts } from './ports.ts';

it('reads ports from the environment, and names every mistake', () => {
  expect(readPorts({ HLID_MQTT_PORT: '0', HLID_EDGE_PORT: '' })).toEqual({
    ok: true,
    ports: { HLID_CLOUD_PORT: 8080, HLID_MQTT_PORT: 0, HLID_EDGE_PORT: 7070, HLID_CAMERA_PORT: 7071 },
  });
  expect(readPorts({ HLID_MQTT_PORT: '70000', HLID_EDGE_PORT: 'x', HLID_CAMERA_PORT: '8080' })).toEqual({
    ok: false,
    mistakes: [
      'HLID_MQTT_PORT is 70000: a port is 0 (any free one) to 65535.',
      'HLID_EDGE_PORT is x: a port is 0 (any free one) to 65535.',
      'HLID_CLOUD_PORT and HLID_CAMERA_PORT are both 8080.',
    ],
  });
});

it('reports which port is taken, and which variable to set', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const free = { HLID_CLOUD_PORT: 0, HLID_EDGE_PORT: 0, HLID_CAMERA_PORT: 0 };
  const [words, ...more] = await findTakenPorts({ ...free, HLID_MQTT_PORT: port });
  expect(words).toContain(`Port ${port}`);
  expect(words).toContain('HLID_MQTT_PORT');
  expect(more).toEqual([]);
  await new Promise((resolve) => server.close(resolve));
  expect(await findTakenPorts({ ...free, HLID_MQTT_PORT: port })).toEqual([]);
});
