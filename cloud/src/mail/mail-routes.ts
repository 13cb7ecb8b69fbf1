import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { actorOf } from '../http/actor-of.ts';
import type { CloudContext, CloudEnv } from '../http/cloud-env.ts';
import { notFound, refuse } from '../http/errors.ts';
import { CursorParamSchema, listOf, PAGE_ROWS, readPage } from '../http/list-envelope.ts';
import { IdParamSchema, json, LIST_REFUSALS, READ_REFUSALS, WRITE_REFUSALS } from '../http/route-schemas.ts';
import { createRouter } from '../http/router.ts';
import { seeOther } from '../http/see-other.ts';
import { MailSchema, MailStatusSchema, MailWithTextSchema, mailFrom, mailWithTextFrom } from './mail.ts';
import { countMail, findMail, listMail, type MailRow } from './mail-store.ts';
import { sendAgain } from './send-again.ts';

const tags = ['Mail'];

const listRoute = createRoute({
  method: 'get',
  path: '/mail',
  tags,
  summary: 'Mail that is to go out or went out, newest first',
  request: {
    query: z.strictObject({ status: MailStatusSchema.optional(), next: CursorParamSchema.optional() }),
  },
  responses: { 200: { description: 'Mail', content: json(listOf(MailSchema)) }, ...LIST_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/mail/{id}',
  tags,
  summary: 'One mail with its text',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The mail', content: json(MailWithTextSchema) }, ...READ_REFUSALS },
});

const sendRoute = createRoute({
  method: 'post',
  path: '/mail/{id}/send',
  tags,
  summary: 'Send a mail again',
  request: { params: IdParamSchema },
  responses: { ...seeOther(MailWithTextSchema, 'It waits to go out'), ...WRITE_REFUSALS },
});

export function mailRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const { status, next: cursor } = c.req.valid('query');
      const list = await db.read((q) =>
        readPage(
          { cursor, rows: PAGE_ROWS },
          ({ id, createdAt }: MailRow) => ({ rank: 0, at: createdAt, id }),
          (limit) => listMail(q, status, { cursor, limit }),
          () => countMail(q, status),
        ),
      );
      return c.json({ ...list, data: list.data.map(mailFrom) }, 200);
    })
    .openapi(getRoute, async (c) => {
      const mail = await db.read((q) => findMail(q, c.req.valid('param').id));
      return mail === null ? notFound(c, 'mail') : c.json(mailWithTextFrom(mail), 200);
    })
    .openapi(sendRoute, async (c) => {
      const { id } = c.req.valid('param');
      const queued = await sendAgain(db, actorOf(c, clock), id);
      if (!queued.ok) return refuse(c, 'mail', queued);
      return c.json(mailWithTextFrom(queued.mail), 303, { Location: `/mail/${id}` });
    });
}
