import { createRoute, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { CursorParamSchema, placeByCreation, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { MailSchema, MailStatusSchema, MailWithTextSchema, mailFrom, mailWithTextFrom } from './mail.ts';
import { countMail, findMail, listMail } from './mail-store.ts';
import { sendAgain } from './send-again.ts';

const tags = ['Mail'];

const listRoute = createRoute({
  method: 'get',
  path: '/mail',
  tags,
  summary: 'List queued and sent mail, newest first',
  request: {
    query: z.strictObject({ status: MailStatusSchema.optional(), next: CursorParamSchema.optional() }),
  },
  responses: responses.list(MailSchema, 'Mail'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/mail/{id}',
  tags,
  summary: 'Get a mail with its text',
  request: { params: IdParamSchema },
  responses: responses.read(MailWithTextSchema, 'The mail'),
});

const sendRoute = createRoute({
  method: 'post',
  path: '/mail/{id}/send',
  tags,
  summary: 'Resend a mail',
  request: { params: IdParamSchema },
  responses: responses.write(MailWithTextSchema, 'Queued'),
});

export function mailRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { status, next: cursor } = c.req.valid('query');
      const list = await db.read((q) =>
        readPage(
          { cursor },
          placeByCreation,
          (limit) => listMail(q, status, { cursor, limit }),
          () => countMail(q, status),
        ),
      );
      return c.json({ ...list, data: list.data.map(mailFrom) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const mail = await db.read((q) => findMail(q, c.req.valid('param').id));
      return mail === null
        ? notFound(c, 'mail')
        : c.json(mailWithTextFrom(mail, callerOf(c, 'account')), 200);
    })
    .openapi(sendRoute, async (c) => {
      const { id } = c.req.valid('param');
      const queued = await sendAgain(db, actorOf(c, clock), id);
      if (!queued.ok) return refuse(c, 'mail', queued);
      return c.json(mailWithTextFrom(queued.mail, callerOf(c, 'account')), 303, { Location: `/mail/${id}` });
    });
}
