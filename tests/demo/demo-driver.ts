import { setTimeout as pause } from 'node:timers/promises';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import { z } from 'zod';
import { DEMO_DRIVER } from './demo-fleet.ts';
import type { DemoMail } from './demo-mail.ts';

const StartedSchema = z.object({ bearerToken: z.string() });
const StatusSchema = z.object({ status: z.string(), wait: z.number() });

/**
 * Gives the person with the simulated phone a driver's account, as a driver gets one: by a mailed link, and then by
 * connecting the electronic identity. The register proves one car.
 */
export async function connectDemoDriver(
  cloudUrl: string,
  mail: DemoMail,
  signal: AbortSignal,
): Promise<void> {
  let token: string | null = null;
  const call = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(cloudUrl + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}`);
    return await response.json();
  };
  const { email, phone, plate } = DEMO_DRIVER;
  await call(DRIVER_PATHS.login, { email, language: 'is' });
  const pattern = /\/pay\/driver#(\S+)/;
  const [, link = ''] = pattern.exec(await mail.textTo(email, pattern)) ?? [];
  token = z.object({ token: z.string() }).parse(await call(DRIVER_PATHS.open, { link })).token;
  const { session } = z
    .object({ session: z.string() })
    .parse(await call(DRIVER_PATHS.connectElectronicId, {}));
  const started = await call(ELECTRONIC_ID_PATHS.authenticate, { session, method: 'sim', phone });
  const { bearerToken } = StartedSchema.parse(started);
  let status = { status: 'pending', wait: 0 };
  while (status.status === 'pending') {
    await pause(status.wait * 1000, undefined, { signal });
    status = StatusSchema.parse(await call(ELECTRONIC_ID_PATHS.status, { session, bearerToken }));
  }
  if (status.status !== 'success') throw new Error(`The simulated phone answered with ${status.status}`);
  await call(DRIVER_PATHS.addVehicle, { plate });
  await call(DRIVER_PATHS.logout, {});
}
