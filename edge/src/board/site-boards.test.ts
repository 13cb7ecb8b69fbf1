import { newId } from '@hlid/node/new-id';
import { type SiteBoard, SiteBoardSchema } from '@hlid/protocol/site-link/site-board';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { BoardSender } from './board-sender.ts';
import { type BoardParts, SiteBoards } from './site-boards.ts';

let site: ReturnType<typeof createTestSite>;
let boards: SiteBoards;
let alarm: ReturnType<BoardParts['health']['devices']> = [];
beforeEach(() => {
  site = createTestSite({ settings: { capacity: 100 } });
  alarm = [];
  boards = new SiteBoards(site.core.context, {
    lanes: site.core.lanes,
    core: site.core,
    configs: [
      { id: 'in-1', zone: 'deck' },
      { id: 'in-2', zone: undefined },
    ],
    pictureOf: ({ readId }) => ({ photoId: readId, picture: 'coming' }),
    health: { devices: () => alarm, subscribe: () => () => undefined },
  });
  boards.start();
});
afterEach(() => {
  boards.stop();
  site.close();
});

const laneOf = (board: SiteBoard, id: string) => board.lanes.find((lane) => lane.id === id);

it('has the car that waits, for what, and what it owes; an idle lane is idle', async () => {
  await site.price(500);
  await site.read('in-1', 'ABX12');
  site.wait(5 * 3_600_000);
  await site.read('out-1', 'ABX12');
  site.wait(60_000);
  const board = SiteBoardSchema.parse(JSON.parse(JSON.stringify(boards.board())));
  expect(laneOf(board, 'out-1')).toMatchObject({
    state: 'waiting',
    car: {
      plate: 'ABX12',
      open: false,
      reason: 'need-payment',
      picture: 'coming',
      due: { amountMinor: 500, currency: 'ISK' },
      enteredAt: '2026-11-21T08:00:00.000Z',
    },
  });
  expect(board.waiting).toEqual(['out-1']);
  expect(laneOf(board, 'in-1')).toMatchObject({ state: 'idle', since: '2026-11-21T08:00:00.000Z' });
  expect(laneOf(board, 'in-2')).toMatchObject({ state: 'idle', since: null, car: null });
  expect(board.zones).toMatchObject([{ id: null, inside: 1, capacity: 100, free: 99 }]);
});

it('counts cars by the lanes of a zone; the only zone without lanes has the others, and of two nothing is known', async () => {
  const add = (id: string, name: string) =>
    site.change({ kind: 'zone', op: 'put', id, item: { id, name, capacity: 10 } });
  await site.read('in-1', 'ABX12');
  await site.read('in-2', 'KLM34');
  await site.read('in-2', 'NOP56');
  await add('deck', 'Deck');
  await add('rest', 'Yard');
  expect(
    boards
      .board()
      .zones.map(({ name, inside }) => [name, inside])
      .slice(1),
  ).toEqual([
    ['Deck', 1],
    ['Yard', 2],
  ]);
  await add('third', 'Roof');
  expect(
    boards
      .board()
      .zones.map(({ name }) => name)
      .slice(1),
  ).toEqual(['Deck']);
});

it('has who set a gate, why and until when, and the alarms', async () => {
  await site.execute({
    id: newId(),
    laneId: 'in-1',
    action: 'hold',
    by: 'account:anna',
    name: 'Anna',
    reasonCode: 'event',
    reason: 'a concert',
    lapseMinutes: 30,
  });
  const since = site.now();
  alarm = [
    {
      kind: 'gate',
      id: 'in-2',
      name: 'Entrance 2',
      state: 'unreachable',
      detail: 'no answer',
      since,
      alarm: true,
    },
  ];
  const board = boards.board();
  expect(laneOf(board, 'in-1')?.gate).toMatchObject({
    state: 'held-open',
    order: {
      mode: 'held-open',
      name: 'Anna',
      reasonCode: 'event',
      note: 'a concert',
      confirmed: true,
      lapsesAt: '2026-11-21T08:30:00.000Z',
    },
  });
  expect(board.alarms).toMatchObject([
    { kind: 'gate', id: 'in-2', name: 'Entrance 2', state: 'unreachable' },
  ]);
});

it('goes to the cloud only while a lease holds, at once and after each change', async () => {
  const sent: SiteBoard[] = [];
  const subscribers = new Set<() => void>();
  const counted = {
    board: () => boards.board(),
    subscribe(listener: () => void) {
      const end = boards.subscribe(listener);
      subscribers.add(listener);
      return () => {
        subscribers.delete(listener);
        end();
      };
    },
  };
  const sender = new BoardSender(counted, 600);
  sender.connected((json) => void sent.push(SiteBoardSchema.parse(JSON.parse(json))));
  await site.read('in-1', 'ABX12');
  expect(sent).toEqual([]);
  sender.leased();
  expect(sent).toHaveLength(1);
  await site.read('in-2', 'MKJ45');
  await expect.poll(() => sent.length).toBe(2);
  expect(laneOf(sent[1] ?? boards.board(), 'in-2')?.car?.plate).toBe('MKJ45');
  // Without a renewal the subscription ends with the lease.
  await expect.poll(() => subscribers.size, { timeout: deadline(5000) }).toBe(0);
});

it('serves the other listeners when a board cannot be made, since the database cannot be read', async () => {
  let notified = 0;
  boards.subscribe(() => {
    throw new Error('database disk image is malformed');
  });
  boards.subscribe(() => notified++);
  boards.changed();
  await expect.poll(() => notified, { timeout: deadline(5000) }).toBe(1);
});
