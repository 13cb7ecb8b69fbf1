import type { mailRoutes } from '@hlid/cloud/people/mail/mail-routes';
import { Badge, type Tone } from '@hlid/ui/badge';
import { useParams } from '@tanstack/react-router';
import { apiOf, read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { WORDS } from './mail-words.ts';

export const mailApi = apiOf<typeof mailRoutes>();

const STATUSES = ['waiting', 'sent', 'failed'] as const;
type Status = (typeof STATUSES)[number];
const TONES: Record<Status, Tone> = { waiting: 'caution', sent: 'positive', failed: 'negative' };

/** Mail that waits, was sent, or could not be sent. */
export function MailPage() {
  const { site = 'all' } = useParams({ strict: false });
  const { filters, setFilters } = useFilters();
  const status = STATUSES.find((one) => one === filters['status']);
  const timeZone = useTimeZone();
  const list = useList(
    ['mail', status],
    ({ id }) => id,
    (next: string | undefined) =>
      read(mailApi.mail.$get({ query: { ...(status && { status }), ...(next && { next }) } })),
  );
  return (
    <Page
      title={WORDS.title}
      filters={
        <ChoiceField
          label={WORDS.status}
          value={status ?? ''}
          choices={[['', WORDS.every], ...STATUSES.map((one) => [one, WORDS.statuses[one]] as const)]}
          onChange={(one) => setFilters({ status: one })}
        />
      }
    >
      <ListView
        list={list}
        label={WORDS.title}
        keptAs="mail"
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: `/${site}/mail/${id}` })}
        columns={[
          { id: 'subject', title: WORDS.subject, isWide: true, cell: ({ subject }) => subject },
          { id: 'to', title: WORDS.to, cell: ({ to }) => to },
          { id: 'kind', title: WORDS.kind, cell: ({ kind }) => WORDS.kinds[kind] },
          { id: 'status', title: WORDS.status, cell: (mail) => <MailState status={mail.status} /> },
          {
            id: 'on',
            title: WORDS.when,
            cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
          },
          { id: 'error', title: WORDS.error, isHidden: true, cell: ({ error }) => error ?? '' },
        ]}
        empty={
          <Empty title={WORDS.empty}>
            <p>{WORDS.emptyHint}</p>
          </Empty>
        }
      />
    </Page>
  );
}

export function MailState({ status }: { status: Status }) {
  return <Badge tone={TONES[status]}>{WORDS.statuses[status]}</Badge>;
}
