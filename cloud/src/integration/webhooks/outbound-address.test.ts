import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { addressMistake } from './outbound-address.ts';
import { sendSigned } from './send-signed.ts';

it.each([
  'http://books.example/',
  'ftp://books.example/',
  'https://user:pass@books.example/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.0.0.1/',
  'https://2130706433/',
  'https://10.1.2.3/',
  'https://172.31.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'nonsense',
])('%s is refused', (url) => {
  expect(addressMistake(url, false)).not.toBeNull();
});

it.each(['https://books.example/hook', 'https://93.184.216.34/', 'https://[2606:2800:220:1::1]/x?y=z'])(
  '%s is taken',
  (url) => {
    expect(addressMistake(url, false)).toBeNull();
  },
);

it('a name that leads to this machine is found out when it is connected to', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const message = {
    url: `http://localhost:${port}/`,
    secret: 'whsec_AAAA',
    id: 'event_1',
    body: '{}',
    at: new Date(),
  };
  const { signal } = new AbortController();
  const refused = await sendSigned(message, { allowInternal: false, signal });
  expect(refused).toMatchObject({
    ok: false,
    status: null,
    error: expect.stringContaining('internal network'),
  });
  expect(asked).toBe(0);
  expect(await sendSigned(message, { allowInternal: true, signal })).toMatchObject({ ok: true, status: 200 });
  await new Promise((resolve) => server.close(resolve));
});
