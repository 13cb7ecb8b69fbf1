import type { ServerResponse } from 'node:http';
import type { Clock } from '@hlid/node/clock';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { SOFTWARE } from '../base/software.ts';
import { type SiteBoards, withoutTime } from '../board/site-boards.ts';
import type { CameraView } from '../camera/camera-watch.ts';
import type { LinkBoard, LinkView } from '../cloud-link/link-view.ts';
import type { InstructionView } from '../display/lane-display.ts';
import type { GateView } from '../gate/gate-mode.ts';
import type { DeviceView } from '../health/device-health.ts';
import type { Health } from '../health/health.ts';
import type { LaneStatus, LaneView, ReadView } from '../lane/lane-status.ts';
import type { PassageView } from '../passage/passage-view.ts';
import { EventStream } from './event-stream.ts';
import type { LocalEnv } from './local-env.ts';
import type { AccessPoint } from './on-site-access.ts';
import { refuse } from './refusals.ts';

/** The state of the lanes, for the lanes page and the technician's tools. */
export function laneRoutes(
  { board, health }: BoardSources,
  { live, accessPoint }: { live: LiveEvents; accessPoint: AccessPoint },
): Hono<LocalEnv> {
  return new Hono<LocalEnv>()
    .get('/api/lanes', (c) => c.json({ lanes: board.lanes() }))
    .get('/api/devices', (c) => c.json({ devices: health.devices() }))
    .get('/api/events', (c) => {
      if (c.req.method === 'HEAD') return c.json({});
      if (live.open(c.env.outgoing, accessPoint.viewLeftMs(c))) return RESPONSE_ALREADY_SENT;
      return refuse(c, 503, 'The events have too many readers already.');
    });
}

/** The site, as far as the lane page shows it. */
export interface SiteView {
  name: string;
  /** An IANA time zone, in which times are shown. */
  timeZone: string;
  /** Its cars, devices and money are simulated. */
  training?: true | undefined;
}

/** The board as the lanes page shows it. */
export interface PageBoard extends SiteBoard {
  /** The message to the driver, by lane. */
  more: Record<string, { instruction: InstructionView | null }>;
}

/** The whole state at one moment: the first event that a reader gets. */
export interface BoardState {
  at: UtcTime;
  software: string;
  site: SiteView;
  lanes: LaneView[];
  board: PageBoard;
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  /** Null: the site runs without a cloud. */
  link: LinkView | null;
}

/** The events of `GET /api/events` by name. */
export interface BoardEvents {
  state: BoardState;
  /** All lanes as people see them, after any change. */
  board: PageBoard;
  /** A new decision, a changed one, or the answer of the gate: the last two with the same id. */
  passage: { laneId: string; passage: PassageView };
  gate: { laneId: string; gate: GateView };
  /** Each read of a camera, and each of its documents that was refused: for technicians. */
  read: { laneId: string; read: ReadView };
  /** The instruction on the lane display; null: no car is there. */
  instruction: { laneId: string; instruction: InstructionView | null };
  link: LinkView;
  /** All devices, after one has changed. */
  devices: { devices: readonly DeviceView[] };
  /** Sent at intervals, so that a reader can distinguish a quiet daemon from a dead one. */
  beat: { at: UtcTime; cameras: readonly CameraView[] };
}

/** The sources of the state and its changes. */
export interface BoardSources {
  board: LaneStatus;
  boards: Pick<SiteBoards, 'board' | 'subscribe'>;
  /** Null: the site runs without a cloud. */
  link: LinkBoard | null;
  cameras: () => readonly CameraView[];
  health: Pick<Health, 'devices' | 'subscribe'>;
  site: () => SiteView;
  clock: Clock;
}

/** The numbers of the link change with every event; updates faster than this cannot be read. */
const LINK_PAUSE_MS = 200;
const BEAT_MS = 10_000;

/** Sends changes to all readers of `GET /api/events`. */
export class LiveEvents {
  readonly #sources: BoardSources;
  readonly #beatMs: number;
  readonly #stream = new EventStream();
  #unsubscribes: (() => void)[] = [];
  #lastBoard = '';
  #beat: NodeJS.Timeout | undefined;
  #linkPause: NodeJS.Timeout | undefined;

  constructor(sources: BoardSources, beatMs: number = BEAT_MS) {
    this.#sources = sources;
    this.#beatMs = beatMs;
  }

  start(): void {
    const { board, boards, health, link } = this.#sources;
    // These run while drivers wait: they do no more than is needed.
    this.#unsubscribes = [
      board.subscribe((update) => {
        if (!this.#stream.hasReaders) return;
        if ('passage' in update) this.#send('passage', update);
        else if ('gate' in update) this.#send('gate', update);
        else if ('read' in update) this.#send('read', update);
        else this.#send('instruction', update);
      }),
      boards.subscribe(() => this.#sendBoard()),
      health.subscribe(() => {
        if (this.#stream.hasReaders) this.#send('devices', { devices: health.devices() });
      }),
      ...(link ? [link.subscribe(() => this.#sendLinkSoon(link))] : []),
    ];
    this.#beat = setInterval(() => {
      if (this.#stream.hasReaders) this.#send('beat', { at: this.#now(), cameras: this.#sources.cameras() });
    }, this.#beatMs);
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    clearInterval(this.#beat);
    clearTimeout(this.#linkPause);
    this.#stream.close();
  }

  /** @param maxMs the stream ends after this time; @returns false where there are too many readers */
  open(response: ServerResponse, maxMs: number): boolean {
    if (!this.#stream.open(response, 'state', this.state())) return false;
    if (Number.isFinite(maxMs)) {
      const end = setTimeout(() => response.end(), maxMs).unref();
      response.on('close', () => clearTimeout(end));
    }
    return true;
  }

  state(): BoardState {
    const { board, boards, link, cameras, health, site } = this.#sources;
    // The other settings of the site stay private.
    const { name, timeZone, training } = site();
    return {
      at: this.#now(),
      software: SOFTWARE,
      site: { name, timeZone, ...(training && { training }) },
      lanes: board.lanes(),
      board: this.#pageBoard(boards.board()),
      cameras: cameras(),
      devices: health.devices(),
      link: link?.view() ?? null,
    };
  }

  #sendBoard(): void {
    if (!this.#stream.hasReaders) return;
    const board = this.#pageBoard(this.#sources.boards.board());
    const content = withoutTime(board);
    if (content === this.#lastBoard) return;
    this.#lastBoard = content;
    this.#send('board', board);
  }

  #pageBoard(board: SiteBoard): PageBoard {
    const views = this.#sources.board.lanes();
    const more = board.lanes.map(({ id }) => {
      const instruction = views.find((view) => view.id === id)?.instruction ?? null;
      return [id, { instruction }] as const;
    });
    return { ...board, more: Object.fromEntries(more) };
  }

  #sendLinkSoon(link: LinkBoard): void {
    if (this.#linkPause !== undefined || !this.#stream.hasReaders) return;
    this.#linkPause = setTimeout(() => {
      this.#linkPause = undefined;
      this.#send('link', link.view());
    }, LINK_PAUSE_MS);
  }

  #send<Name extends keyof BoardEvents>(name: Name, content: BoardEvents[Name]): void {
    this.#stream.send(name, content);
  }

  #now(): UtcTime {
    return utcTime(this.#sources.clock.now());
  }
}
