import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { DeviceCommand, DeviceRefusal } from '@hlid/protocol/site-link/commands';
import type { Context } from 'hono';
import { audit } from '../../people/audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { conflict, errorBody, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import { expectSnapshot } from './snapshots.ts';

/** A command of an operator to a site's devices. */
export type NewDeviceCommand = WithoutSender<DeviceCommand>;
type WithoutSender<Command> = Command extends DeviceCommand
  ? Omit<Command, 'v' | 'id' | 'by' | 'sentAt' | 'expiresAt' | 'echo'>
  : never;

export type DeviceAnswer = CommandAnswer & { id: string };

/**
 * Sends an operator's command about devices to its site. It is in the audit log before the site gets it, unless it only
 * reads.
 *
 * @returns null: there is no such site
 */
export async function sendDeviceCommand(
  db: Db,
  sender: CommandSender,
  actor: Actor,
  { siteId, command }: { siteId: string; command: NewDeviceCommand },
): Promise<DeviceAnswer | null> {
  const id = newId();
  const isThere = await db.write(async (tx) => {
    if ((await findSite(tx.q, siteId)) === null) return false;
    if (command.action === 'take-picture') await expectSnapshot(tx, { id, siteId, at: actor.at });
    if (command.action === 'find-cameras') return true;
    const { action, ...what } = command;
    await audit(tx, actor, {
      subject: 'site',
      subjectId: siteId,
      action,
      before: null,
      after: { id, ...what },
    });
    return true;
  });
  if (!isThere) return null;
  return { id, ...(await sender.send({ id, siteId, by: callerName(actor.caller), ...command })) };
}

/** The answers of a route of such a command beside success. */
export const DEVICE_REFUSALS = {
  ...REFUSALS.input,
  ...READ_REFUSALS,
  409: refusal('The site has no way to do that: the configuration of the device lacks what it takes'),
  502: refusal('The site received the command, and the device or the network failed'),
  503: refusal('Not sent: the site is not connected'),
  504: refusal('The site did not answer within ten seconds'),
};

/** The answer to a command that was not done. */
export function refuseDeviceCommand(
  c: Context,
  { outcome, reason, detail = '' }: Pick<DeviceAnswer, 'outcome' | 'reason' | 'detail'>,
) {
  if (outcome === 'not-connected') {
    return c.json(errorBody('Site not connected', mistake('command-not-connected')), 503);
  }
  if (outcome !== 'refused') return c.json(errorBody('No answer', mistake('device-no-answer')), 504);
  switch (reason as DeviceRefusal | undefined) {
    case 'no-device':
      return notFound(c, 'device-at-site');
    case 'no-lane':
      return notFound(c, 'lane-at-site');
    case 'no-picture-source':
      return conflict(c, mistake('no-picture-source'));
    case 'not-checkable':
      return conflict(c, mistake('device-not-checkable'));
    case 'no-picture':
      return c.json(errorBody('No picture', mistake('camera-no-picture', [], { detail })), 502);
    case 'camera-away':
      return c.json(errorBody('Camera away', mistake('camera-away', [], { detail })), 502);
    case 'camera-login':
      return c.json(errorBody('Login refused', mistake('camera-login-refused')), 502);
    case 'kiosk-away':
      return c.json(errorBody('Kiosk away', mistake('kiosk-away')), 502);
    case 'kiosk-no-picture':
      return c.json(errorBody('No picture', mistake('kiosk-no-picture', [], { detail })), 502);
    case 'probe-failed':
      return c.json(errorBody('Probe failed', mistake('probe-failed', [], { detail })), 502);
    default:
      return c.json(errorBody('Picture lost', mistake('picture-unsent', [], { detail })), 502);
  }
}
