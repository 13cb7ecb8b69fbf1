import { nowUtc } from '@hlid/node/clock';
import { LANGUAGES, LanguageSchema } from '@hlid/protocol/base/language';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import {
  EDGE_PAY_LINK_PATH,
  type EdgePayLink,
  EdgePayLinkSchema,
  PayLinkSchema,
} from '@hlid/protocol/site-link/edge-api';
import { createRoute, z } from '@hono/zod-openapi';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { audit } from '../../people/audit/audit.ts';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS, type OwnRows, ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, errorBody, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { qrSvg } from '../../platform/http/qr-svg.ts';
import { IdParamSchema, json, jsonBody } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { findSite, siteName } from '../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { VISIT_ACTIONS } from '../../stays/visits/visit-actions.ts';
import { InvoiceLinks } from './link/invoice-links.ts';
import { PayLinks } from './link/pay-links.ts';
import { paySign } from './pay-sign.ts';
import { siteGateway, sitePrices } from './pay-site.ts';
import { waysOfSite } from './site-ways-to-pay.ts';

const NO_CARDS = errorBody('Conflict', mistake('no-cards-online'));
const noCards = { 409: refusal('The site takes no cards on the payment page') };

const edgeRoute = createRoute({
  method: 'post',
  path: EDGE_PAY_LINK_PATH,
  tags: ['Edge'],
  summary: 'Create a pay link for a kiosk',
  description: 'The link leads to one stay on the payment page, and expires after an hour.',
  request: { body: jsonBody(EdgePayLinkSchema) },
  responses: {
    200: { description: 'The link', content: json(PayLinkSchema) },
    ...noCards,
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
  },
});

const PayLinkOrderSchema = z
  .strictObject({
    language: LanguageSchema.optional().describe(
      'The language in which the page opens; absent: that of the phone.',
    ),
  })
  .meta({ id: 'PayLinkOrder', example: { language: 'is' } });

const PrintedPayLinkSchema = PayLinkSchema.extend({
  qr: z.string().describe('The link as a QR code, an SVG document.'),
}).meta({ id: 'PrintedPayLink' });

const visitRoute = createRoute({
  method: 'post',
  path: '/visit/{id}/pay-link',
  tags: ['Visits'],
  summary: 'Create a pay link for a letter, a notice or a mail',
  description:
    'The link leads to this stay on the payment page, with its times and its picture, without a plate in the address. ' +
    'The link is a proof by itself. It expires after 60 days. `qr` is the same link for paper. A customer gets one for a ' +
    'stay of its own, and pays by it.',
  request: { params: IdParamSchema, body: jsonBody(PayLinkOrderSchema) },
  responses: {
    200: { description: 'The link, as text and as a QR code', content: json(PrintedPayLinkSchema) },
    ...noCards,
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
  },
});

const invoiceRoute = createRoute({
  method: 'post',
  path: '/invoice/{id}/pay-link',
  tags: ['Invoices'],
  summary: 'Create a link by which an issued invoice is paid by card',
  description:
    'The link leads to the payment page, where all that is open of the invoice is paid. It is a proof by itself, and ' +
    'expires after 400 days. The mail and the document of the invoice have one too.',
  request: { params: IdParamSchema, body: jsonBody(PayLinkOrderSchema) },
  responses: {
    200: { description: 'The link, as text and as a QR code', content: json(PrintedPayLinkSchema) },
    409: refusal('It is paid or taken back, or none of its sites takes cards on the payment page'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
  },
});

const SignQuerySchema = z.strictObject({
  languages: z
    .string()
    .regex(new RegExp(`^(${LANGUAGES.join('|')})(,(${LANGUAGES.join('|')}))*$`))
    .default('is,en')
    .openapi({ description: 'Languages of the text, in order.', example: 'is,en,pl' }),
});

const SVG: string = 'image/svg+xml';

const signRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/pay-sign',
  tags: ['Sites'],
  summary: 'Get a sign with the QR code of the site’s payment page, to print',
  description:
    'An SVG of A4 size in black, for the exit or a kiosk. The code leads to the page of the site, where drivers type their ' +
    'plate; to `payOnline` of the site, if that is set.',
  request: { params: IdParamSchema, query: SignQuerySchema },
  responses: {
    200: { description: 'The sign', content: { [SVG]: { schema: z.string() } } },
    ...REFUSALS.input,
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
  },
});

const WaySchema = z.enum(['works', 'down', 'absent']);
const WaysToPaySchema = z
  .strictObject({
    kiosk: WaySchema,
    online: WaySchema,
    invoices: z.boolean().describe('Owners of cars that left without paying get an invoice.'),
    problem: z
      .enum(['none', 'not-working'])
      .nullable()
      .describe(
        'A driver who owes cannot leave: `none`: the site has prices and no way to pay; `not-working`: no way works now.',
      ),
  })
  .meta({ id: 'WaysToPay' });

const waysRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/ways-to-pay',
  tags: ['Sites'],
  summary: 'Get the ways to pay of a site, and whether one of them works',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'The ways to pay', content: json(WaysToPaySchema) },
    ...REFUSALS.auth,
    ...REFUSALS.notFound,
  },
});

/** Ways to the payment page that people and sites give to drivers: links to a stay, and the sign of a site. */
export function payLinkRoutes(context: CloudContext) {
  const { db, cardGateways, clock, publicUrl } = context;
  const links = new PayLinks(context);
  const invoiceLinks = new InvoiceLinks(context);

  /** The visit and whether its site takes cards; null: there is none. */
  const find = (id: string, siteId: string | null, own: OwnRows) =>
    db.read(async (q) => {
      const visit = await findVisitRow(q, id, own);
      if (visit === null || (siteId !== null && visit.siteId !== siteId)) return null;
      const { settings } = await siteOfVisit(q, visit);
      return { visit, takesCards: siteGateway(cardGateways, settings) !== null };
    });

  return createRouter()
    .openapi(edgeRoute, async (c) => {
      const { visitId, plateCharacters, language }: EdgePayLink = c.req.valid('json');
      const found = await find(visitId, callerOf(c, 'site').siteId, ALL_ROWS);
      if (found === null) return notFound(c, 'visit');
      if (!found.takesCards) return c.json(NO_CARDS, 409);
      return c.json(await links.shown(visitId, plateCharacters, language), 200);
    })
    .openapi(visitRoute, async (c) => {
      const { id } = c.req.valid('param');
      const found = await find(id, null, ownRows(callerOf(c, 'account')));
      if (found === null) return notFound(c, 'visit');
      const why = VISIT_ACTIONS['pay-link'].refuse(found);
      if (why !== null) return conflict(c, why);
      const link = await links.sent(found.visit.id, c.req.valid('json').language);
      const change = { action: 'visit.pay-link', subject: 'visit', subjectId: id, before: null };
      const after = { expiresOn: link.expiresOn };
      await db.write((tx) => audit(tx, actorOf(c, clock), { ...change, after }));
      return c.json({ ...link, qr: qrSvg(link.url) }, 200);
    })
    .openapi(invoiceRoute, async (c) => {
      const { id } = c.req.valid('param');
      const own = ownRows(callerOf(c, 'account'));
      const { language } = c.req.valid('json');
      const invoice = await db.read((q) => findInvoice(q, id, own));
      if (invoice === null) return notFound(c, 'invoice');
      const link = await db.read((q) => invoiceLinks.of(q, id, language));
      if (link === null) return conflict(c, mistake('invoice-not-payable'));
      const change = { action: 'invoice.pay-link', subject: 'invoice', subjectId: id, before: null };
      const after = { expiresOn: link.expiresOn };
      await db.write((tx) => audit(tx, actorOf(c, clock), { ...change, after }));
      return c.json({ ...link, qr: qrSvg(link.url) }, 200);
    })
    .openapi(waysRoute, async (c) => {
      const ways = await db.read(async (q) => {
        const found = await findSite(q, c.req.valid('param').id);
        return found && (await waysOfSite(q, context, found.site));
      });
      return ways === null ? notFound(c, 'site') : c.json(ways, 200);
    })
    .openapi(signRoute, async (c) => {
      const sign = await db.read((q) => signOf(q, c.req.valid('param').id));
      if (sign === null) return notFound(c, 'site');
      const languages = LanguageSchema.array().parse(c.req.valid('query').languages.split(','));
      return c.body(paySign({ ...sign, languages }), 200, { 'Content-Type': SVG });
    });

  async function signOf(q: Queries, id: string) {
    const site = await siteById(q, id);
    if (site === null) return null;
    return {
      name: await siteName(q, id),
      place: [site.settings.address, site.settings.openingHours].filter((line) => line !== undefined),
      url: site.settings.payOnline ?? `${publicUrl()}/pay/${site.code}`,
      prices: await sitePrices(q, site, nowUtc(clock)),
    };
  }
}
