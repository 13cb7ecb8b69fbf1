import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { createCameraClocks } from './camera/camera-clock.ts';
import { createCameraPush } from './camera/camera-push.ts';
import { createCameraWatch } from './camera/camera-watch.ts';
import { createClockStore } from './camera/clock-store.ts';
import { createOnvifSource } from './camera/onvif-source.ts';
import type { Clock } from './clock.ts';
import { createCloudLink } from './cloud-link/cloud-link.ts';
import { createCommandAge } from './commands/command-age.ts';
import { createCommandDesk } from './commands/command-desk.ts';
import { createCommandStore } from './commands/command-store.ts';
import type { EdgeConfig } from './config.ts';
import { openSiteDb } from './db/site-db.ts';
import { LOG_EVENTS } from './events.ts';
import { createGate } from './gate/gate-kinds.ts';
import { createLocalApi } from './local-api/local-api.ts';
import { makeTechnicianSecret, removeTechnicianKey, writeTechnicianKey } from './local-api/technician-key.ts';
import { createOnvifDevices } from './onvif/onvif-devices.ts';
import { createSiteCore } from './site-core.ts';
import { SOFTWARE } from './software.ts';

/** The edge daemon. */
export interface Edge {
  /** Resolves when cameras are listened to; the cloud need not be there. */
  start(): Promise<{ localUrl: string; cameraUrl: string }>;
  stop(): Promise<void>;
}

/** How often events that the cloud has had for long are looked for. */
const FORGET_EVERY_MS = HOUR_MS;

/** Puts the daemon together: what remembers and decides, then the ways in, then the way to the cloud. */
export function createEdge(config: EdgeConfig, { log, clock }: { log: Logger; clock: Clock }): Edge {
  mkdirSync(config.dataDir, { recursive: true });
  const db = openSiteDb(join(config.dataDir, 'site.sqlite'));
  const { cameras, lanes } = config;

  const clockStore = createClockStore(db);
  const clocks = createCameraClocks(clockStore.load());
  const onvif = createOnvifDevices({ clock, log });
  const gates = new Map(lanes.map((lane) => [lane.id, createGate(lane.gate, { onvif })]));
  const core = createSiteCore({
    config,
    db,
    gates,
    clockBehindMs: clocks.clockBehindMs,
    clock,
    log,
  });
  const { commit, desk, events, feed, board, keeper } = core;
  const commands = createCommandDesk({
    ...{ lanes, keeper, commit, clock, log },
    age: createCommandAge(clock),
    store: createCommandStore(db),
  });

  const watch = createCameraWatch({
    cameras,
    clocks,
    onClockLearned: (beliefs) => {
      commit
        .run(() => clockStore.save(beliefs))
        .catch((err: unknown) => log.error({ event: LOG_EVENTS.cameraClockUnsaved, err }));
    },
    log,
  });
  const { cameraHost: host, cameraPort } = config;
  const { timeZone } = config.site;
  const push = createCameraPush({ cameras, host, port: cameraPort, desk, watch, timeZone, clock, log });
  const onvifSource = createOnvifSource({ cameras, devices: onvif, desk, watch, clock, log });
  const link = config.cloud
    ? createCloudLink({ cloud: config.cloud, events, feed, commands, log, clock, software: SOFTWARE })
    : null;
  const secret = makeTechnicianSecret();
  const localApi = createLocalApi({
    commands,
    secret,
    port: config.edgePort,
    board,
    link,
    cameras: watch.cameras,
    site: core.site,
    checkStorage: () => commit.run(() => clockStore.save(clocks.beliefs())),
    log,
    clock,
  });

  let forgetting: NodeJS.Timeout | undefined;
  async function forgetOld(): Promise<void> {
    let forgotten = 0;
    do {
      forgotten = await events.forgetOld(clock.now());
    } while (forgotten > 0);
  }

  return {
    async start() {
      const { url: localUrl } = await localApi.start();
      writeTechnicianKey(config.dataDir, { url: localUrl, secret });
      for (const gate of gates.values()) gate.start?.();
      onvif.start();
      keeper.start();
      const { url: cameraUrl } = await push.start();
      await link?.start();
      forgetting = setInterval(() => {
        forgetOld().catch((err: unknown) => log.error({ event: LOG_EVENTS.forgettingFailed, err }));
      }, FORGET_EVERY_MS);
      return { localUrl, cameraUrl };
    },
    async stop() {
      clearInterval(forgetting);
      keeper.stop();
      await Promise.all([push.stop(), onvif.stop()]);
      await onvifSource.stop();
      await link?.stop();
      removeTechnicianKey(config.dataDir);
      await localApi.stop();
      // What is still waiting for the disk gets there.
      await commit.run(() => undefined);
      await Promise.all([...gates.values()].map((gate) => gate.stop?.()));
      db.close();
    },
  };
}
