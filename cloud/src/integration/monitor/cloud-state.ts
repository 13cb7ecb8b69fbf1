import { CALM_STATES } from '@hlid/protocol/records/device';
import type { Queries } from '../../platform/db/db.ts';
import { and, count, eq, inArray, isNotNull, isNull, notInArray } from '../../platform/db/sql.ts';
import { jobTable } from '../../platform/jobs/job-table.ts';
import { callTable } from '../../records/calls/call-table.ts';
import { siteDeviceTable } from '../../records/devices/device-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { sitePresenceTable, siteTable } from '../../records/sites/site-table.ts';
import { webhookTable } from '../../records/webhooks/webhook-table.ts';

/** The state of the cloud for monitoring: counts and names of jobs, no plates and no people. */
export interface CloudState {
  /** Sites in use: archived ones do not count here. */
  sites: { connected: number; away: number };
  /** Devices that need a technician, at all of these sites. */
  deviceAlarms: number;
  /** Calls from kiosks that no operator has accepted. */
  callsRinging: number;
  mail: { waiting: number; failed: number };
  webhooksFailing: number;
  jobs: { name: string; lastDoneAt: string | null; lastError: string | null }[];
}

/** Throws what the database throws: the caller reports it. */
export async function readCloudState(q: Queries): Promise<CloudState> {
  const presence = await q
    .select({ connected: sitePresenceTable.connected })
    .from(siteTable)
    .leftJoin(sitePresenceTable, eq(sitePresenceTable.siteId, siteTable.id))
    .where(and(isNotNull(siteTable.secretHash), isNull(siteTable.archivedAt)));
  const connected = presence.filter((site) => site.connected === true).length;
  const [alarms] = await q
    .select({ count: count() })
    .from(siteDeviceTable)
    .innerJoin(siteTable, eq(siteTable.id, siteDeviceTable.siteId))
    .where(and(notInArray(siteDeviceTable.state, [...CALM_STATES]), isNull(siteTable.archivedAt)));
  const [calls] = await q.select({ count: count() }).from(callTable).where(eq(callTable.state, 'ringing'));
  const mail = await q
    .select({ status: mailTable.status, count: count() })
    .from(mailTable)
    .where(inArray(mailTable.status, ['waiting', 'failed']))
    .groupBy(mailTable.status);
  const mailOf = (status: 'waiting' | 'failed') => mail.find((row) => row.status === status)?.count ?? 0;
  const [failing] = await q
    .select({ count: count() })
    .from(webhookTable)
    .where(isNotNull(webhookTable.failingSince));
  const jobs = await q
    .select({ name: jobTable.name, lastDoneAt: jobTable.lastDoneAt, lastError: jobTable.lastError })
    .from(jobTable);
  return {
    sites: { connected, away: presence.length - connected },
    deviceAlarms: alarms?.count ?? 0,
    callsRinging: calls?.count ?? 0,
    mail: { waiting: mailOf('waiting'), failed: mailOf('failed') },
    webhooksFailing: failing?.count ?? 0,
    jobs,
  };
}
