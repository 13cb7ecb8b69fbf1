import { createHash } from 'node:crypto';
import { Fault } from '@hlid/protocol/fault';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../config.ts';
import type { ByteRange, PictureStore, StoredPicture } from './picture-store.ts';

/** Until the storage has begun to answer; a picture that is sent on may take as long as its reader. */
const ANSWER_MS = 10_000;
const RETRIES = 2;

/**
 * Pictures in a bucket of S3-compatible storage, addressed by path (`<endpoint>/<bucket>/<key>`), which every such
 * storage understands. Requests are signed (Signature Version 4), the body with them.
 */
export class S3Pictures implements PictureStore {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #answerMs: number;

  constructor(config: S3Config, { answerMs = ANSWER_MS }: { answerMs?: number } = {}) {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = config;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.#base = `${endpoint}/${encodeURIComponent(bucket)}`;
    this.#answerMs = answerMs;
  }

  async put(key: string, picture: Uint8Array, contentType: string): Promise<void> {
    const hash = createHash('sha256').update(picture).digest('hex');
    const answer = await this.#ask(key, {
      method: 'PUT',
      body: new Uint8Array(picture),
      headers: { 'content-type': contentType, 'x-amz-content-sha256': hash },
    });
    await answer.body?.cancel();
    if (!answer.ok) throw refused('store', answer);
  }

  async get(key: string, range?: ByteRange): Promise<StoredPicture | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` };
    const answer = await this.#ask(key, { method: 'GET', headers });
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

  async delete(key: string): Promise<void> {
    const answer = await this.#ask(key, { method: 'DELETE' });
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== 404) throw refused('erase', answer);
  }

  async #ask(key: string, init: RequestInit): Promise<Response> {
    const slow = new AbortController();
    const timer = setTimeout(
      () => slow.abort(new Fault('deadline-passed', 'the picture storage did not answer in time')),
      this.#answerMs,
    );
    try {
      const path = key.split('/').map(encodeURIComponent).join('/');
      return await this.#client.fetch(`${this.#base}/${path}`, { ...init, signal: slow.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

function refused(what: string, { status }: Response): Fault {
  return new Fault('peer-misbehaved', `the picture storage would not ${what} a picture: ${status}`);
}
