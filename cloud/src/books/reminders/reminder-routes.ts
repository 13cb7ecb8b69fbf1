import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import { InvoiceLinks } from '../../paying/pay/link/invoice-links.ts';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, refuse } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { CursorParamSchema, readPage } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { changeTerms, deliverReminder, shownTerms } from './change-reminders.ts';
import { nextReminder } from './next-reminder.ts';
import {
  DeliverySchema,
  InvoiceRemindersSchema,
  ListedReminderSchema,
  ReminderStateSchema,
  ReminderTermsSchema,
  SiteRemindersSchema,
  WholeReminderSchema,
} from './reminder.ts';
import { readReminded } from './reminder-facts.ts';
import { reminderLetter } from './reminder-letter.ts';
import { letterParts } from './reminder-run.ts';
import { countReminders, findReminder, listReminders, placeByCreation } from './reminder-store.ts';
import { reminderFrom, withNextSteps } from './shown-reminders.ts';

const tags = ['Reminders'];

const termsRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/reminders',
  tags,
  summary: 'Get how a site reminds of unpaid invoices',
  request: { params: IdParamSchema },
  responses: responses.read(SiteRemindersSchema, 'Its terms'),
});

const changeTermsRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/reminders',
  tags,
  summary: 'Set how a site reminds of unpaid invoices',
  description:
    'Off until it is set. Act 95/2008: one warning after the last day to pay, then at least ten days before the next step. ' +
    'Charges are those of regulation 37/2009 at most, before VAT. An invoice of several sites is reminded of where each of ' +
    'them does, by the gentlest of their terms.',
  request: { params: IdParamSchema, body: jsonBody(ReminderTermsSchema) },
  responses: responses.write(SiteRemindersSchema, 'Set'),
});

const listRoute = createRoute({
  method: 'get',
  path: '/reminders',
  tags,
  summary: 'List reminders, newest first, with the next step of their invoices',
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      state: ReminderStateSchema.optional(),
      next: CursorParamSchema.optional(),
    }),
  },
  responses: responses.list(ListedReminderSchema, 'Reminders'),
});

const ofInvoiceRoute = createRoute({
  method: 'get',
  path: '/invoice/{id}/reminders',
  tags,
  summary: 'Get the reminders of an invoice, and the next one',
  description: 'While somebody contests the invoice there is none, and the answer begins the time again.',
  request: { params: IdParamSchema },
  responses: responses.read(InvoiceRemindersSchema, 'Its reminders'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/reminder/{id}',
  tags,
  summary: 'Get a reminder with its letter',
  request: { params: IdParamSchema },
  responses: responses.read(WholeReminderSchema, 'The reminder'),
});

const deliverRoute = createRoute({
  method: 'post',
  path: '/reminder/{id}/deliver',
  tags,
  summary: 'Note that a person has delivered a reminder',
  description:
    'One without an address, or whose mail came back. A mail that was sent counts by itself. The charge of a reminder is an ' +
    'invoice of its own, and is made now unless its invoice was paid or contested meanwhile.',
  request: { params: IdParamSchema, body: jsonBody(DeliverySchema) },
  responses: responses.write(WholeReminderSchema, 'The reminder'),
});

/** Reminders of unpaid invoices. */
export function reminderRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl' | 'cardGateways'>) {
  const { db, clock } = context;
  const links = new InvoiceLinks(context);
  const show = async (id: string, at: UtcTime) => {
    await links.prepare();
    return await db.read(async (q) => {
      const found = await findReminder(q, id);
      if (found === null) return null;
      const reminded = await readReminded(q, found.invoiceId, at);
      const letter = reminded && reminderLetter(await letterParts(q, reminded, found, links));
      return { ...reminderFrom(found), letter };
    });
  };
  return createRouter()
    .openapi(termsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const shown = await db.read(async (q) =>
        (await siteById(q, id)) === null ? null : await shownTerms(q, id),
      );
      return shown === null ? notFound(c, 'site') : c.json(shown, 200);
    })
    .openapi(changeTermsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await changeTerms(context, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'site', changed);
      const shown = await db.read((q) => shownTerms(q, id));
      return c.json(shown, 303, { Location: `/sites/${id}/reminders` });
    })
    .openapi(listRoute, async (c) => {
      const { next: cursor, ...filters } = c.req.valid('query');
      const own = ownRows(callerOf(c, 'account'));
      const { at } = actorOf(c, clock);
      const list = await db.read(async (q) => {
        const found = await readPage(
          { cursor },
          placeByCreation,
          (limit) => listReminders(q, filters, own, { cursor, limit }),
          () => countReminders(q, filters, own),
        );
        return { ...found, data: await withNextSteps(q, found.data, at) };
      });
      return c.json(list, 200);
    })
    .openapi(ofInvoiceRoute, async (c) => {
      const { id } = c.req.valid('param');
      const { isThere, reminded } = await db.read(async (q) => ({
        isThere: (await invoiceById(q, id)) !== null,
        reminded: await readReminded(q, id, actorOf(c, clock).at),
      }));
      if (!isThere) return notFound(c, 'invoice');
      if (reminded === null) return c.json({ next: null, stopped: null, reminders: [] }, 200);
      const { terms, facts, reminders } = reminded;
      const next = nextReminder(terms, facts);
      const shown = reminders.map(reminderFrom);
      if (next.kind === 'none') return c.json({ next: null, stopped: next.why, reminders: shown }, 200);
      const { step, on, charge } = next;
      return c.json({ next: { step, on, charge }, stopped: null, reminders: shown }, 200);
    })
    .openapi(getRoute, async (c) => {
      const shown = await show(c.req.valid('param').id, actorOf(c, clock).at);
      return shown === null ? notFound(c, 'reminder') : c.json(shown, 200);
    })
    .openapi(deliverRoute, async (c) => {
      const { id } = c.req.valid('param');
      const actor = actorOf(c, clock);
      const noted = await deliverReminder(context, actor, id, c.req.valid('json').deliveredOn);
      if (!noted.ok) return refuse(c, 'reminder', noted);
      const shown = await show(id, actor.at);
      if (shown === null) return notFound(c, 'reminder');
      return c.json(shown, 303, { Location: `/reminder/${id}` });
    });
}
