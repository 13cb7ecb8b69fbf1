import { createRoute, z } from '@hono/zod-openapi';
import { audit } from '../../people/audit/audit.ts';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { REFUSALS, refuse } from '../../platform/http/errors.ts';
import { PlateSchema } from '../../platform/http/input-fields.ts';
import { json } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { erasePlate } from './erase-plate.ts';
import { exportPlate } from './export-plate.ts';
import { PlateExportSchema } from './plate-export.ts';

const tags = ['Privacy'];

const params = z.object({
  plate: PlateSchema.openapi({ param: { name: 'plate', in: 'path' }, example: 'ABX12' }),
});

const ErasedSchema = z
  .strictObject({
    visits: z.int().describe('Stored without their plate.'),
    photos: z.int(),
    whitelist: z.int(),
    vehicles: z.int(),
    passages: z.int(),
    keptInvoices: z
      .int()
      .describe('Bookkeeping law requires them; their retention period removes the names.'),
  })
  .meta({ id: 'ErasedPlate' });

const exportRoute = createRoute({
  method: 'get',
  path: '/privacy/plates/{plate}',
  tags,
  summary: 'Export all data about a plate',
  description:
    "For the vehicle's owner: verify the identity before you give the data away. The export is " + 'audited.',
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
  description: 'Refused, with all reasons, while the vehicle is inside, has an amount due or is in custody.',
  request: { params },
  responses: {
    200: { description: 'The number of erased rows', content: json(ErasedSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
    ...REFUSALS.alreadyThere,
  },
});

export function privacyRoutes(context: CloudContext) {
  const { db, clock } = context;
  return createRouter()
    .openapi(exportRoute, async (c) => {
      const { plate } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const exported = await db.write(async (tx) => {
        await audit(tx, actor, {
          action: 'privacy.export-plate',
          subject: 'plate',
          subjectId: 'exported',
          before: null,
          after: null,
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
