import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { requestDevice } from '@hlid/edge/onvif/device-http';
import { readSoapAnswer } from '@hlid/edge/onvif/soap-answer';
import { afterEach, expect, it } from 'vitest';
import { SELF_SIGNED } from './self-signed.ts';

let server: Server | https.Server;
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

/** Requests a server with scripted answers: HTTP as devices write it, not as the standard does. */
async function ask(scheme: 'http' | 'https', more: { selfSigned?: boolean } = {}) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return requestDevice({
    method: 'POST',
    url: `${scheme}://127.0.0.1:${port}/onvif/device_service`,
    headers: {},
    body: '<x/>',
    timeoutMs: 2000,
    selfSigned: more.selfSigned ?? false,
  });
}

const ENVELOPE = `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>
<tds:Answer>In</tds:Answer></s:Body></s:Envelope>`;
const { length } = ENVELOPE;

function answers(text: string): void {
  server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(text));
  });
}

it.each([
  ['as long as it says', `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${ENVELOPE}`],
  ['shorter than it says', `HTTP/1.1 200 OK\r\nContent-Length: ${length + 50}\r\n\r\n${ENVELOPE}`],
  [
    'in pieces, with a length beside',
    `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${ENVELOPE}\r\n0\r\n\r\n`,
  ],
  ['with bare line ends', `HTTP/1.1 200 OK\nContent-Length: ${length}\n\n${ENVELOPE}`],
  ['of old HTTP', `HTTP/1.0 200 OK\r\n\r\n${ENVELOPE}`],
  ['with odd bytes in its head', `HTTP/1.1 200 OK\r\nServer: a\u0001b\r\n\r\n${ENVELOPE}`],
])('accepts an answer %s', async (_, text) => {
  answers(text);
  expect(readSoapAnswer(await ask('http'))).toMatchObject({
    ok: true,
    body: { name: 'Answer', text: 'In' },
  });
});

it.each([
  ['without a head', ENVELOPE, 'it has no status line'],
  ['without a status line', `Content-Type: text/xml\r\n\r\n${ENVELOPE}`, 'it has no status line'],
  ['with another status line', `HTTP 200 OK\r\n\r\n${ENVELOPE}`, 'its status line is not as HTTP has it'],
  ['with a nameless header', `HTTP/1.1 200 OK\r\n: x\r\n\r\n${ENVELOPE}`, 'a line of its head is no header'],
  [
    'with a length that is too small',
    `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n${ENVELOPE}`,
    'it has another length than it says',
  ],
  [
    'with broken chunks',
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${ENVELOPE}`,
    'its chunks are broken',
  ],
])('understands an answer %s, from a device that keeps its connection open too', async (_, text, fault) => {
  for (const keepsOpen of [false, true]) {
    server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (keepsOpen ? socket.write(text) : socket.end(text)));
    });
    const answer = await ask('http');
    expect(answer).toMatchObject({ ok: true, faults: [fault] });
    expect(readSoapAnswer(answer)).toMatchObject({ ok: true, body: { name: 'Answer', text: 'In' } });
    if (!keepsOpen) await new Promise((resolve) => server.close(resolve));
  }
});

it('does not accept half an answer', async () => {
  answers(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${ENVELOPE.slice(0, -20)}`);
  expect(await ask('http')).toMatchObject({ ok: false, reason: 'unknown' });
});

it.each(['Sender not Authorized', 'Authority failure', 'Authentication failed'])(
  'a fault that only says "%s" is a refused login',
  async (words) => {
    const fault = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code>
<s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>${words}</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`;
    answers(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${fault.length}\r\n\r\n${fault}`);
    expect(readSoapAnswer(await ask('http'))).toMatchObject({ reason: 'login-refused', message: words });
  },
);

it.each([
  ['TLSv1.1', true],
  ['TLSv1.1', false],
  ['TLSv1.2', true],
] as const)('speaks %s (self-signed certificate: %s)', async (version, selfSigned) => {
  server = https.createServer(
    { ...SELF_SIGNED, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' },
    (_request, response) => response.end(ENVELOPE),
  );
  server.on('tlsClientError', () => undefined);
  expect(await ask('https', { selfSigned })).toMatchObject({ ok: selfSigned });
});
