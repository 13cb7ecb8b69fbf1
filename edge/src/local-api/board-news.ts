import type { Clock } from '@hlid/node/clock';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { CameraView } from '../camera/camera-watch.ts';
import type { InstructionView } from '../display/lane-display.ts';
import type { Health } from '../health/health.ts';
import type { DeviceView } from '../health/health-book.ts';
import { SOFTWARE } from '../software.ts';
import type { EventStreams } from './event-streams.ts';
import type { GateView, LaneBoard, LaneView, PassageView, ReadView } from './lane-board.ts';
import type { LinkBoard, LinkView } from './link-view.ts';

/** The site, as far as people at its gates need to know. */
export interface SiteView {
  name: string;
  /** Of the IANA list: times are shown as the clocks there have them. */
  timeZone: string;
}

/** Everything at one moment: the first thing that a reader of the events is told. */
export interface BoardState {
  at: UtcTime;
  software: string;
  site: SiteView;
  lanes: LaneView[];
  cameras: readonly CameraView[];
  devices: readonly DeviceView[];
  /** Null: the site runs without a cloud. */
  link: LinkView | null;
}

/** What `GET /api/events` says, by the name of the event. */
export interface BoardEvents {
  state: BoardState;
  /** A passage that was decided; or decided again, or its gate has answered: the same id. */
  passage: { laneId: string; passage: PassageView };
  gate: { laneId: string; gate: GateView };
  /** Each read of a camera, and each document of it that was refused: for technicians. */
  read: { laneId: string; read: ReadView };
  /** What the driver at a lane is told; null: nobody is there. */
  instruction: { laneId: string; instruction: InstructionView | null };
  link: LinkView;
  /** How all of them are, after something has changed. */
  devices: { devices: readonly DeviceView[] };
  /** Now and then, so that a reader can tell quiet from dead. */
  beat: { at: UtcTime; cameras: readonly CameraView[] };
}

/** The link's numbers move with every event; nobody reads faster than this. */
const LINK_PAUSE_MS = 200;

/** What the news are taken from. */
export interface BoardSources {
  board: LaneBoard;
  /** Null: the site runs without a cloud. */
  link: LinkBoard | null;
  cameras: () => readonly CameraView[];
  health: Pick<Health, 'devices' | 'subscribe'>;
  site: () => SiteView;
  clock: Clock;
}

/** Tells readers what happens on the board. */
export interface BoardNews {
  state(): BoardState;
  stop(): void;
}

export function createBoardNews(sources: BoardSources, streams: EventStreams, beatMs: number): BoardNews {
  const { board, link, cameras, health, site, clock } = sources;
  const now = () => utcTime(clock.now());
  let linkPause: NodeJS.Timeout | null = null;

  function send<Name extends keyof BoardEvents>(name: Name, content: BoardEvents[Name]): void {
    streams.send(name, content);
  }

  // Both are called on a driver's way: nothing more is done there than needed.
  const endings = [
    board.subscribe((news) => {
      if (!streams.anyone()) return;
      if ('passage' in news) send('passage', news);
      else if ('gate' in news) send('gate', news);
      else if ('read' in news) send('read', news);
      else send('instruction', news);
    }),
    health.subscribe(() => {
      if (streams.anyone()) send('devices', { devices: health.devices() });
    }),
    link?.subscribe(() => {
      if (linkPause !== null || !streams.anyone()) return;
      linkPause = setTimeout(() => {
        linkPause = null;
        send('link', link.view());
      }, LINK_PAUSE_MS);
    }),
  ];
  const beat = setInterval(() => {
    if (streams.anyone()) send('beat', { at: now(), cameras: cameras() });
  }, beatMs);

  return {
    state: () => ({
      at: now(),
      software: SOFTWARE,
      site: viewOf(site()),
      lanes: board.lanes(),
      cameras: cameras(),
      devices: health.devices(),
      link: link?.view() ?? null,
    }),
    stop() {
      for (const end of endings) end?.();
      clearInterval(beat);
      if (linkPause !== null) clearTimeout(linkPause);
    },
  };
}

/** A site's settings are nobody's business here. */
function viewOf({ name, timeZone }: SiteView): SiteView {
  return { name, timeZone };
}
