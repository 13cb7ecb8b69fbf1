import { Badge, type Tone } from '@hlid/ui/badge';
import { useTimeZones } from '../../shell/site.ts';
import type { TextRow } from '../../ui/edit-dialog.tsx';
import { wallText } from '../../ui/time.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import type { Visit } from './visit-api.ts';
import { VISIT } from './visit-words.ts';

export function plateText({ plate }: Pick<Visit, 'plate'>): string {
  return plate ?? VISIT.noPlate;
}

type Standing = Pick<Visit, 'status' | 'paymentStatus' | 'endedOn' | 'due'>;

/** Whether it is inside, what it waits for, and how it was settled. */
export function StatusBadges(visit: Standing) {
  const [text, tone] = standingOf(visit);
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {visit.paymentStatus !== null && (
        <>
          {' '}
          <Badge tone={visit.paymentStatus === 'failed' ? 'negative' : 'neutral'}>
            {STATUS.settlement[visit.paymentStatus]}
          </Badge>
        </>
      )}
    </>
  );
}

function standingOf({ status, endedOn }: Standing): [text: string, tone: Tone] {
  if (status === 'completed') return [STATUS.visit.completed, 'neutral'];
  if (status === 'need-plate') return [STATUS.visit['need-plate'], 'caution'];
  if (status === 'need-payment') return [STATUS.visit['need-payment'], 'caution'];
  return endedOn === null ? [VISIT.inside, 'accent'] : [VISIT.ended, 'neutral'];
}

export function FlagBadges({ flags }: Pick<Visit, 'flags'>) {
  return flags.map((flag) => (
    <Badge key={flag} tone="caution">
      {CODES.flag[flag]}
    </Badge>
  ));
}

/** The editable fields of a visit in words, shown if another person has changed it meanwhile. */
export function useVisitRows(siteId: string): (visit: Visit) => TextRow[] {
  const timeZone = useTimeZones()(siteId);
  return (visit) => [
    [VISIT.plate, plateText(visit)],
    [VISIT.started, wallText(visit.startedOn, timeZone)],
    [VISIT.ended, visit.endedOn === null ? VISIT.inside : wallText(visit.endedOn, timeZone)],
    [VISIT.status, STATUS.visit[visit.status]],
    [VISIT.payment, visit.paymentStatus === null ? null : STATUS.settlement[visit.paymentStatus]],
    [VISIT.customer, visit.customer?.name ?? null],
    [VISIT.flags, visit.flags.map((flag) => CODES.flag[flag]).join(', ')],
  ];
}
