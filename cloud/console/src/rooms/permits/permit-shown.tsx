import { weekdayNames } from '@hlid/protocol/base/weekdays/weekday-name';
import { Badge, type Tone } from '@hlid/ui/badge';
import { Pause, Play } from 'lucide-react';
import { useSites } from '../../shell/site.ts';
import type { TextRow } from '../../ui/edit-dialog.tsx';
import { useNow, wallText } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { WEEKDAYS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import { changePermit, PERMIT_QUERIES, type Permit } from './permit-api.ts';
import { type PermitState, permitState, ruleText } from './permit-state.ts';
import { PERMIT } from './permit-words.ts';

const TONES: Readonly<Record<PermitState, Tone>> = {
  active: 'positive',
  waiting: 'accent',
  expired: 'neutral',
  paused: 'caution',
  deleted: 'neutral',
};

export function PermitBadge({ permit }: { permit: Permit }) {
  const state = permitState(permit, useNow());
  const isBlock = permit.objectType === 'block';
  return (
    <>
      {isBlock && <Badge tone="negative">{PERMIT.effects.block}</Badge>}{' '}
      {(!isBlock || state !== 'active') && <Badge tone={TONES[state]}>{PERMIT.states[state]}</Badge>}
    </>
  );
}

export function periodText({ activeFrom, expireOn }: Permit, timeZone: string): string {
  const from = activeFrom === null ? null : wallText(activeFrom, timeZone, expireOn === null);
  const until = expireOn === null ? null : wallText(expireOn, timeZone);
  if (from !== null && until !== null) return PERMIT.between({ from, until });
  if (from !== null) return PERMIT.since({ from });
  return until === null ? PERMIT.always : PERMIT.to({ until });
}

export function rulesText({ rules }: Pick<Permit, 'rules'>): string {
  if (rules.length === 0) return PERMIT.anyTime;
  return rules.map((rule) => ruleText(rule, weekdayNames(WEEKDAYS.short))).join('; ');
}

/** The fields of a permit that people may change, in words. */
export function usePermitRows(timeZone: string): (permit: Permit) => TextRow[] {
  const sites = useSites();
  return (permit) => [
    [PERMIT.plate, permit.plate],
    [PERMIT.reason, permit.reason],
    [PERMIT.effect, PERMIT.effects[permit.objectType]],
    [PERMIT.type, PERMIT.types[permit.type]],
    [
      PERMIT.site,
      permit.siteId === null
        ? COMMON.allSites
        : (sites.find(({ id }) => id === permit.siteId)?.name ?? permit.siteId),
    ],
    [PERMIT.valid, periodText(permit, timeZone)],
    [PERMIT.hours, rulesText(permit)],
    [PERMIT.group, permit.collection],
    [PERMIT.author, permit.author.name],
  ];
}

/** The act that pauses or resumes a permit; null: the person can do neither. */
export function turnOf({ actions }: Permit) {
  if (actions.includes('pause')) return { to: 'paused', name: PERMIT.pause, Icon: Pause } as const;
  if (actions.includes('resume')) return { to: 'active', name: PERMIT.resume, Icon: Play } as const;
  return null;
}

/** Changes of a permit's status, each with its undo. */
export function usePermitStatus() {
  const toasts = useToasts();
  const reload = useReload();
  const said = { active: PERMIT.resumed, paused: PERMIT.paused, deleted: PERMIT.removed };
  const change = useSubmit(
    ({ permit, status }: { permit: Permit; status: Permit['status'] }, headers) =>
      changePermit(permit.id, { status }, headers),
    {
      invalidates: PERMIT_QUERIES,
      onDone: (_, { permit, status }) => {
        const text = permit.status === 'deleted' ? PERMIT.restored : said[status];
        toasts.done(text({ plate: permit.plate }), async () => {
          await changePermit(permit.id, { status: permit.status });
          reload(PERMIT_QUERIES);
        });
      },
    },
  );
  return {
    isBusy: change.isPending,
    change: (permit: Permit, status: Permit['status']) =>
      change.mutate({ permit, status }, { onError: toasts.failed }),
  };
}
