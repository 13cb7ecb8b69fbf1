import { expect, it, onTestFinished } from 'vitest';
import { createTestSite } from '../test-site.ts';
import { createPassageBoard } from './passage-board.ts';
import { createPassageStore } from './passage-store.ts';

it.each(['refused', 'unreachable', 'unknown', 'done'] as const)(
  'says after a restart, too, that the gate was told to open and what came of it: %s',
  async (outcome) => {
    const site = createTestSite();
    onTestFinished(site.close);
    await site.permit('ABX12');
    site.gates['in-1'].outcome = outcome;
    await site.read('in-1', 'ABX12');
    // As another process finds it.
    const board = createPassageBoard({
      lanes: [{ id: 'in-1', name: 'In', direction: 'entry' }],
      passages: createPassageStore(site.db, ['in-1'], site.now),
      gateView: site.core.keeper.view,
    });
    expect(board.lanes()[0]?.passages).toMatchObject([{ plate: 'ABX12', open: true, gate: outcome }]);
  },
);
