import { mistakeLines } from '@hlid/protocol/base/mistakes/mistake-words';
import { NoteSchema } from '@hlid/protocol/base/typed-text';
import { GateReasonSchema } from '@hlid/protocol/records/gate-reason';
import { MAX_LAPSE_MINUTES } from '@hlid/protocol/records/gate-times';
import { type Context, Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LOG_EVENTS } from '../base/events.ts';
import type { GateCommands } from '../commands/gate-commands.ts';
import type { Pictures } from '../picture/pictures.ts';
import type { KioskApi } from './kiosk-api.ts';
import type { LocalEnv } from './local-env.ts';
import { type AccessPoint, SESSION_COOKIE, sessionOf } from './on-site-access.ts';
import { readJson, refuse } from './refusals.ts';
import { CODE_FAULTS } from './technician-routes.ts';

const why = { reasonCode: GateReasonSchema, note: NoteSchema.default('') };
/** The car that is meant; null: whichever comes. */
const car = { passageId: z.uuid().nullable() };

/** The body of `POST /api/lanes/:laneId/commands`. */
const LaneCommandSchema = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('open'), ...why, ...car }),
    /** A person on site forgets a hold as any other does: it has an end. */
    z.strictObject({
      action: z.literal('hold'),
      ...why,
      ...car,
      lapseMinutes: z.int().min(1).max(MAX_LAPSE_MINUTES),
    }),
    z.strictObject({ action: z.literal('release'), ...why }),
  ])
  .refine(({ reasonCode, note }) => reasonCode !== 'other' || note !== '', {
    path: ['note'],
    message: 'is required with the reason other',
  });
/** The body of `POST /api/codes`: a driver reads the code of an online payment to an operator on site. */
const CodeCallSchema = z.strictObject({ plate: z.string().min(1).max(40), code: z.string().min(1).max(40) });
const PinCallSchema = z.strictObject({ pin: z.string().min(1).max(20) });

export interface OnSiteParts {
  commands: Pick<GateCommands, 'moveForPerson'>;
  pictures: Pick<Pictures, 'pictureOf'>;
  /** Absent: drivers cannot pay here. */
  kiosk?: Pick<KioskApi, 'acceptCode'>;
  log: Logger;
}

/** The routes for people on site: pictures of the cars, the PIN, and commands for one lane. */
export function onSiteRoutes(
  { commands, pictures, kiosk, log }: OnSiteParts,
  accessPoint: AccessPoint,
): Hono<LocalEnv> {
  return new Hono<LocalEnv>()
    .get('/api/pictures/:readId', async (c) => {
      const readId = c.req.param('readId');
      const found =
        (await pictures.pictureOf(readId, 'vehicle')) ?? (await pictures.pictureOf(readId, 'plate'));
      if (!found) return refuse(c, 404, 'There is no picture of this read.');
      return c.body(new Uint8Array(found.bytes), 200, { 'content-type': found.contentType });
    })
    .get('/api/access', (c) =>
      c.json({
        mayView: accessPoint.viewLeftMs(c) > 0,
        mayAct: accessPoint.mayAct(c),
        hasSession: (accessPoint.sessions?.viewLeftMs(sessionOf(c)) ?? 0) > 0,
      }),
    )
    .post('/api/access', (c) => enterPin(c, accessPoint, log))
    .delete('/api/access', (c) => {
      accessPoint.sessions?.end(sessionOf(c));
      deleteCookie(c, SESSION_COOKIE, { path: '/' });
      return c.json({});
    })
    .post('/api/lanes/:laneId/commands', async (c) => {
      const body = await readJson(c);
      const call = LaneCommandSchema.safeParse(body);
      if (!call.success) return refuse(c, 400, mistakeLines(LaneCommandSchema, body, call.error).join('; '));
      const { note: reason, ...command } = call.data;
      const result = await commands.moveForPerson({
        ...command,
        reason,
        laneId: c.req.param('laneId'),
        by: `on-site:${accessPoint.name}`,
        name: 'on site',
        from: addressOf(c),
      });
      if (result.outcome === 'unknown-lane') return refuse(c, 404, 'There is no such lane.');
      if (result.outcome === 'no-gate') return refuse(c, 409, 'The lane has no gate.');
      if (result.outcome === 'stale') {
        const messages = ['Another car stands there by now, or none. Nothing was done.'];
        return c.json({ code: 'other-car', messages, car: result.car }, 409);
      }
      accessPoint.sessions?.acted(sessionOf(c));
      return c.json(result);
    })
    .post('/api/codes', async (c) => {
      const body = await readJson(c);
      const call = CodeCallSchema.safeParse(body);
      if (!call.success) return refuse(c, 400, mistakeLines(CodeCallSchema, body, call.error).join('; '));
      const fault = kiosk ? await kiosk.acceptCode(call.data) : 'wrong-code';
      if (fault !== null) return c.json({ code: fault, messages: [CODE_FAULTS[fault] ?? fault] }, 409);
      accessPoint.sessions?.acted(sessionOf(c));
      return c.json({});
    });
}

async function enterPin(
  c: Context<LocalEnv>,
  { sessions, name: accessPoint }: AccessPoint,
  log: Logger,
): Promise<Response> {
  const call = PinCallSchema.safeParse(await readJson(c));
  if (!call.success || !sessions) return refuse(c, 400, 'Send the PIN, where one is needed.');
  const from = addressOf(c);
  const answer = await sessions.enter(call.data.pin, from);
  const result = answer.ok ? 'right' : answer.reason;
  log[answer.ok ? 'info' : 'warn']({ event: LOG_EVENTS.onSitePin, result, accessPoint, from });
  if (answer.ok) {
    sessions.end(sessionOf(c));
    setCookie(c, SESSION_COOKIE, answer.token, { path: '/', httpOnly: true, sameSite: 'Strict' });
    return c.json({});
  }
  if (answer.reason === 'wrong') return c.json({ code: 'wrong-pin', messages: ['Wrong PIN.'] }, 403);
  c.header('retry-after', String(Math.ceil(answer.waitMs / 1000)));
  return c.json({ code: 'too-many', messages: ['Too many wrong PINs.'], waitMs: answer.waitMs }, 429);
}

function addressOf(c: Context<LocalEnv>): string {
  return c.env.incoming.socket.remoteAddress ?? '';
}
