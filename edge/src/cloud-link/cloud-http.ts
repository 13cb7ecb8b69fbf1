import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { anySignal } from '@hlid/node/deadline';
import { fetchErrorCause } from '@hlid/node/errors';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import { EDGE_CHANGES_PATH, EDGE_SNAPSHOT_PATH, MAX_CHANGES } from '@hlid/protocol/site-link/edge-api';
import { type Answer, type CloudAccess, requestAsSite } from '../cloud-access/cloud-request.ts';
import type { ParsedBatch, ParsedLine } from '../site-lists/feed-book.ts';
import { parseChangeBatch, parseSnapshotLine } from './parse-feed.ts';
import { parsePermitLine } from './parse-permit-line.ts';
import { resumeSnapshot, type SnapshotPlace } from './resume-snapshot.ts';

interface CloudHttpOptions {
  /** The time without a byte after which the connection counts as lost. */
  silenceMs?: number;
  /** The pause between two attempts to resume a snapshot. */
  retry?: { firstMs: number; maxMs: number };
  /** The connection broke within a snapshot, which is resumed. */
  onBroken?: (reason: Fault) => void;
}

const SILENCE_MS = 30_000;
const RETRY = { firstMs: 1000, maxMs: 30_000 };

/** The site's requests to the cloud over HTTP. All throw Fault: `link-lost`, `link-refused` or `peer-misbehaved`. */
export class CloudHttp {
  readonly #cloud: CloudAccess;
  readonly #options: Required<CloudHttpOptions>;

  constructor(
    cloud: CloudAccess,
    { silenceMs = SILENCE_MS, retry = RETRY, onBroken = () => undefined }: CloudHttpOptions = {},
  ) {
    this.#cloud = cloud;
    this.#options = { silenceMs, retry, onBroken };
  }

  /** The changes after a number, a page of them; `gone` where the cloud has deleted them. */
  async changes(after: number, signal: AbortSignal): Promise<ParsedBatch | 'gone'> {
    const silence = watchSilence(this.#options.silenceMs, signal);
    try {
      const path = `${EDGE_CHANGES_PATH}?after=${after}&limit=${MAX_CHANGES}`;
      const answer = await this.#get(path, 'application/json', silence);
      if (answer.status === 410) {
        answer.body.destroy();
        return 'gone';
      }
      return parseChanges(await json(accepted(answer)));
    } catch (error) {
      throw isFault(error) ? error : lost(error);
    } finally {
      silence.end();
    }
  }

  /** The lists as they are now, in pieces; with the open visits if requested. */
  snapshot(signal: AbortSignal, { visits }: { visits: boolean }): AsyncIterable<readonly ParsedLine[]> {
    const { retry, onBroken } = this.#options;
    const open = (from: SnapshotPlace | null) => this.#snapshotFrom(from, visits, signal);
    return resumeSnapshot(open, { retry, signal, onBroken });
  }

  async *#snapshotFrom(
    from: SnapshotPlace | null,
    visits: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ParsedLine[]> {
    const silence = watchSilence(this.#options.silenceMs, signal);
    try {
      const query = new URLSearchParams({
        ...(visits && { visits: 'open' }),
        ...(from && { since: String(from.since), kind: from.kind, after: from.id }),
      });
      const answer = await this.#get(`${EDGE_SNAPSHOT_PATH}?${query}`, 'application/x-ndjson', silence);
      if (answer.status === 410) {
        answer.body.destroy();
        throw new Fault('peer-misbehaved', 'the cloud cannot go on with the snapshot');
      }
      for await (const lines of linesOf(accepted(answer), silence)) yield lines.map(parseLine);
    } catch (error) {
      throw isFault(error) ? error : lost(error);
    } finally {
      silence.end();
    }
  }

  async #get(path: string, accept: string, silence: Silence): Promise<Answer> {
    try {
      return await requestAsSite(this.#cloud, path, { headers: { accept }, signal: silence.signal });
    } catch (error) {
      throw lost(error);
    }
  }
}

function accepted({ status, body }: Answer): Readable {
  if (status >= 200 && status < 300) return body;
  body.destroy();
  const refused = status === 401 || status === 403;
  throw new Fault(refused ? 'link-refused' : 'link-lost', `the cloud answered ${status}`, {
    details: { status },
  });
}

function lost(error: unknown): Fault {
  return new Fault('link-lost', `the cloud does not answer: ${messageOf(fetchErrorCause(error))}`, {
    cause: error,
  });
}

/** The complete lines, as they arrive. */
async function* linesOf(body: Readable, silence: Silence): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    silence.onData();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '');
  }
  if (rest !== '') yield [rest];
}

function parseChanges(document: unknown): ParsedBatch {
  try {
    return parseChangeBatch(document);
  } catch (error) {
    throw new Fault('peer-misbehaved', `the cloud's changes make no sense: ${messageOf(error)}`);
  }
}

function parseLine(text: string): ParsedLine {
  const permit = parsePermitLine(text);
  if (permit) return permit;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Fault('peer-misbehaved', 'a line of the snapshot is not JSON', { cause: error });
  }
  const line = parseSnapshotLine(json);
  if (line.success) return line.data;
  throw new Fault('peer-misbehaved', `a line of the snapshot makes no sense: ${line.error.message}`);
}

/** A timeout that starts again with all data. */
interface Silence {
  signal: AbortSignal;
  onData(): void;
  end(): void;
}

function watchSilence(silenceMs: number, outer: AbortSignal): Silence {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new Fault('deadline-passed', `the cloud was silent for ${silenceMs} ms`));
  }, silenceMs);
  return {
    signal: anySignal([controller.signal, outer]),
    onData: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
