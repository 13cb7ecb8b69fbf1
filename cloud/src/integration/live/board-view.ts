import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { SiteBoardSchema } from '@hlid/protocol/site-link/site-board';
import { z } from '@hono/zod-openapi';
import type { ReceivedBoard } from '../../platform/broker/site-boards.ts';
import type { Queries } from '../../platform/db/db.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { type LaneAction, LaneActionsSchema } from '../../sites/gates/lane-actions.ts';

/** The board of a site as the API shows it. */
export const SiteBoardViewSchema = z
  .strictObject({
    siteId: z.string(),
    connected: z.boolean(),
    /** The time since which it is connected, or not; null: it was never seen. */
    since: UtcTimeSchema.nullable(),
    /** When the board came; null: it has not come yet. */
    receivedOn: UtcTimeSchema.nullable(),
    /** The last that is known of it; null: nothing. */
    board: SiteBoardSchema.nullable(),
    /** The actions of the caller at each lane of the site. */
    actions: LaneActionsSchema,
  })
  .meta({ id: 'SiteBoardView' });
export type SiteBoardView = z.infer<typeof SiteBoardViewSchema>;

export type BoardPresence = Pick<SiteBoardView, 'siteId' | 'connected' | 'since'>;

export async function boardPresence(q: Queries, siteId: string): Promise<BoardPresence> {
  const presence = await readPresence(q, siteId);
  return { siteId, connected: presence?.connected ?? false, since: presence?.since ?? null };
}

export function boardView(
  presence: BoardPresence,
  received: ReceivedBoard | null,
  actions: readonly LaneAction[],
): SiteBoardView {
  return {
    ...presence,
    receivedOn: received?.receivedAt ?? null,
    board: received?.board ?? null,
    actions: [...actions],
  };
}
