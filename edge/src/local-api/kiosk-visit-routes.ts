import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { DEFAULT_LANGUAGE } from '@hlid/protocol/base/language';
import { millis, type UtcTime, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import {
  KioskCodeOrderSchema,
  type KioskFault,
  type KioskPayLinkOrder,
  KioskPayLinkOrderSchema,
  type KioskSite,
  MAX_ENTRY_SPAN_MS,
} from '@hlid/protocol/pages/kiosk-api';
import { HIDDEN_CHARACTER, readablePlate } from '@hlid/protocol/plate/plate';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import { priceBoard } from '@hlid/protocol/words/price-board';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { disownVisit } from '../lane/disown-visit.ts';
import { MIN_TYPED } from '../payment/find-visits.ts';
import type { KioskParts } from './kiosk-parts.ts';
import { viewDue } from './kiosk-views.ts';
import type { LocalEnv } from './local-env.ts';
import { refuseKiosk, withBody, withValid } from './refusals.ts';

const PlateSchema = z.string().max(40);
const SearchSchema = z.object({ plate: PlateSchema });
const EntriesSchema = z
  .object({ from: UtcTimeSchema, to: UtcTimeSchema })
  // An invalid time passes here: it has a mistake already.
  .refine(({ from, to }) => !(millis(to) - millis(from) > MAX_ENTRY_SPAN_MS), {
    path: ['to'],
    message: 'must be at most two hours after `from`',
  });
const DueSchema = z.object({ plate: PlateSchema.catch('') });
const PlateBodySchema = z.strictObject({ plate: PlateSchema });

type VisitParts = Pick<
  KioskParts,
  | 'site'
  | 'products'
  | 'stays'
  | 'dues'
  | 'finder'
  | 'limit'
  | 'picture'
  | 'payments'
  | 'cloud'
  | 'screen'
  | 'commit'
  | 'clock'
>;

/** The calls of a driver at the kiosk before paying: finding the visit and its price. */
export function kioskVisitRoutes(parts: VisitParts): Hono<LocalEnv> {
  const { stays, finder, limit, commit, clock } = parts;
  return new Hono<LocalEnv>()
    .basePath('/api/kiosk')
    .get('/site', (c) => {
      parts.screen?.polled();
      return c.json(viewSite(parts));
    })
    .get('/visits', (c) =>
      withValid(c, SearchSchema, c.req.query(), ({ plate }) =>
        search(c, parts, (at) => finder.byPlate(plate, stays.inDoubt(at), stays.waiting(at))),
      ),
    )
    .get('/entries', (c) =>
      withValid(c, EntriesSchema, c.req.query(), ({ from, to }) => searchEntries(c, parts, from, to)),
    )
    .get('/visits/:visitId', (c) =>
      withValid(c, DueSchema, c.req.query(), ({ plate }) => due(c, parts, c.req.param('visitId'), plate)),
    )
    .get('/visits/:visitId/picture', (c) => entryPicture(c, parts, c.req.param('visitId')))
    .post('/visits/:visitId/plate', (c) =>
      withBody(c, PlateBodySchema, ({ plate }) => givePlate(c, parts, c.req.param('visitId'), plate)),
    )
    .post('/visits/:visitId/not-mine', (c) =>
      withBody(c, PlateBodySchema, async ({ plate }) => {
        const disowned = { visitId: c.req.param('visitId'), typed: plate };
        const fault = await disownVisit({ stays, commit, clock }, disowned, (at) => limit.allows(at));
        return fault === null ? c.json({}) : refuseKiosk(c, fault);
      }),
    )
    .post('/visits/:visitId/pay-link', (c) =>
      withBody(c, KioskPayLinkOrderSchema, (order) => payLink(c, parts, c.req.param('visitId'), order)),
    )
    .post('/visits/:visitId/code', (c) =>
      withBody(c, KioskCodeOrderSchema, async ({ code, plate }) => {
        const visitId = c.req.param('visitId');
        const fault = parts.cloud === null ? 'wrong-code' : await parts.cloud.acceptCode({ visitId, code });
        return fault === null ? due(c, parts, visitId, plate) : refuseKiosk(c, fault);
      }),
    );
}

function viewSite({ site, products, payments, cloud, screen }: VisitParts): KioskSite {
  const picture = screen?.wantedPicture() ?? null;
  const { name, timeZone, currency, settings } = site();
  const { entryGraceMinutes } = settings;
  const prices = priceBoard(products(), { currency, entryGraceMinutes, channel: 'kiosk' });
  return {
    name,
    timeZone,
    currency,
    terminal: payments && { id: payments.terminalId, connection: payments.status().connection },
    cloudConnected: cloud?.connected() ?? false,
    takesCodes: cloud !== null,
    exitGraceMinutes: settings.exitGraceMinutes,
    helpPhone: settings.helpPhone ?? null,
    payOnline: settings.payOnline ?? null,
    language: settings.language ?? DEFAULT_LANGUAGE,
    entryDays: settings.kioskEntryDays ?? SITE_DEFAULTS.kioskEntryDays,
    ...(prices !== null && { prices }),
    ...(picture !== null && { picture }),
  };
}

/** Searches for visits, within the limit that keeps anyone from trying all plates. */
async function search(
  c: Context<LocalEnv>,
  { commit, limit, clock }: VisitParts,
  find: (at: UtcTime) => object[] | null,
): Promise<Response> {
  const at = utcTime(clock.now());
  if (!(await commit.run(() => limit.allows(at)))) return refuseKiosk(c, 'too-many-requests');
  const visits = find(at);
  if (visits) return c.json({ visits });
  return refuseKiosk(c, 'bad-input', `plate: at least ${MIN_TYPED} letters and digits of it`);
}

/** Searches for visits by their time of entry, as far back as the site allows. */
function searchEntries(
  c: Context<LocalEnv>,
  parts: VisitParts,
  from: UtcTime,
  to: UtcTime,
): Response | Promise<Response> {
  const days = parts.site().settings.kioskEntryDays ?? SITE_DEFAULTS.kioskEntryDays;
  // A day may have 25 hours.
  const earliest = parts.clock.now().getTime() - days * DAY_MS - HOUR_MS;
  if (millis(from) < earliest) return refuseKiosk(c, 'bad-input', `from: at most ${days} days ago`);
  return search(c, parts, () => parts.finder.byEntry(from, to));
}

/** @param typed the plate by which the driver has found the visit */
function due(c: Context<LocalEnv>, parts: VisitParts, visitId: string, typed: string): Response {
  const { dues, finder, site } = parts;
  const at = utcTime(parts.clock.now());
  const found = dues.of(visitId, at);
  if (!found) return refuseKiosk(c, 'not-found');
  const terms = { fee: dues.serviceFee(found, at), times: dues.leavingTimes(found.visit, at), at };
  return c.json(viewDue(found, finder.view(found.visit, typed), site(), terms));
}

/** The driver gives the plate of a visit without a readable one. */
async function givePlate(
  c: Context<LocalEnv>,
  parts: VisitParts,
  visitId: string,
  raw: string,
): Promise<Response> {
  const { visits, book } = parts.stays;
  const plate = readablePlate(raw);
  if (plate === null) return refuseKiosk(c, 'bad-input', 'plate: no car can have this plate');
  const fault = await parts.commit.run((): KioskFault | null => {
    const visit = visits.get(visitId);
    if (!visit) return 'not-found';
    if (visit.endedAt !== null) return 'visit-ended';
    // A driver cannot claim another car's plate, or end another car's visit by it.
    if (visit.plate !== null || visits.openByPlate(plate)) return 'bad-input';
    book.correctPlate(visit, plate, { at: utcTime(parts.clock.now()), by: 'kiosk', reason: 'plate-given' });
    return null;
  });
  if (fault === null) return due(c, parts, visitId, plate);
  if (fault !== 'bad-input') return refuseKiosk(c, fault);
  return refuseKiosk(c, fault, 'plate: the visit has one, or another car with this plate is inside');
}

/** The address at which the driver's phone pays; it shows no more of the plate than the kiosk does. */
async function payLink(
  c: Context<LocalEnv>,
  { stays, finder, cloud, site }: VisitParts,
  visitId: string,
  { plate: typed, language }: KioskPayLinkOrder,
): Promise<Response> {
  const visit = stays.visits.get(visitId);
  if (!visit) return refuseKiosk(c, 'not-found');
  if (!cloud?.connected()) return refuseKiosk(c, 'cloud-away');
  const shown = finder.view(visit, typed).plate ?? '';
  const plateCharacters = [...shown].indexOf(HIDDEN_CHARACTER);
  // The text is in the language that a driver has chosen at the kiosk; else the phone chooses.
  const isChosen = language !== (site().settings.language ?? DEFAULT_LANGUAGE);
  const link = await cloud.payLink({
    visitId,
    plateCharacters: plateCharacters < 0 ? [...shown].length : plateCharacters,
    ...(isChosen && { language }),
  });
  return typeof link === 'string' ? refuseKiosk(c, link) : c.json({ url: link.url });
}

async function entryPicture(c: Context<LocalEnv>, parts: VisitParts, visitId: string): Promise<Response> {
  const visit = parts.stays.visits.get(visitId);
  // Drivers recognise their own car by the picture. It is not shown of a car that has left.
  const readId = visit?.endedAt === null ? visit.entryReadId : null;
  const picture = readId === null ? null : await parts.picture(readId);
  if (!picture) return refuseKiosk(c, 'not-found');
  return c.body(new Uint8Array(picture.bytes), 200, { 'content-type': picture.contentType });
}
