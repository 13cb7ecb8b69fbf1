import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { auditOf, cloudActor } from '../../people/audit/audit.ts';
import { ALARM_MAIL_WORDS } from '../../people/mail/alarm-mail-words.ts';
import { queueAlarmMail } from '../../people/mail/queue-mail.ts';
import type { AlarmMailConfig } from '../../platform/config.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import type { RolloutRow } from '../../records/rollouts/rollout-table.ts';
import { nextStep, type RolloutStep } from './rollout-state.ts';
import {
  factsOf,
  openRollout,
  orderRing,
  putRollout,
  type RolloutSite,
  readRollout,
  sitesOfRollout,
} from './rollout-store.ts';

/** The audit of rollouts. */
export const auditRollout = auditOf<RolloutRow>(
  'rollout',
  ({ version, state, ring, pause, soakHours, maxAtOnce }) => ({
    version,
    state,
    ring,
    pause,
    soakHours,
    maxAtOnce,
  }),
);

/** Notifies the pages that show a rollout. */
export async function rolloutChanged(tx: Tx, rolloutId: string, at: UtcTime): Promise<void> {
  await recordEvent(tx, { type: 'rollout.changed', subjectId: rolloutId, siteId: null, at });
}

/** Takes every step of a rollout that is due. */
export async function advanceRollout(tx: Tx, id: string, now: UtcTime): Promise<void> {
  for (;;) {
    const rollout = await readRollout(tx.q, id);
    if (rollout === null || rollout.state !== 'running') return;
    const step = nextStep(rollout, factsOf(await sitesOfRollout(tx.q, id)), now);
    if (step === null) return;
    const after = afterStep(rollout, step, now);
    await putRollout(tx.q, after);
    if (step.step === 'begin-ring') await orderRing(tx.q, id, step.ring, now);
    await auditRollout(tx, cloudActor('rollouts', now), `rollout.${step.step}`, rollout, after);
    await rolloutChanged(tx, id, now);
  }
}

function afterStep(rollout: RolloutRow, step: RolloutStep, now: UtcTime): RolloutRow {
  switch (step.step) {
    case 'begin-ring':
      return { ...rollout, ring: step.ring, ringOverAt: null };
    case 'ring-over':
      return { ...rollout, ringOverAt: now };
    case 'pause':
      return { ...rollout, state: 'paused', pause: { ...step.why, at: now }, pauseMailed: false };
    case 'done':
      return { ...rollout, state: 'done', overAt: now };
    default:
      return step satisfies never;
  }
}

/** Begins the rings that have waited long enough, and sends mail of rollouts that paused by themselves. */
export function rolloutRun({ db, alarms }: { db: Db; alarms: AlarmMailConfig | null }): ScheduledRun {
  const isUnmailed = ({ pauseMailed }: RolloutRow) => alarms !== null && pauseMailed === false;
  return {
    name: 'rollouts',
    everyMs: MINUTE_MS,
    isDue: (now) =>
      db.read(async (q) => {
        const rollout = await openRollout(q);
        if (rollout === null) return false;
        return isUnmailed(rollout) || (await isStepDue(q, rollout, now));
      }),
    async work({ now }) {
      await db.write(async (tx) => {
        const open = await openRollout(tx.q);
        if (open === null) return;
        await advanceRollout(tx, open.id, now);
        const rollout = await readRollout(tx.q, open.id);
        if (rollout === null || alarms === null || !isUnmailed(rollout)) return;
        const mail = pauseMail(rollout, await sitesOfRollout(tx.q, rollout.id), alarms.language);
        await queueAlarmMail(tx, alarms.to, { ...mail, language: alarms.language }, now);
        await putRollout(tx.q, { ...rollout, pauseMailed: true });
      });
    },
  };
}

async function isStepDue(q: Queries, rollout: RolloutRow, now: UtcTime): Promise<boolean> {
  if (rollout.state !== 'running') return false;
  return nextStep(rollout, factsOf(await sitesOfRollout(q, rollout.id)), now) !== null;
}

function pauseMail(
  { version, pause }: RolloutRow,
  sites: readonly RolloutSite[],
  language: AlarmMailConfig['language'],
): { subject: string; text: string } {
  const words = ALARM_MAIL_WORDS[language].rollout;
  const lines: string[] = [];
  if (pause?.reason === 'ring-failed') lines.push(words['ring-failed']({ ring: pause.ring }));
  if (pause?.reason === 'site-failed') {
    const site = sites.find(({ row }) => row.siteId === pause.siteId);
    lines.push(words[pause.outcome]({ site: site?.name ?? pause.siteId }));
    if (site?.row.reason) lines.push(`(${site.row.reason})`);
  }
  return { subject: words.subject({ version }), text: `${[...lines, words.advice].join('\n')}\n` };
}
