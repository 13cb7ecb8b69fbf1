import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { OfficeLanguage as Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { isAlarm } from '@hlid/protocol/records/device';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { deviceAdvice } from '@hlid/protocol/words/device-advice/device-advice';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import { markMailed, unmailedPayments } from '../../money/payments/settled-twice.ts';
import { ALARM_MAIL_WORDS } from '../../people/mail/alarm-mail-words.ts';
import { queueAlarmMail } from '../../people/mail/queue-mail.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { CameraRow } from '../../records/cameras/camera-store.ts';
import { listCameras } from '../../records/cameras/find-cameras.ts';
import { type DeviceRow, listAllDevices, writeDevice } from '../../records/devices/device-store.ts';
import { siteNames } from '../../records/sites/find-sites.ts';

/** Older alarms are not mailed: a cloud that was restored from a backup receives them again. */
const MAX_ALARM_AGE_MS = 6 * HOUR_MS;

/** Sends mail to the recipients of alarms: one mail a site for all alarms of the last minute. */
export function alarmMailJob(parts: { db: Db; to: readonly string[]; language: Language }): ScheduledRun {
  const { db, to, language } = parts;
  return {
    name: 'alarm-mail',
    everyMs: MINUTE_MS,
    isDue: async (now) =>
      await db.read(
        async (q) =>
          (await unmailed(q, now)).length + (await unmailedPayments(q, alarmsSince(now))).length > 0,
      ),
    async work({ now }) {
      await db.write(async (tx) => {
        const names = await siteNames(tx.q);
        const alarms = await unmailed(tx.q, now);
        const cameras = await listCameras(tx.q, {});
        const payments = await unmailedPayments(tx.q, alarmsSince(now));
        for (const siteId of new Set([...alarms, ...payments].map((row) => row.siteId))) {
          const own = alarms.filter((row) => row.siteId === siteId);
          const paid = payments.filter((row) => row.siteId === siteId);
          const subject = ALARM_MAIL_WORDS[language].device.subject({ site: names.get(siteId) ?? siteId });
          const text = [
            ...own.map((row) => alarmText(row, nameOf(row, cameras), language)),
            ...paid.map((row) => paymentText(row, language)),
          ].join('\n');
          await queueAlarmMail(tx, to, { subject, text, language }, now);
          for (const row of own) await writeDevice(tx.q, { ...row, mailedState: row.state });
          await markMailed(
            tx.q,
            paid.map(({ id }) => id),
            now,
          );
        }
      });
    },
  };
}

async function unmailed(q: Queries, now: UtcTime): Promise<DeviceRow[]> {
  const from = alarmsSince(now);
  const rows = await listAllDevices(q);
  return rows.filter(({ state, mailedState, at }) => isAlarm(state) && state !== mailedState && at >= from);
}

function alarmsSince(now: UtcTime): UtcTime {
  return utcTime(millis(now) - MAX_ALARM_AGE_MS);
}

function paymentText(payment: PaymentRow, language: Language): string {
  const { id, terminalId, visitId, amountMinor, currency, settledTwice } = payment;
  const amount = formatMoney({ amountMinor, currency }, language);
  const words = ALARM_MAIL_WORDS[language].device;
  if (!settledTwice) return words.needsPerson({ amount, id });
  return words.settledTwice({ amount, terminalId: terminalId ?? 'online', visitId: visitId ?? id });
}

/**
 * The name of a device: a camera as it was registered here, others as their site calls them; else by its id.
 */
function nameOf({ siteId, kind, deviceId, name }: DeviceRow, cameras: readonly CameraRow[]): string {
  const camera = cameras.find((one) => one.siteId === siteId && one.remoteId === deviceId);
  return (kind === 'camera' ? camera?.name : null) ?? name ?? deviceId;
}

function alarmText({ kind, state, since, detail }: DeviceRow, name: string, language: Language): string {
  const { deviceKind, deviceState } = CODE_WORDS[language];
  const kindName = deviceKind[kind];
  const what = name === 'site' ? kindName : `${kindName} ${name}`;
  const lines = [`${what}: ${deviceState[state]}, ${ALARM_MAIL_WORDS[language].device.since} ${since}`];
  if (isAlarm(state)) lines.push(deviceAdvice(language, kind, state));
  if (detail !== '') lines.push(`(${detail})`);
  return `${lines.join('\n')}\n`;
}
