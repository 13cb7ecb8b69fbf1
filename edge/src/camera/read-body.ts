import type { IncomingMessage } from 'node:http';
import { isPacked } from '@hlid/node/unpack-document';
import { DocumentCollector } from '@hlid/protocol/camera/document-collector';
import type { Shortening } from '@hlid/protocol/plate/plate-read';
import type { BodyLimits, ByteBudget } from './body-limits.ts';

/**
 * The memory for the documents of all cameras. Each has a share: what one sends slowly, or too much of, keeps no other
 * out.
 */
export interface CameraBudgets {
  /** The memory for a document of that camera; null: it has as many documents under way as it may. */
  enter(cameraId: string): ByteBudget | null;
  leave(cameraId: string): void;
}

export function createCameraBudgets(limits: {
  maxOpenBytes: number;
  maxCameraBytes: number;
  maxCameraDocuments: number;
}): CameraBudgets {
  const all = createByteBudget(limits.maxOpenBytes);
  const cameras = new Map<string, { documents: number; budget: ByteBudget }>();
  return {
    enter(cameraId) {
      const camera = cameras.get(cameraId) ?? {
        documents: 0,
        budget: createByteBudget(limits.maxCameraBytes, all),
      };
      if (camera.documents >= limits.maxCameraDocuments) return null;
      camera.documents++;
      cameras.set(cameraId, camera);
      return camera.budget;
    },
    leave(cameraId) {
      const camera = cameras.get(cameraId);
      if (camera !== undefined) camera.documents--;
    },
  };
}

/** @param outer of which it is a part */
function createByteBudget(maxBytes: number, outer?: ByteBudget): ByteBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > maxBytes || outer?.take(bytes) === false) return false;
      taken += bytes;
      return true;
    },
    giveBack(bytes) {
      taken -= bytes;
      outer?.giveBack(bytes);
    },
  };
}

export type BodyRead =
  | { ok: true; body: Uint8Array; shortening: Shortening | null; bytes: number }
  /** `bytes` had come until then. */
  | { ok: false; reason: 'too-large' | 'no-memory' | 'cut-off'; bytes: number };

/** Reads a request's body. Never throws; after a refusal nothing more is read here. The memory is given back. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, maxSentBytes }: BodyLimits,
  budget: ByteBudget,
): Promise<BodyRead> {
  return new Promise((resolve) => {
    const collector = new DocumentCollector(maxBytes);
    let bytes = 0;
    let reserved = 0;
    // A packed document is limited to `maxBytes`: no picture can be left out of it.
    let most = maxSentBytes;

    let settled = false;
    const settle = (result: BodyRead) => {
      settled = true;
      budget.giveBack(reserved);
      resolve(result);
    };
    const refuse = (reason: 'too-large' | 'no-memory' | 'cut-off') => {
      if (settled) return;
      request.pause().off('data', onData);
      settle({ ok: false, reason, bytes });
    };
    const onData = (chunk: Buffer) => {
      if (bytes === 0 && isPacked(chunk)) most = maxBytes;
      bytes += chunk.length;
      if (bytes > most) return refuse('too-large');
      const more = Math.min(bytes, maxBytes) - reserved;
      if (!budget.take(more)) return refuse('no-memory');
      reserved += more;
      collector.add(chunk);
    };
    const onEnd = () => {
      if (!settled) settle({ ok: true, ...collector.finish(), bytes });
    };
    const onCutOff = () => refuse('cut-off');
    // Left in place when all is read: taking them off again costs more than their doing nothing.
    request.on('data', onData).on('end', onEnd).on('close', onCutOff).on('error', onCutOff);
  });
}
