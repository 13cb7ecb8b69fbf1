import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { readCalls, type SystemCall, tracing, tracingProblem } from './system-calls.ts';

const NO_TRACING = tracingProblem();
if (NO_TRACING !== null) console.warn(`Skipped: programs cannot be traced here (${NO_TRACING.trim()}).`);

const folder = mkdtempSync(join(tmpdir(), 'hlid-power-order-'));
const trace = join(folder, 'trace');
let network: Network;
beforeAll(async () => {
  if (NO_TRACING === null) network = await startNetwork({ edgeUnder: tracing(trace) });
});
afterAll(async () => {
  await network?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const LOG = 'site.sqlite-wal';

/** The index of the first flush of the database's log after the log contained these words. */
function durableAt(calls: readonly SystemCall[], words: string): number {
  const written = calls.findIndex(({ file, text }) => file.endsWith(LOG) && text?.includes(words));
  expect(written, `${words} in the database's log`).toBeGreaterThanOrEqual(0);
  const flushed = calls.findIndex(
    ({ file, text }, at) => at > written && file.endsWith(LOG) && text === null,
  );
  expect(flushed, `a flush of the log after ${words}`).toBeGreaterThan(written);
  return flushed;
}

/** The index of the first message with these words to another program; `by`: through this port here. */
function messageAt(calls: readonly SystemCall[], after: number, words: readonly string[], by = ''): number {
  return calls.findIndex(
    ({ file, text }, at) =>
      at >= after &&
      file.startsWith('TCP') &&
      file.includes(by) &&
      words.every((word) => text?.includes(word)),
  );
}

/** Traced, the calls are written down a moment later. */
async function traced(...words: string[]): Promise<SystemCall[]> {
  return waitFor(
    () => {
      const calls = readCalls(trace);
      return messageAt(calls, 0, words) >= 0 && calls;
    },
    { what: `${words.join(', ')} in the trace` },
  );
}

describe.skipIf(NO_TRACING !== null)(
  'a power cut at any moment: nothing was said or done that is not on the disk',
  () => {
    it('stores a visit before it opens the gate, answers the camera and sends the event', async () => {
      const lane = network.lane('in-1');
      const before = lane.openings();
      const begun = readCalls(trace).length;
      await lane.passes('POWER77');
      await lane.opensAfter(before);
      await network.settled();
      const { up } = siteTopics(network.site.siteId);
      const calls = await traced(up, 'POWER77');
      const durable = durableAt(calls, 'POWER77');
      const camera = `:${new URL(network.edge.cameraUrl()).port}->`;
      expect(messageAt(calls, begun, ['HTTP/1.1 200'], camera)).toBeGreaterThan(durable);
      expect(messageAt(calls, begun, ['POST /relay/1/pulse'])).toBeGreaterThan(durable);
      expect(messageAt(calls, begun, [up, 'POWER77'])).toBeGreaterThan(durable);
    });

    it('stores a change of the lists before it acknowledges it', async () => {
      const begun = readCalls(trace).length;
      await network.operator.addPermit('PERMIT77');
      await network.settled();
      const { downAck } = siteTopics(network.site.siteId);
      const calls = await traced(downAck);
      expect(messageAt(calls, begun, [downAck])).toBeGreaterThan(durableAt(calls, 'PERMIT77'));
    });
  },
);
