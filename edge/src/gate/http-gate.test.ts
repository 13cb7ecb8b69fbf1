import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createHttpGate, HttpGateSchema } from './http-gate.ts';
import { createSurvisionGate, SurvisionGateSchema } from './survision-gate.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function relay(listener: RequestListener): Promise<string> {
  const server = http.createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function gate(url: string, more: Record<string, unknown> = {}) {
  return createHttpGate(
    HttpGateSchema.parse({ kind: 'http', open: { url: `${url}/open` }, timeoutMs: 300, ...more }),
  );
}

it('sends the configured request, once', async () => {
  const asked: string[] = [];
  const url = await relay((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${request.headers['x-key']} ${body}`);
      response.end('ok');
    });
  });
  const open = { method: 'PUT', url: `${url}/relay/1`, headers: { 'x-key': 'k' }, body: '{"on":1}' };
  expect(await gate(url, { open }).pulse()).toBe('done');
  expect(asked).toEqual(['PUT /relay/1 k {"on":1}']);
});

it('distinguishes refusal, silence and absence', async () => {
  const refusing = await relay((_request, response) => {
    response.writeHead(403).end();
  });
  expect(await gate(refusing).pulse()).toBe('refused');

  let asked = 0;
  const silent = await relay(() => {
    asked++;
  });
  expect(await gate(silent).pulse()).toBe('unknown');
  expect(asked).toBe(1);

  const dropping = await relay((request) => request.socket.destroy());
  expect(await gate(dropping).pulse()).toBe('unknown');

  expect(await gate('http://127.0.0.1:1').pulse()).toBe('unreachable');
});

it('knows that its key or password is not taken, until it is', async () => {
  let status = 401;
  const url = await relay((request, response) => {
    if (status === 0) request.socket.destroy();
    else response.writeHead(status).end();
  });
  const { login, pulse } = gate(url);
  expect(login?.state()).toBe('unknown');
  expect([await pulse(), login?.state()]).toEqual(['refused', 'refused']);
  // A busy device proves nothing about the login.
  status = 503;
  expect([await pulse(), login?.state()]).toEqual(['refused', 'refused']);
  status = 200;
  expect([await pulse(), login?.state()]).toEqual(['done', 'ok']);
  status = 403;
  expect([await pulse(), login?.state()]).toEqual(['refused', 'refused']);
  status = 0;
  expect([await pulse(), login?.state()]).toEqual(['unknown', 'unknown']);
});

it('takes the status for the answer, though the body breaks off', async () => {
  const url = await relay((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  });
  expect(await gate(url).pulse()).toBe('done');
});

it.each([
  ['bare line ends', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
  ['odd bytes in its head', 'HTTP/1.1 200 OK\r\nServer: a\u0001b\r\nContent-Length: 2\r\n\r\nok'],
  [
    'a length and pieces',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
])('takes the answer of a small board, with %s', async (_, answer) => {
  const url = await relay((request) => request.socket.end(answer));
  expect(await gate(url).pulse()).toBe('done');
});

it('releases a bistable relay, also when the opening went unanswered, until it has', async () => {
  const asked: string[] = [];
  let released: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    released = resolve;
  });
  const url = await relay((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/open') return;
    if (asked.length < 3) {
      response.writeHead(500).end();
      return;
    }
    response.end();
    released();
  });
  const release = { url: `${url}/release` };
  const bistable = gate(url, { mode: 'bistable', release, releaseAfterMs: 100 });
  expect(await bistable.pulse()).toBe('unknown');
  await done;
  expect(asked).toEqual(['/open', '/release', '/release']);
});

it('is held open though a pulse was under way, until it is released', async () => {
  const asked: string[] = [];
  const url = await relay((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const release = { url: `${url}/release` };
  const bistable = gate(url, { mode: 'bistable', release, releaseAfterMs: 100 });
  await bistable.pulse();
  expect(await bistable.hold?.()).toBe('done');
  // Another gate's pulse, begun later, has ended by then.
  const other = gate(url, { mode: 'bistable', release: { url: `${url}/other` }, releaseAfterMs: 120 });
  await other.pulse();
  await expect.poll(() => asked).toContain('/other');
  expect(asked).not.toContain('/release');
  expect(await bistable.release?.()).toBe('done');
  expect(asked.at(-1)).toBe('/release');
});

it('leaves no relay on when the program ends, and takes none over that is', async () => {
  const asked: string[] = [];
  const url = await relay((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  const more = { mode: 'bistable', release: { url: `${url}/release` }, releaseAfterMs: 100 };
  const ending = gate(url, { ...more, releaseAfterMs: 60_000 });
  await ending.pulse();
  await ending.stop?.();
  expect(asked).toEqual(['/open', '/release']);
  const begun = gate(url, more);
  begun.start?.();
  await expect.poll(() => asked).toEqual(['/open', '/release', '/release']);
  await begun.stop?.();
});

it('is held and kept closed by requests of its own, where the device knows them', async () => {
  const asked: string[] = [];
  const url = await relay((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  expect([gate(url).hold, gate(url).close, gate(url).release]).toEqual([undefined, undefined, undefined]);
  const able = gate(url, {
    hold: { url: `${url}/hold` },
    close: { url: `${url}/close` },
    release: { url: `${url}/release` },
  });
  await able.hold?.();
  await able.close?.();
  await able.release?.();
  expect(asked).toEqual(['/hold', '/close', '/release']);
  const hold = { url: 'http://a/' };
  expect(HttpGateSchema.safeParse({ kind: 'http', open: hold, hold }).success).toBe(false);
});

it('asks the device how the gate stands', async () => {
  let text = '{"relay":"off"}';
  const url = await relay((_request, response) => {
    response.end(text);
  });
  const asking = gate(url, { state: { url: `${url}/state`, closedPattern: '"off"' } });
  expect(await asking.report?.()).toBe('closed');
  text = '{"relay":"on"}';
  expect(await asking.report?.()).toBe('open');
  expect(
    await gate('http://127.0.0.1:1', {
      state: { url: 'http://127.0.0.1:1/', closedPattern: 'off' },
    }).report?.(),
  ).toBe('unknown');
});

it('wants a release for a bistable relay', () => {
  expect(
    HttpGateSchema.safeParse({ kind: 'http', mode: 'bistable', open: { url: 'http://a/' } }).success,
  ).toBe(false);
});

it('does not take a relay that only accepts connections for one that answers', async () => {
  const silent = await relay(() => undefined);
  expect(await gate(silent).check?.()).toBe('connected');
  const state = { url: `${silent}/state`, closedPattern: 'closed' };
  expect(await gate(silent, { state }).check?.()).toBe('unknown');
  const survision = createSurvisionGate(
    SurvisionGateSchema.parse({ kind: 'survision', url: silent, timeoutMs: 300 }),
  );
  expect(await survision.check?.()).toBe('connected');
  expect(await gate('http://127.0.0.1:1').check?.()).toBe('unreachable');
});
