import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { fetchErrorCause } from '@hlid/node/errors';
import { EDGE_CHANGES_PATH, EDGE_SNAPSHOT_PATH, MAX_CHANGES } from '@hlid/protocol/edge-api';
import { Fault, isFault, messageOf } from '@hlid/protocol/fault';
import type { CloudConfig } from '../config.ts';
import type { ParsedBatch, ParsedLine } from './feed-book.ts';
import { type Answer, getAnswer } from './get-answer.ts';
import { parseChangeBatch, parseSnapshotLine } from './parse-feed.ts';
import { parsePermitLine } from './parse-permit-line.ts';
import { resumeSnapshot, type SnapshotPlace } from './resume-snapshot.ts';

/** What the site asks the cloud for over HTTP. All throw Fault: `link-lost`, `link-refused` or `peer-misbehaved`. */
export interface CloudHttp {
  /** The changes after a number, a page of them; `gone` where the cloud has them no longer. */
  changes(after: number, signal: AbortSignal): Promise<ParsedBatch | 'gone'>;
  /** The lists as they stand, in pieces; with the visits that are open where asked. */
  snapshot(signal: AbortSignal, wanted: { visits: boolean }): AsyncIterable<readonly ParsedLine[]>;
}

export function createCloudHttp(
  cloud: Pick<CloudConfig, 'httpUrl' | 'siteId' | 'secret'>,
  options: {
    /** Without a byte for so long, the cloud is gone. */
    silenceMs?: number;
    /** Between two tries to go on with a snapshot. */
    retry?: { firstMs: number; maxMs: number };
    /** The line broke within a snapshot, which goes on. */
    onBroken?: (reason: Fault) => void;
  } = {},
): CloudHttp {
  const {
    silenceMs = 30_000,
    retry = { firstMs: 1000, maxMs: 30_000 },
    onBroken = () => undefined,
  } = options;
  const authorization = `Bearer ${cloud.siteId}.${cloud.secret}`;

  async function ask(path: string, accept: string, silence: Silence): Promise<Answer> {
    try {
      return await getAnswer(`${cloud.httpUrl}${path}`, { authorization, accept }, silence.signal);
    } catch (error) {
      throw lost(error);
    }
  }

  return {
    async changes(after, signal) {
      const silence = watchSilence(silenceMs, signal);
      try {
        const path = `${EDGE_CHANGES_PATH}?after=${after}&limit=${MAX_CHANGES}`;
        const answer = await ask(path, 'application/json', silence);
        if (answer.status === 410) {
          answer.body.destroy();
          return 'gone';
        }
        return sensible(await json(accepted(answer)));
      } catch (error) {
        throw isFault(error) ? error : lost(error);
      } finally {
        silence.end();
      }
    },

    snapshot(signal, { visits }) {
      const open = (from: SnapshotPlace | null) => snapshotFrom(from, visits, signal);
      return resumeSnapshot(open, { retry, signal, onBroken });
    },
  };

  async function* snapshotFrom(
    from: SnapshotPlace | null,
    visits: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ParsedLine[]> {
    const silence = watchSilence(silenceMs, signal);
    try {
      const query = new URLSearchParams({
        ...(visits && { visits: 'open' }),
        ...(from && { since: String(from.since), kind: from.kind, after: from.id }),
      });
      const answer = await ask(`${EDGE_SNAPSHOT_PATH}?${query}`, 'application/x-ndjson', silence);
      if (answer.status === 410) {
        answer.body.destroy();
        throw new Fault('peer-misbehaved', 'the cloud cannot go on with the snapshot');
      }
      for await (const lines of linesOf(accepted(answer), silence)) yield lines.map(snapshotLine);
    } catch (error) {
      throw isFault(error) ? error : lost(error);
    } finally {
      silence.end();
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

/** The lines that have come whole, as they come. */
async function* linesOf(body: Readable, silence: Silence): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    silence.broken();
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '');
  }
  if (rest !== '') yield [rest];
}

function sensible(document: unknown): ParsedBatch {
  try {
    return parseChangeBatch(document);
  } catch (error) {
    throw new Fault('peer-misbehaved', `the cloud's changes make no sense: ${messageOf(error)}`);
  }
}

function snapshotLine(text: string): ParsedLine {
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

/** A deadline that each sign of life puts off. */
interface Silence {
  signal: AbortSignal;
  broken(): void;
  end(): void;
}

function watchSilence(silenceMs: number, outer: AbortSignal): Silence {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new Fault('deadline-passed', `the cloud was silent for ${silenceMs} ms`));
  }, silenceMs);
  return {
    signal: AbortSignal.any([controller.signal, outer]),
    broken: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
