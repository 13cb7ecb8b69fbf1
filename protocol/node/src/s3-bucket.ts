import { createHash } from 'node:crypto';
import { Fault } from '@hlid/protocol/base/fault';
import { AwsClient } from 'aws4fetch';
import { z } from 'zod';

/** A bucket of any S3-compatible storage, addressed by path. */
export const S3Schema = z.strictObject({
  /** The address without a slash at its end. */
  endpoint: z.url().transform((url) => url.replace(/\/+$/, '')),
  region: z.string().min(1).default('us-east-1'),
  bucket: z.string().min(1),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
});
export type S3Config = z.infer<typeof S3Schema>;

/**
 * The timeout until the storage begins to answer; a body that is passed on may take as long as its reader.
 */
const ANSWER_MS = 10_000;
const RETRIES = 2;

/** The bytes of an object, or part of them: both ends are included. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface StoredObject {
  contentType: string;
  /** The size of the whole object. */
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/**
 * A bucket of S3-compatible storage, addressed by path (`<endpoint>/<bucket>/<key>`), which every such storage
 * understands. Requests are signed (Signature Version 4), the body with them.
 */
export class S3Bucket {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #answerMs: number;

  constructor(config: S3Config, { answerMs = ANSWER_MS }: { answerMs?: number } = {}) {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = config;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.#base = `${endpoint}/${encodeURIComponent(bucket)}`;
    this.#answerMs = answerMs;
  }

  async put(key: string, content: Uint8Array, contentType: string): Promise<void> {
    const hash = createHash('sha256').update(content).digest('hex');
    const answer = await this.#request(pathOf(key), {
      method: 'PUT',
      body: new Uint8Array(content),
      headers: { 'content-type': contentType, 'x-amz-content-sha256': hash },
    });
    await answer.body?.cancel();
    if (!answer.ok) throw refused('store', answer);
  }

  /** @param range within the object; absent: all of it. @returns null where there is none */
  async get(key: string, range?: ByteRange): Promise<StoredObject | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` };
    const answer = await this.#request(pathOf(key), { method: 'GET', headers });
    const wanted = range === undefined ? 200 : 206;
    if (answer.status !== wanted || answer.body === null) {
      await answer.body?.cancel();
      if (answer.status === 404) return null;
      throw refused('read', answer);
    }
    const whole = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
    return {
      contentType: answer.headers.get('content-type') ?? 'application/octet-stream',
      bytes: Number(whole ?? answer.headers.get('content-length')),
      body: answer.body,
    };
  }

  /** No error where there is none. */
  async delete(key: string): Promise<void> {
    const answer = await this.#request(pathOf(key), { method: 'DELETE' });
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== 404) throw refused('delete', answer);
  }

  /** The keys that begin with a text, in their order, as many pages as there are. */
  async *list(prefix: string): AsyncGenerator<string> {
    let after: string | null = null;
    do {
      const next = after === null ? '' : `&continuation-token=${encodeURIComponent(after)}`;
      const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${next}`;
      const answer = await this.#request(query, { method: 'GET' });
      const text = await answer.text();
      if (!answer.ok) throw refused('list', answer);
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield plainText(key);
      const [, token] = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text) ?? [];
      after = token === undefined ? null : plainText(token);
    } while (after !== null);
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const slow = new AbortController();
    const timer = setTimeout(
      () => slow.abort(new Fault('deadline-passed', 'the storage did not answer in time')),
      this.#answerMs,
    );
    try {
      return await this.#client.fetch(`${this.#base}${path}`, { ...init, signal: slow.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

function pathOf(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** The text of an XML element: S3 writes no other entities. */
function plainText(xml: string): string {
  return xml.replace(/&(lt|gt|quot|apos|amp|#\d+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? ''),
  );
}
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function refused(what: string, { status }: Response): Fault {
  return new Fault('peer-misbehaved', `the storage refused to ${what}: ${status}`);
}
