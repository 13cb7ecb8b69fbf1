import { describe, expect, it } from 'vitest';
import { Refusal } from '../../calls/refusal.ts';
import type { ReviewCalls, ReviewCase } from './review-calls.ts';
import { ReviewQueue } from './review-queue.ts';

const NOTHING = { causes: [], characters: [], candidates: [], nearby: [] };

function caseOf(id: string): ReviewCase {
  return {
    id,
    siteId: 's1',
    laneId: 'in-1',
    capturedOn: '2026-11-21T08:00:00.000Z',
    url: null,
    plateUrl: null,
    camera: { id: 'c1', name: 'Entrance', location: 'entrance', remoteId: 'cam-in' },
    plate: id,
    plateRaw: id,
    country: null,
    score: 0.5,
    onPlate: 'photo-only',
    claimedUntil: null,
    ...NOTHING,
  };
}

/** A cloud with cases a to f, of which others may have claimed some. */
class Cloud {
  waiting = ['a', 'b', 'c', 'd', 'e', 'f'];
  readonly others = new Set<string>();
  /** Cases that the cloud leaves out because another person has claimed them. */
  readonly claimed = new Set<string>();
  readonly released: string[] = [];
  readonly answers: string[] = [];
  isAway = false;

  readonly calls: ReviewCalls = {
    next: async (count) =>
      this.#reach(() => {
        const free = this.waiting.filter((id) => !this.claimed.has(id));
        return free.slice(0, count).map(caseOf);
      }),
    claim: async (id) =>
      this.#reach(() => {
        if (this.others.has(id)) this.claimed.add(id);
        this.#refuseIf(this.others.has(id));
      }),
    release: async (id) => this.released.push(id),
    answer: async (id, answer, key) =>
      this.#reach(() => {
        if (this.others.has(id)) this.claimed.add(id);
        this.#refuseIf(this.others.has(id));
        if (answer.answer === 'plate' && answer.plate === '') throw new Refusal(400, {}, null);
        this.answers.push(`${id} ${answer.answer} ${key.length}`);
        this.waiting = this.waiting.filter((one) => one !== id);
        return { outcome: 'photo-only', messages: [], codes: [] };
      }),
    undo: async (id) =>
      this.#reach(() => {
        this.waiting = [id, ...this.waiting];
      }),
  };

  #reach<T>(act: () => T): T {
    if (this.isAway) throw Refusal.noAnswer();
    return act();
  }

  #refuseIf(isOthers: boolean): void {
    if (isOthers) throw new Refusal(409, {}, null);
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

async function started(cloud = new Cloud()) {
  const queue = new ReviewQueue(cloud.calls, () => true);
  queue.start();
  await settled();
  return { cloud, queue, ids: () => queue.state().cases.map(({ id }) => id) };
}

describe('ReviewQueue', () => {
  it('holds three cases, shows the next one at once, and fills up behind it', async () => {
    const { queue, ids, cloud } = await started();
    expect(ids()).toEqual(['a', 'b', 'c']);
    queue.answer({ answer: 'none' });
    expect(ids()).toEqual(['b', 'c']);
    await settled();
    expect(ids()).toEqual(['b', 'c', 'd']);
    expect(queue.state().last).toMatchObject({ case: { id: 'a' }, result: { outcome: 'photo-only' } });
    queue.stop();
    expect(cloud.released).toEqual(['b', 'c', 'd']);
  });

  it('leaves out what others claim or answer', async () => {
    const cloud = new Cloud();
    cloud.others.add('a');
    const { queue, ids } = await started(cloud);
    expect(ids()).toEqual(['b', 'c', 'd']);
    // Another person takes the case that is shown, and its answer comes too late.
    cloud.others.add('b');
    queue.answer({ answer: 'plate', plate: 'B' });
    await settled();
    expect(queue.state()).toMatchObject({ isTaken: true, last: null });
    expect(ids()).toEqual(['c', 'd', 'e']);
    cloud.others.add('c');
    queue.renew();
    await settled();
    expect(ids()).toEqual(['d', 'e', 'f']);
    // Answered elsewhere: it does not wait any more.
    cloud.waiting = ['e', 'f'];
    queue.refresh();
    await settled();
    expect(ids()).toEqual(['e', 'f']);
    queue.stop();
  });

  it('keeps answers while there is no connection, and sends them in order', async () => {
    const { queue, ids, cloud } = await started();
    cloud.isAway = true;
    queue.answer({ answer: 'plate', plate: 'A' });
    queue.answer({ answer: 'none' });
    await settled();
    expect(queue.state().unsent).toBe(2);
    expect(ids()).toEqual(['c']);
    cloud.isAway = false;
    queue.retry();
    await settled();
    expect(cloud.answers).toEqual(['a plate 36', 'b none 36']);
    expect(queue.state().unsent).toBe(0);
    expect(ids()).toEqual(['c', 'd', 'e']);
    queue.stop();
  });

  it('undoes the last answer, also one that waits, and shows the case of one that is refused', async () => {
    const { queue, ids, cloud } = await started();
    queue.answer({ answer: 'none' });
    await settled();
    await queue.undo();
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
    cloud.isAway = true;
    queue.answer({ answer: 'none' });
    queue.answer({ answer: 'none' });
    await settled();
    await queue.undo();
    expect(ids()[0]).toBe('b');
    await expect(queue.undo()).rejects.toThrow(Refusal);
    expect(queue.state().unsent).toBe(1);
    cloud.isAway = false;
    queue.answer({ answer: 'plate', plate: '' });
    await settled();
    expect(queue.state().refused).toMatchObject({ id: 'b' });
    expect(ids()[0]).toBe('b');
    queue.stop();
  });
});
