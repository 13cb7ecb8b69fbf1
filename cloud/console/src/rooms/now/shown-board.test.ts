import type { SiteBoardView } from '@hlid/cloud/integration/live/board-view';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { expect, it } from 'vitest';
import { afterLoss, isFresh, nextBoard, siteNow } from './shown-board.ts';

const utc = (text: string) => UtcTimeSchema.parse(text);
const at = utc('2026-03-02T10:00:00.000Z');
const board = { v: 1 as const, at, lanes: [], waiting: [], zones: [], alarms: [], alerts: [] };
const view = (more: Partial<SiteBoardView> = {}): SiteBoardView => ({
  siteId: 'harbour',
  connected: true,
  since: at,
  receivedOn: at,
  board,
  actions: ['open'],
  ...more,
});
const LATER = utc('2026-03-02T10:00:20.000Z');

it('is fresh until nothing has come for too long', () => {
  const shown = nextBoard(undefined, view(), 1000);
  expect(isFresh(shown, 25_999)).toBe(true);
  expect(isFresh(shown, 26_000)).toBe(false);
  expect(isFresh(nextBoard(shown, view({ receivedOn: LATER }), 21_000), 26_000)).toBe(true);
});

it('keeps the last board of a site that is lost, and shows it as old', () => {
  const shown = nextBoard(undefined, view(), 0);
  const lost = nextBoard(shown, view({ connected: false, board: null, receivedOn: null }), 1);
  expect(lost.board).toBe(board);
  expect(isFresh(lost, 1)).toBe(false);
});

it('is old after the cloud was lost, until another board comes: not by the word that the cloud is back', () => {
  const lost = afterLoss(nextBoard(undefined, view(), 0));
  expect(isFresh(lost, 1)).toBe(false);
  expect(isFresh(nextBoard(lost, view({ board: null, receivedOn: null }), 2), 2)).toBe(false);
  expect(isFresh(nextBoard(lost, view(), 2), 2)).toBe(false);
  expect(isFresh(nextBoard(lost, view({ receivedOn: LATER }), 3), 3)).toBe(true);
});

it('goes by the clock of the site', () => {
  expect(siteNow(board, 5000, 8000)).toBe(Date.parse(at) + 3000);
});
