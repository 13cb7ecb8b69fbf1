import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { audit } from '../audit/audit.ts';
import { actorOf, type CloudContext, type CloudEnv } from '../http/cloud-env.ts';
import { REFUSALS, refuse } from '../http/errors.ts';
import { PlateSchema } from '../http/input-fields.ts';
import { json } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { erasePlate } from './erase-plate.ts';
import { exportPlate } from './export-plate.ts';
import { PlateExportSchema } from './plate-export.ts';

const tags = ['Privacy'];

const params = z.object({
  plate: PlateSchema.openapi({ param: { name: 'plate', in: 'path' }, example: 'ABX12' }),
});

const ErasedSchema = z
  .strictObject({
    visits: z.int().describe('Kept without their plate.'),
    photos: z.int(),
    whitelist: z.int(),
    vehicles: z.int(),
    passages: z.int(),
    keptInvoices: z.int().describe('Bookkeeping law asks for them; their clock takes the names off.'),
  })
  .meta({ id: 'ErasedPlate' });

const exportRoute = createRoute({
  method: 'get',
  path: '/privacy/plates/{plate}',
  tags,
  summary: 'Export all data about a plate',
  description:
    'For the person whose vehicle it is: see that it is, before you hand it out. The reading is audited.',
  request: { params },
  responses: {
    200: { description: 'It', content: json(PlateExportSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const eraseRoute = createRoute({
  method: 'delete',
  path: '/privacy/plates/{plate}',
  tags,
  summary: 'Erase all data about a plate, except bookkeeping records',
  description:
    'Refused, with all that stands in its way, while the vehicle is inside, owes something or is in custody.',
  request: { params },
  responses: {
    200: { description: 'How much was erased', content: json(ErasedSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
    ...REFUSALS.alreadyThere,
  },
});

export function privacyRoutes(context: CloudContext): OpenAPIHono<CloudEnv> {
  const { db, clock } = context;
  return createRouter()
    .openapi(exportRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const exported = await db.write(async (tx) => {
        await audit(tx, actor, {
          action: 'privacy.export-plate',
          ...{ subject: 'plate', subjectId: 'exported' },
          ...{ before: null, after: null },
        });
        return await exportPlate(tx.q, plate);
      });
      return c.json(exported, 200);
    })
    .openapi(eraseRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const done = await erasePlate(context, actorOf(c, clock), plate);
      return done.ok ? c.json(done.erased, 200) : refuse(c, 'plate', done);
    });
}
