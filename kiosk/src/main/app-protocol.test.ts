import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAppProtocol } from './app-protocol.ts';

let folder: string;
let edge: Server;
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
let handle: (request: Request) => Promise<Response>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-kiosk-'));
  for (const name of ['page', 'page/assets', 'help']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(folder, 'page/assets/page-x1.js'), 'export {}');
  writeFileSync(join(folder, 'page/notes.txt'), 'not of the page');
  writeFileSync(join(folder, 'page/.env.json'), '{}');
  writeFileSync(join(folder, 'help/help.html'), '<!doctype html><title>help</title>');
  writeFileSync(join(folder, 'secret.json'), '{}');
  asked = [];
  answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
  edge = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(response, request);
    });
  });
  edge.listen(0, '127.0.0.1');
  await once(edge, 'listening');
  handle = createAppProtocol({
    pageFolder: join(folder, 'page'),
    helpFolder: join(folder, 'help'),
    edgeUrl: edgeUrl(),
  });
});

afterEach(() => {
  edge.closeAllConnections();
  edge.close();
  rmSync(folder, { recursive: true });
});

function edgeUrl(): string {
  const address = edge.address();
  if (address === null || typeof address === 'string') throw new Error('The edge does not listen.');
  return `http://127.0.0.1:${address.port}`;
}

const get = (path: string) => handle(new Request(`app://kiosk${path}`));

describe('files', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'page'],
    ['/index.html', 'text/html; charset=utf-8', 'page'],
    ['/assets/page-x1.js', 'text/javascript; charset=utf-8', 'export'],
    ['/help.html', 'text/html; charset=utf-8', 'help'],
  ])('gives out %s', async (path, contentType, content) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
    expect(await response.text()).toContain(content);
  });

  it('says on each what the page may do', async () => {
    const { headers } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    '/nothing.html',
    '/assets',
    '/notes.txt',
    '/.env.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/assets/..%5c..%5csecret.json',
    '/assets//page-x1.js',
    '/index.html%00.js',
    '/assets/',
  ])('has nothing at %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('only reads', async () => {
    const response = await handle(new Request('app://kiosk/index.html', { method: 'POST', body: 'x' }));
    expect(response.status).toBe(405);
  });
});

describe('the edge', () => {
  it('is asked the same, and no more of the request is passed on than it needs', async () => {
    await handle(
      new Request('app://kiosk/api/kiosk/payments?x=1', {
        method: 'POST',
        body: '{"visitId":"v"}',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'k1',
          authorization: 'Bearer x',
          'x-other': 'y',
        },
      }),
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/api/kiosk/payments?x=1',
      body: '{"visitId":"v"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
    });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
    expect(asked[0]?.headers).not.toHaveProperty('x-other');
    expect(asked[0]?.headers.host).toBe(new URL(edgeUrl()).host);
  });

  it('answers in its own words', async () => {
    answer = (response) =>
      response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '7', 'set-cookie': 'a=b' })
        .end('{"code":"too-many-requests","messages":[]}');
    const response = await get('/api/kiosk/visits?plate=ABC');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({ code: 'too-many-requests', messages: [] });
  });

  it('is heard while it goes on speaking', async () => {
    let say: (text: string) => void = () => {};
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      say = (text) => response.write(text);
      say('event: payment\ndata: 1\n\n');
    };
    const response = await get('/api/kiosk/payments/p1/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toContain('data: 1');
    say('event: payment\ndata: 2\n\n');
    expect(await next()).toContain('data: 2');
    await reader?.cancel();
  });

  it('learns that the page listens no more', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      };
    });
    const response = await get('/api/kiosk/payments/p1/events');
    await response.body?.cancel();
    await gone;
  });

  it('gives a failed answer while it is away', async () => {
    edge.close();
    edge.closeAllConnections();
    const response = await get('/api/kiosk/site');
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ code: 'failed' });
  });

  it('leads nowhere else', async () => {
    answer = (response, { url }) =>
      url === '/api/lanes' ? response.end('{}') : response.writeHead(302, { location: '/api/lanes' }).end();
    expect((await get('/api/kiosk/site')).status).toBe(502);
    expect(asked.map(({ url }) => url)).toEqual(['/api/kiosk/site']);
  });

  it.each([
    '/api/lanes',
    '/api/gates',
    '/api/kiosk',
    '/api/kioskx/site',
    '/api/kiosk/../lanes',
    '/api/kiosk/%2e%2e/lanes',
    '/api/kiosk/a%2f..%2f..%2flanes',
    '/api/kiosk/x..y',
  ])('is not asked for %s', async (path) => {
    expect((await get(path)).status).toBe(404);
    expect(asked).toHaveLength(0);
  });

  it('is spared large bodies and other methods', async () => {
    const post = (body: string) =>
      handle(new Request('app://kiosk/api/kiosk/payments', { method: 'POST', body }));
    expect((await post('x'.repeat(16 * 1024 + 1))).status).toBe(413);
    const response = await handle(new Request('app://kiosk/api/kiosk/payments', { method: 'DELETE' }));
    expect(response.status).toBe(405);
    expect(asked).toHaveLength(0);
  });
});
