import { readAppFile } from './app-files.ts';
import { CONTENT_HEADERS } from './content-policy.ts';

/** Calls that go on to the edge; all others of this machine are closed to the page. */
const EDGE_PATH = /^\/api\/kiosk(?:\/[A-Za-z0-9._-]+)+$/;
const TO_EDGE = ['accept', 'content-type', 'idempotency-key', 'last-event-id'];
const FROM_EDGE = ['content-type', 'retry-after', 'cache-control'];
const MAX_BODY_BYTES = 16 * 1024;

/**
 * Answers the page's requests by the shell's own protocol with its files, or with the edge's answer to the
 * same path. So the page, which uses only its own origin, is the same here and at `/kiosk/` of the edge.
 * @param helpFolder the folder of the page that is shown when the other cannot be
 */
export function createAppProtocol(from: {
  pageFolder: string;
  helpFolder: string;
  edgeUrl: string;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith('/api/')) {
      if (!EDGE_PATH.test(pathname) || pathname.includes('..')) return refuse(404);
      if (request.method !== 'GET' && request.method !== 'POST') return refuse(405);
      return askEdge(`${from.edgeUrl.replace(/\/$/, '')}${pathname}${search}`, request);
    }
    if (request.method !== 'GET') return refuse(405);
    const isHelp = pathname.startsWith('/help.');
    const file = await readAppFile(isHelp ? from.helpFolder : from.pageFolder, pathname);
    if (!file) return refuse(404);
    return new Response(file.content, {
      headers: { ...CONTENT_HEADERS, 'content-type': file.contentType, 'cache-control': 'no-store' },
    });
  };
}

async function askEdge(address: string, request: Request): Promise<Response> {
  const body = request.method === 'POST' ? await request.arrayBuffer() : null;
  if (body && body.byteLength > MAX_BODY_BYTES) return refuse(413);
  try {
    const answer = await fetch(address, {
      method: request.method,
      headers: pick(request.headers, TO_EDGE),
      body,
      // An edge's redirect is not followed: requests stay within the page's origin.
      redirect: 'error',
      signal: request.signal,
    });
    const hasBody = answer.status !== 204 && answer.status !== 304;
    return new Response(hasBody ? answer.body : null, {
      status: answer.status,
      headers: { ...CONTENT_HEADERS, ...pick(answer.headers, FROM_EDGE) },
    });
  } catch {
    return refuse(502);
  }
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function refuse(status: 404 | 405 | 413 | 502): Response {
  return Response.json({ code: 'failed', messages: [] }, { status, headers: { ...CONTENT_HEADERS } });
}
