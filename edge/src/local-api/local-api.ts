import type { Server } from 'node:http';
import { listen, stopListening } from '@hlid/node/listen';
import { utcTime } from '@hlid/protocol/utc-time';
import { createAdaptorServer } from '@hono/node-server';
import type { Logger } from 'pino';
import type { Metrics } from '../health/metrics.ts';
import { healthRoutes } from './health-routes.ts';
import type { KioskApi } from './kiosk-api.ts';
import { type BoardSources, LiveEvents, laneRoutes } from './lane-routes.ts';
import { createApp } from './local-app.ts';
import { servePages } from './pages.ts';
import { type TechnicianParts, technicianRoutes } from './technician-routes.ts';

type LocalApiParts = Omit<BoardSources, 'health'> & {
  port: number;
  health: BoardSources['health'] & TechnicianParts['health'];
  commands: TechnicianParts['commands'];
  payments: TechnicianParts['payments'];
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Absent: drivers cannot pay here. */
  kiosk?: KioskApi;
  /** The technician's key. */
  secret: string;
  /** Writes to the database as passages do; rejects where that fails. */
  checkStorage: () => Promise<unknown>;
  log: Logger;
  beatMs?: number;
};

/**
 * The daemon's own small server, for people and programs on this machine: on the loopback interface only, since plates
 * are personal data. `route-access.ts` lists its routes, and who may call them.
 */
export class LocalApi {
  readonly #port: number;
  readonly #live: LiveEvents;
  readonly #kiosk: KioskApi | undefined;
  readonly #server: Server;

  constructor(parts: LocalApiParts) {
    const { port, kiosk, secret, log, metrics, checkStorage, clock } = parts;
    this.#port = port;
    this.#kiosk = kiosk;
    this.#live = new LiveEvents(parts, parts.beatMs);
    const state = () => this.#live.state();
    const app = createApp(
      [
        healthRoutes({ state, metrics, checkStorage, startedAt: utcTime(clock.now()) }),
        laneRoutes(parts, this.#live),
        technicianRoutes(parts),
        ...(kiosk?.routes ?? []),
      ],
      { secret, pages: servePages(), log },
    );
    // Other parts of the daemon use the global objects too.
    this.#server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  }

  async start(): Promise<{ url: string }> {
    const at = { host: '127.0.0.1', port: this.#port };
    const url = `http://${await listen(this.#server, at, 'HLID_EDGE_PORT')}`;
    this.#live.start();
    this.#kiosk?.start();
    return { url };
  }

  async stop(): Promise<void> {
    this.#live.stop();
    this.#kiosk?.stop();
    await stopListening(this.#server);
  }
}
