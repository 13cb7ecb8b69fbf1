import { nowUtc } from '@hlid/node/clock';
import type { DriverOptions } from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import type { Hono } from 'hono';
import { beginLogin } from '../../people/electronic-id/electronic-id-routes.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { createRouter } from '../../platform/http/router.ts';
import { disconnectIdentity } from './driver-identities.ts';

/** A driver's electronic identity: whether there are any here, and how an account gets and loses one. */
export function driverIdentityRoutes(context: CloudContext): Hono<CloudEnv> {
  const { db, clock, electronicId, vehicleRegistry } = context;
  const router = createRouter();
  router.get(DRIVER_PATHS.options, (c) => {
    const options: DriverOptions = {
      electronicId: electronicId !== null,
      register: vehicleRegistry !== null,
    };
    return c.json(options);
  });
  router.post(DRIVER_PATHS.connectElectronicId, async (c) => {
    const { driverId } = callerOf(c, 'driver');
    return c.json(await beginLogin(context, { purpose: 'connect', driverId }));
  });
  router.post(DRIVER_PATHS.disconnectElectronicId, async (c) => {
    const caller = callerOf(c, 'driver');
    const actor = { caller, at: nowUtc(clock), requestId: c.get('requestId') };
    return c.json(await disconnectIdentity(db, actor));
  });
  return router;
}
