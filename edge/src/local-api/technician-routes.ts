import { mistakeLines } from '@hlid/protocol/base/mistakes/mistake-words';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { Payment } from '@hlid/protocol/records/payment';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import type { GateCommands } from '../commands/gate-commands.ts';
import type { Health } from '../health/health.ts';
import type { PaymentService } from '../payment/payment-service.ts';
import type { KioskApi } from './kiosk-api.ts';
import type { LocalEnv } from './local-env.ts';
import { readJson, refuse } from './refusals.ts';
import {
  DeviceCallSchema,
  GateCallSchema,
  PaymentCallSchema,
  UpgradeCallSchema,
} from './technician-calls.ts';

/** The routes for the technician's tools on this machine, which show the key. */
export function technicianRoutes({
  commands,
  health,
  payments,
  kiosk,
  beginPause,
}: TechnicianParts): Hono<LocalEnv> {
  return new Hono<LocalEnv>()
    .post('/api/gates', (c) =>
      withCall(c, GateCallSchema, async (call) => {
        const lanes = await commands.move({ ...call, by: 'technician' });
        if (lanes === 'unknown-lane') return refuse(c, 404, `There is no lane ${call.laneId}.`);
        if (lanes === 'no-gate') return refuse(c, 409, `Lane ${call.laneId} has no gate.`);
        return c.json({ lanes });
      }),
    )
    .post('/api/devices', (c) =>
      withCall(c, DeviceCallSchema, async ({ device }) => {
        const devices = health.tryAgain(device);
        if (device === null) return c.json({ devices: devices ?? [] });
        // The check is that of the console: the device is connected to now, and loses the alarm of a fault
        // that is over.
        const checked = await health.checkDevice(device, CHECK_TIMEOUT_MS);
        if (devices || typeof checked === 'object') return c.json({ devices: devices ?? [device] });
        const name = `${device.kind} ${device.id}`;
        const why =
          checked === 'no-device' ? 'is no device of this site' : 'cannot be connected to from here';
        return refuse(c, 404, `${name} ${why}.`);
      }),
    )
    .post('/api/upgrade', (c) => withCall(c, UpgradeCallSchema, () => c.json({ waitsFor: beginPause() })))
    .post('/api/payments', (c) =>
      withCall(c, PaymentCallSchema, async (call) => {
        if (call.action === 'list') return c.json({ payments: payments.forPerson().map(waitingPayment) });
        if (call.action === 'code') {
          const fault = kiosk ? await kiosk.acceptCode(call) : 'wrong-code';
          return fault === null ? c.json({ plate: call.plate }) : refuse(c, 409, CODE_FAULTS[fault] ?? fault);
        }
        const { payment, finding } = call;
        const isResolved = await payments.recordFinding(payment, finding, 'technician');
        if (isResolved) return c.json({ payment, finding });
        return refuse(c, 404, `No payment ${payment} can be resolved as ${finding}.`);
      }),
    );
}

/** Why the code of an online payment is not accepted: as the lanes page words it. */
export const CODE_FAULTS: Partial<Record<KioskFault, string>> = CODE_WORDS.en.codeFault;

/** A technician waits for the answer. */
const CHECK_TIMEOUT_MS = 8000;

export interface TechnicianParts {
  commands: Pick<GateCommands, 'move'>;
  health: Pick<Health, 'tryAgain' | 'checkDevice'>;
  payments: Pick<PaymentService, 'forPerson' | 'recordFinding'>;
  kiosk?: Pick<KioskApi, 'acceptCode'>;
  /**
   * Keeps drivers from beginning to pay for a while. @returns what is in the way of that; empty: the pause
   * began
   */
  beginPause: () => string[];
}

async function withCall<Schema extends z.ZodType>(
  c: Context<LocalEnv>,
  schema: Schema,
  handle: (call: z.output<Schema>) => Response | Promise<Response>,
): Promise<Response> {
  const body = await readJson(c);
  const call = schema.safeParse(body);
  if (call.success) return await handle(call.data);
  return refuse(c, 400, mistakeLines(schema, body, call.error).join('; '));
}

/** A payment with all data by which it is found in the terminal's own list. */
function waitingPayment(payment: Payment) {
  const { id, terminalId, state, reason, amountMinor, currency, createdAt, transaction } = payment;
  return { id, terminalId, state, reason, amountMinor, currency, createdAt, transaction };
}
