import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import { type LinkBoard, waitingEvents } from '../local-api/link-view.ts';
import { siteWide } from './device-ref.ts';
import type { HealthBook } from './health-book.ts';
import type { HealthSettings } from './health-settings.ts';
import type { HealthStore } from './health-store.ts';
import { linkSign, listsSign, waitingSign } from './site-signs.ts';

const ListsNoteSchema = z.object({ heardAt: z.number() });

/** Reports how site and cloud come together: the line, the lists that come down, the events that go up. */
export interface LinkWatch {
  look(): void;
  /** Keeps what was learned; to be called within a transaction. */
  save(): void;
  /** Milliseconds since the lists were last known to be those of the cloud. */
  listsAgeMs(): number;
}

export function createLinkWatch(parts: {
  book: Pick<HealthBook, 'report'>;
  store: HealthStore;
  /** Null: the site runs without a cloud. */
  link: Pick<LinkBoard, 'view' | 'listsDiffer'> | null;
  settings: HealthSettings;
  /** Milliseconds by the clock of the site. */
  now: () => number;
  /** Milliseconds on a clock that nobody sets. */
  tick: () => number;
}): LinkWatch {
  const { book, store, link, settings, now, tick } = parts;
  let heardAt = store.note('lists', ListsNoteSchema)?.heardAt ?? now();
  const events = createStuckWatch(tick);

  return {
    look() {
      if (!link) return;
      const view = link.view();
      if (view.connected && view.listsTrouble === null) heardAt = now();
      book.report(siteWide('link'), 'link', linkSign(view));
      const maxAgeMs = settings.listsMaxAgeHours * HOUR_MS;
      const lists = listsSign(link.listsDiffer(), now() - heardAt, maxAgeMs);
      book.report(siteWide('lists'), 'age', lists);
      const waiting = waitingEvents(view);
      const stuckMs = events.stuckMs({ waiting, gone: view.acknowledged });
      const maxMs = settings.waitingMaxMinutes * MINUTE_MS;
      book.report(siteWide('outbox'), 'waiting', waitingSign(waiting, stuckMs, maxMs));
    },
    save: () => store.saveNote('lists', { heardAt }),
    listsAgeMs: () => now() - heardAt,
  };
}

/** For how long nothing of what waits has gone. */
function createStuckWatch(tick: () => number) {
  let gone = -1;
  let movedAt = tick();
  return {
    stuckMs(seen: { waiting: number; gone: number }): number {
      if (seen.waiting === 0 || seen.gone !== gone) movedAt = tick();
      gone = seen.gone;
      return tick() - movedAt;
    },
  };
}
