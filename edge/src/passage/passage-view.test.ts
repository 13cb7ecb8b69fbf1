import { expect, it, onTestFinished } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { PassageStore } from './passage-store.ts';
import { ShownPassages } from './passage-view.ts';

it.each(['refused', 'unreachable', 'unknown', 'done'] as const)(
  'shows after a restart, too, the command to the gate and its result: %s',
  async (outcome) => {
    const site = createTestSite();
    onTestFinished(site.close);
    await site.permit('ABX12');
    site.gates['in-1'].outcome = outcome;
    await site.read('in-1', 'ABX12');
    // Another process reads the passages from the database.
    const shown = new ShownPassages();
    shown.replace(new PassageStore(site.db, ['in-1'], site.now).recent('in-1'));
    expect(shown.all()).toMatchObject([{ plate: 'ABX12', open: true, gate: outcome }]);
  },
);
