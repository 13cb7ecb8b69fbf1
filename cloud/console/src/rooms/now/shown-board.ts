import type { SiteBoardView } from '@hlid/cloud/integration/live/board-view';
import type { SiteBoard } from '@hlid/protocol/site-link/site-board';

/** An act that a person can do at a lane. */
export type LaneAction = SiteBoardView['actions'][number];

/** The board of a site as this page has it. */
export interface ShownBoard {
  siteId: string;
  /** Whether the site is connected to the cloud, and since when. */
  connected: boolean;
  since: string | null;
  /** The last one that came; null: none has. */
  board: SiteBoard | null;
  /** When the cloud got it, by the cloud's clock. */
  receivedOn: string | null;
  actions: readonly LaneAction[];
  /** When it came here; `Date.now()`. */
  cameAt: number;
  /** The connection was lost after it came. */
  isBeforeLoss: boolean;
}

/** A connected site sends its board at least every 20 seconds while a console shows it. */
const OLD_AFTER_MS = 25_000;

/**
 * The board that the page shows after a message. A message without a board, or with the same one, does not
 * make it fresh.
 */
export function nextBoard(
  before: ShownBoard | undefined,
  { siteId, connected, since, board, receivedOn, actions }: SiteBoardView,
  at: number,
): ShownBoard {
  const isNews = board !== null && receivedOn !== before?.receivedOn;
  if (isNews) {
    return { siteId, connected, since, board, receivedOn, actions, cameAt: at, isBeforeLoss: false };
  }
  const kept = before ?? { board, receivedOn, cameAt: at, isBeforeLoss: false };
  return { ...kept, siteId, connected, since, actions };
}

/** The connection to the cloud is lost: boards are old until others come. */
export function afterLoss(shown: ShownBoard): ShownBoard {
  return { ...shown, isBeforeLoss: true };
}

/** Whether the board shows what happens now. */
export function isFresh({ connected, board, cameAt, isBeforeLoss }: ShownBoard, now: number): boolean {
  return connected && board !== null && !isBeforeLoss && now - cameAt < OLD_AFTER_MS;
}

/**
 * The site's present time. Its boards name times by the site's clock, and browsers' clocks are wrong at
 * times.
 */
export function siteNow({ at }: Pick<SiteBoard, 'at'>, cameAt: number, now: number): number {
  return Date.parse(at) + Math.max(0, now - cameAt);
}
