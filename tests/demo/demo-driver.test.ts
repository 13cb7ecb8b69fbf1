import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startOperatedCloud } from '../harness/cloud-program.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { connectDemoDriver } from './demo-driver.ts';
import { DEMO_DRIVER, newFleet, writeCloudFiles } from './demo-fleet.ts';
import { DemoMail } from './demo-mail.ts';

it("the demo's driver logs in by the simulated phone, and has a car", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-demo-driver-'));
  writeCloudFiles(folder, newFleet(seededRandom(4), []));
  const mail = new DemoMail({ folder: join(folder, 'mail'), report: () => undefined });
  const env = { HLID_SMTP_URL: await mail.start() };
  const { cloud } = await startOperatedCloud({ folder, env });
  const call = async (path: string, body: object | null, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const init = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(cloud.httpUrl() + path, { ...init, headers });
    return z.looseObject({}).parse(await response.json());
  };
  try {
    await connectDemoDriver(cloud.httpUrl(), mail, AbortSignal.timeout(60_000));
    const { session } = await call(ELECTRONIC_ID_PATHS.init, { purpose: 'driver' });
    const named = { session, method: 'app', kennitala: DEMO_DRIVER.ssn };
    const { bearerToken } = await call(ELECTRONIC_ID_PATHS.authenticate, named);
    let answer: Record<string, unknown> = {};
    const poll = async () => {
      answer = await call(ELECTRONIC_ID_PATHS.status, { session, bearerToken });
      return answer['status'] === 'success';
    };
    await waitFor(poll, { what: 'the simulated phone to accept', detail: () => JSON.stringify(answer) });
    const { bearerToken: token } = z.object({ bearerToken: z.string() }).parse(answer['data']);
    const driver = await call(DRIVER_PATHS.me, null, token);
    expect(driver).toMatchObject({
      email: DEMO_DRIVER.email,
      electronicId: true,
      vehicles: [{ plate: DEMO_DRIVER.plate, proof: 'register' }],
    });
  } finally {
    await cloud.stop();
    await mail.stop();
    rmSync(folder, { recursive: true });
  }
});
