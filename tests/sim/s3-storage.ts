import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * One bucket of an S3-compatible storage, addressed by path: PUT, GET (with `Range`) and DELETE of objects,
 * and a list of them by prefix, two to a page. Strict: it computes the Signature Version 4 of every request
 * by itself, refuses bodies without a signed hash, and answers errors in S3's XML. See
 * docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
 */
export interface S3Storage {
  endpoint: string;
  objects: ReadonlyMap<string, StoredObject>;
  /** Codes of what it refused. */
  refused: readonly string[];
  /** Answers nothing from now on, or again. */
  setSilent(silent: boolean): void;
  close(): Promise<void>;
}

interface StoredObject {
  body: Buffer;
  contentType: string;
}

export interface S3StorageOptions {
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The number of objects in a page, so small that a test goes from page to page. */
const LIST_PAGE = 2;
const MAX_SKEW_MS = 15 * 60_000;

export async function startS3Storage(options: S3StorageOptions): Promise<S3Storage> {
  const objects = new Map<string, StoredObject>();
  const refused: string[] = [];
  let silent = false;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (silent) return;
      const body = Buffer.concat(chunks);
      const code = refusalCode(request, body, options);
      if (code !== null) {
        refused.push(code);
        sendError(response, code === 'MethodNotAllowed' ? 405 : 403, code);
        return;
      }
      serve(request, response, body);
    });
  });

  function serve(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://storage');
    const [bucket = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
    const key = rest.join('/');
    if (bucket !== options.bucket) {
      sendError(response, 404, 'NoSuchBucket');
      return;
    }
    if (key === '' && request.method === 'GET' && searchParams.get('list-type') === '2') {
      sendList(response, [...objects.keys()], searchParams);
      return;
    }
    if (key === '' || search !== '') {
      sendError(response, 501, 'NotImplemented');
      return;
    }
    if (request.method === 'PUT') {
      objects.set(key, { body, contentType: request.headers['content-type'] ?? 'binary/octet-stream' });
      response.writeHead(200, { etag: `"${sha256(body)}"` }).end();
      return;
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    const object = objects.get(key);
    if (object === undefined) {
      sendError(response, 404, 'NoSuchKey');
      return;
    }
    sendObject(request, response, object);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    refused,
    setSilent: (now) => {
      silent = now;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { body, contentType }: StoredObject,
): void {
  const { range } = request.headers;
  if (range === undefined) {
    response.writeHead(200, { 'content-type': contentType, 'content-length': body.length }).end(body);
    return;
  }
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const first = Number(from);
  const last = to === '' ? body.length - 1 : Math.min(Number(to), body.length - 1);
  if (from === '' || first > last) {
    sendError(response, 416, 'InvalidRange');
    return;
  }
  response
    .writeHead(206, {
      'content-type': contentType,
      'content-length': last - first + 1,
      'content-range': `bytes ${first}-${last}/${body.length}`,
    })
    .end(body.subarray(first, last + 1));
}

/** Sends the list in the order of the keys' bytes. */
function sendList(response: ServerResponse, keys: readonly string[], query: URLSearchParams): void {
  const after = query.get('continuation-token') ?? '';
  const found = keys
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const page = found.slice(0, LIST_PAGE);
  const next = found.length > LIST_PAGE ? page.at(-1) : undefined;
  const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult>${page.map((key) => `<Contents><Key>${xml(key)}</Key></Contents>`).join('')}<IsTruncated>${next !== undefined}</IsTruncated>${next === undefined ? '' : `<NextContinuationToken>${xml(next)}</NextContinuationToken>`}</ListBucketResult>`,
    );
}

function sendError(response: ServerResponse, status: number, code: string): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
}

/** The code of S3's refusal, null for a request that is signed right. */
function refusalCode(request: IncomingMessage, body: Buffer, options: S3StorageOptions): string | null {
  const { method = '', headers } = request;
  if (!['PUT', 'GET', 'DELETE'].includes(method)) return 'MethodNotAllowed';
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parts === null) return 'AccessDenied';
  const [, keyId = '', day = '', region = '', signedHeaders = '', signature = ''] = parts;
  if (keyId !== options.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== options.region) return 'AuthorizationHeaderMalformed';
  const date = headerText(headers['x-amz-date']);
  if (!/^\d{8}T\d{6}Z$/.test(date) || !date.startsWith(day)) return 'AccessDenied';
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (Math.abs(Date.now() - Date.parse(iso)) > MAX_SKEW_MS) return 'RequestTimeTooSkewed';
  const names = signedHeaders.split(';');
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !names.includes(name))) return 'AccessDenied';
  const hash = headerText(headers['x-amz-content-sha256']);
  if (method === 'PUT' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  if (method === 'PUT' && headers['content-length'] === undefined) return 'MissingContentLength';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${headerText(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    hash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${options.secretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(toSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
