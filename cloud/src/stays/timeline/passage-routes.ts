import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DecisionReasonSchema } from '@hlid/protocol/records/decision';
import { DirectionSchema } from '@hlid/protocol/records/lane';
import { GateActionSchema, GateOutcomeSchema } from '@hlid/protocol/site-link/site-event';
import { createRoute, z } from '@hono/zod-openapi';
import { askedPeriod } from '../../platform/day-span.ts';
import { ownRows, sitesOf } from '../../platform/http/caller.ts';
import { type CoreContext, callerOf } from '../../platform/http/cloud-env.ts';
import { DayOrMomentSchema, IdSchema, PlateSchema, YesNoSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import { responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { commonTimeZone, siteById } from '../../records/sites/choose-site.ts';
import { countPassages, listPassages, movementsOf, type PassageRow, readsOf } from './passage-list-store.ts';

/** A decision about a car at a lane, as the API shows it. */
const PassageSchema = z
  .strictObject({
    id: z.string().describe('The id of the decision: a car that paid and came back has two in one passage.'),
    passageId: z.string(),
    siteId: z.string(),
    laneId: z.string(),
    direction: DirectionSchema,
    plate: z.string().nullable(),
    visitId: z.string().nullable(),
    open: z.boolean(),
    reason: DecisionReasonSchema,
    on: UtcTimeSchema,
    photoId: z
      .string()
      .nullable()
      .describe('The surest read of the passage, with a picture if there is one.'),
    hasPicture: z.boolean(),
    movements: z
      .array(z.strictObject({ action: GateActionSchema, outcome: GateOutcomeSchema, on: UtcTimeSchema }))
      .describe('The commands to the gate in this passage.'),
  })
  .meta({ id: 'Passage' });

const listRoute = createRoute({
  method: 'get',
  path: '/passages',
  tags: ['Passages'],
  summary: 'List decisions about cars at lanes, newest first',
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      laneId: IdSchema.optional(),
      plate: PlateSchema.optional().describe('The plate or its beginning. Similar plates are found too.'),
      direction: DirectionSchema.optional(),
      open: YesNoSchema.optional(),
      'date.from': DayOrMomentSchema.optional(),
      'date.to': DayOrMomentSchema.optional().describe('A day includes all of it.'),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(PassageSchema, 'Decisions'),
});

export function passageRoutes({ db }: CoreContext) {
  return createRouter().openapi(listRoute, async (c) => {
    const { next: cursor, 'date.from': first, 'date.to': last, ...filters } = c.req.valid('query');
    const own = ownRows(callerOf(c, 'account'));
    const page = await db.read(async (q) => {
      const site = filters.siteId === undefined ? null : await siteById(q, filters.siteId);
      const timeZone = site?.timeZone ?? (await commonTimeZone(q));
      const asked = { ...filters, ...askedPeriod({ first, last }, timeZone), siteIds: sitesOf(own) };
      const found = await readPage(
        { cursor },
        ({ at, id }: PassageRow) => ({ rank: 0, at, id }),
        (limit) => listPassages(q, asked, { cursor, limit }),
        () => countPassages(q, asked),
      );
      const passageIds = found.data.map(({ passageId }) => passageId);
      const [moved, reads] = [await movementsOf(q, passageIds), await readsOf(q, passageIds)];
      const data = found.data.map(({ at, ...same }) => {
        const read = reads.find(({ passageId }) => passageId === same.passageId);
        return {
          ...same,
          on: at,
          photoId: read?.id ?? null,
          hasPicture: (read?.url ?? null) !== null,
          movements: moved
            .filter(({ passageId }) => passageId === same.passageId)
            .map(({ action, outcome, at: on }) => ({ action, outcome, on })),
        };
      });
      return { ...found, data };
    });
    return c.json(page, 200);
  });
}
