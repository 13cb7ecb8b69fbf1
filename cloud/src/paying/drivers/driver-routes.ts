import { nowUtc } from '@hlid/node/clock';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import {
  DriverCardOrderSchema,
  DriverChargesPageSchema,
  type DriverFault,
  DriverLoginSchema,
  DriverOpenSchema,
  DriverPlateSchema,
  type DriverRefusal,
  DriverSettingsSchema,
  type DriverVehicleProof,
  DriverVehicleProofSchema,
} from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { type AttemptLimit, countAttempt, giveBackAttempts } from '../../people/auth/attempt-limit.ts';
import { revokeToken } from '../../people/auth/tokens.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { createRouter } from '../../platform/http/router.ts';
import { englishLines } from '../../platform/refused.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import type { DriverActor, DriverResult, Drivers } from './drivers.ts';
import { addRegisteredVehicle } from './register-proofs.ts';

/** Links in an hour: enough for typing errors, too few to annoy anybody with. */
const LINKS = { email: 5, address: 300 };
/** The most links that are followed within 15 minutes: a secret of 256 bits cannot be guessed. */
const OPENS = 60;
/** Calls of one driver within 15 minutes. */
const CALLS = 300;
/** Plates that one driver asks the register for in an hour. */
const REGISTER_QUESTIONS = 20;

const STATUS: Partial<Record<DriverFault, 400 | 401 | 429>> = {
  'bad-input': 400,
  expired: 401,
  'too-many-requests': 429,
};

/** The API of drivers' accounts; see driver-paths.ts of the protocol. It serves only these pages. */
export function driverRoutes(context: CloudContext, drivers: Drivers): Hono<CloudEnv> {
  const { db, clock } = context;
  const router = createRouter();

  /** Reads a body and counts the call, and then answers it. */
  const post = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    limits: (body: z.infer<Schema>, c: Context<CloudEnv>) => AttemptLimit[],
    work: (body: z.infer<Schema>, c: Context<CloudEnv>) => Promise<Response>,
  ) =>
    router.post(path, async (c) => {
      const body = schema.safeParse(await c.req.json().catch(() => null));
      if (!body.success) return refuse(c, 'bad-input', { messages: englishLines(inputMistakes(body.error)) });
      const counted = limits(body.data, c);
      const wait = await db.write(({ q }) => countAttempt(q, counted, nowUtc(clock)));
      if (wait !== null) return refuse(c, 'too-many-requests', { retryAfterSeconds: wait });
      return await work(body.data, c);
    });
  const own = (_body: unknown, c: Context<CloudEnv>) => [
    { key: `driver ${callerOf(c, 'driver').driverId}`, limit: CALLS },
  ];
  const actorOf = (c: Context<CloudEnv>): DriverActor => ({
    caller: callerOf(c, 'driver'),
    at: nowUtc(clock),
    requestId: c.get('requestId'),
  });

  post(
    DRIVER_PATHS.login,
    DriverLoginSchema,
    ({ email }, c) => [
      { key: `driver-link ${hashSecret(email.toLowerCase())}`, limit: LINKS.email, windowMs: HOUR_MS },
      { key: `driver-link ${addressOf(c)}`, limit: LINKS.address, windowMs: HOUR_MS },
    ],
    async (login, c) => {
      await drivers.mailLink(login);
      return c.json({});
    },
  );
  post(
    DRIVER_PATHS.open,
    DriverOpenSchema,
    (_body, c) => [{ key: `driver-open ${addressOf(c)}`, limit: OPENS }],
    async ({ link }, c) => {
      const opened = await drivers.open(link, c.get('requestId'));
      // A link that the cloud has made is no guess: a whole mobile network may be behind one address.
      if (opened.ok) await db.write(({ q }) => giveBackAttempts(q, [`driver-open ${addressOf(c)}`]));
      return answer(c, opened);
    },
  );
  router.get(DRIVER_PATHS.me, async (c) => c.json(await drivers.view(callerOf(c, 'driver').driverId)));
  post(DRIVER_PATHS.logout, EmptySchema, own, async (_body, c) => {
    const { tokenId } = callerOf(c, 'driver');
    await db.write((tx) => revokeToken(tx, tokenId, nowUtc(clock)));
    return c.json({});
  });
  post(DRIVER_PATHS.settings, DriverSettingsSchema, own, async (settings, c) =>
    c.json(await drivers.change(actorOf(c), settings)),
  );
  const ofProof = (proof: DriverVehicleProof, c: Context<CloudEnv>): AttemptLimit[] => {
    const key = `driver-register ${callerOf(c, 'driver').driverId}`;
    const asks = { key, limit: REGISTER_QUESTIONS, windowMs: HOUR_MS };
    return 'plate' in proof ? [...own(proof, c), asks] : own(proof, c);
  };
  post(DRIVER_PATHS.addVehicle, DriverVehicleProofSchema, ofProof, async (proof, c) =>
    answer(
      c,
      'plate' in proof
        ? await addRegisteredVehicle(context, actorOf(c), proof.plate)
        : await drivers.addVehicle(actorOf(c), proof),
    ),
  );
  post(DRIVER_PATHS.removeVehicle, DriverPlateSchema, own, async ({ plate }, c) =>
    c.json(await drivers.removeVehicle(actorOf(c), normalisePlate(plate))),
  );
  post(DRIVER_PATHS.storeCard, DriverCardOrderSchema, own, async ({ payment }, c) =>
    answer(c, await drivers.storeCard(actorOf(c), payment)),
  );
  post(DRIVER_PATHS.deleteCard, EmptySchema, own, async (_body, c) =>
    c.json(await drivers.deleteCard(actorOf(c))),
  );
  post(DRIVER_PATHS.charges, DriverChargesPageSchema, own, async ({ before = null }, c) =>
    c.json(await drivers.charges(callerOf(c, 'driver').driverId, before)),
  );
  post(DRIVER_PATHS.erase, EmptySchema, own, async (_body, c) => {
    await drivers.erase(actorOf(c));
    return c.json({});
  });
  return router;
}

const EmptySchema = z.strictObject({});

function answer<Value extends object>(c: Context<CloudEnv>, result: DriverResult<Value>): Response {
  return result.ok ? c.json(result.value) : refuse(c, result.fault);
}

function refuse(c: Context<CloudEnv>, code: DriverFault, more: Partial<DriverRefusal> = {}): Response {
  return c.json({ messages: [code], ...more, code }, STATUS[code] ?? 409);
}
