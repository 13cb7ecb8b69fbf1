import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CustomerPicker } from '../../shell/pickers.tsx';
import { useAddress } from '../../shell/room-address.ts';
import { useSession } from '../../shell/session.ts';
import { useSite, useSiteFilter, useSiteNames, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Money } from '../../ui/money.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { dayText } from '../../ui/wall-text.ts';
import { MONEY } from '../money/money-words.ts';
import {
  CLAIM,
  CLAIM_STATES,
  CLAIM_TONES,
  type Claim,
  isPaidInPart,
  REMINDER,
  readClaims,
  readTerms,
} from './claim-calls.ts';
import { ReminderTermsDialog } from './reminder-terms.tsx';

const AGES = ['1', '10', '30', '60', '90'] as const;

/** Claims at banks, newest first: by state, age, site and customer. */
export function ClaimsTab() {
  const addressOf = useAddress();
  const siteName = useSiteNames();
  const { fields, query } = useClaimFilters();
  const list = useList<Claim>(
    ['claims', 'list', query],
    ({ id }) => id,
    (next) => readClaims({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <>
      <Settings />
      <FoldedFilters>{fields}</FoldedFilters>
      <ListView
        list={list}
        label={CLAIM.title}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`money/claims/${id}`) })}
        columns={[
          { id: 'invoice', title: MONEY.invoice, cell: ({ invoiceNumber }) => invoiceNumber ?? '–' },
          { id: 'state', title: MONEY.status, cell: (claim) => <ClaimState claim={claim} /> },
          {
            id: 'payer',
            title: MONEY.payer,
            isWide: true,
            cell: ({ payerName, customer, payer }) => payerName ?? customer?.name ?? payer,
          },
          {
            id: 'amount',
            title: MONEY.amount,
            isNumber: true,
            cell: ({ terms, currency }) => <Money amountMinor={terms.amount} currency={currency} />,
          },
          {
            id: 'due',
            title: CLAIM.due,
            isNumber: true,
            cell: ({ due, currency }) =>
              due === null ? '–' : <Money amountMinor={due} currency={currency} />,
          },
          { id: 'dueOn', title: CLAIM.dueOn, cell: ({ dueOn }) => dayText(dueOn) },
          {
            id: 'site',
            title: MONEY.site,
            cell: ({ siteId }) => (siteId === null ? MONEY.severalSites : siteName(siteId)),
          },
        ]}
        empty={
          <Empty title={CLAIM.empty}>
            <p>{CLAIM.emptyHint}</p>
          </Empty>
        }
      />
    </>
  );
}

function useClaimFilters() {
  const site = useSiteFilter();
  const today = siteWall(new Date(), useTimeZone()).day;
  const { filters, setFilters } = useFilters();
  const state = CLAIM_STATES.find((one) => one === filters['state']);
  const age = AGES.find((one) => one === filters['age']);
  const { customer = '' } = filters;
  const [name, setName] = useState('');
  const query = {
    ...site,
    ...(state && { state }),
    ...(age && { dueBefore: dayAfter(today, 1 - Number(age)) }),
    ...(customer !== '' && { customerId: customer }),
  };
  const fields = (
    <>
      <ChoiceField
        label={MONEY.status}
        value={state ?? ''}
        choices={[['', CLAIM.every], ...CLAIM_STATES.map((one) => [one, CLAIM.states[one]] as const)]}
        onChange={(one) => setFilters({ state: one })}
      />
      <ChoiceField
        label={CLAIM.overdue}
        value={age ?? ''}
        choices={[
          ['', CLAIM.every],
          ...AGES.map((one) => [one, CLAIM.overdueDays({ days: Number(one) })] as const),
        ]}
        onChange={(one) => setFilters({ age: one })}
      />
      <CustomerPicker
        label={MONEY.customer}
        value={customer === '' ? null : { id: customer, name: name || customer }}
        onChange={(one) => {
          setName(one?.name ?? '');
          setFilters({ customer: one?.id ?? '' });
        }}
      />
    </>
  );
  return { fields, query };
}

/** What the bank has, and whether it is still to do something. */
export function ClaimState({ claim }: { claim: Claim }) {
  const { state, order, reason } = claim;
  const isInDoubt = order?.step === 'unknown' || reason === 'history-differs';
  return (
    <span>
      <Badge tone={CLAIM_TONES[state]}>{isPaidInPart(claim) ? CLAIM.inPart : CLAIM.states[state]}</Badge>{' '}
      {isInDoubt && <Badge tone="caution">{CLAIM.inDoubt}</Badge>}
    </span>
  );
}

/** The agreements of banks, and the reminders of the chosen site. */
function Settings() {
  const addressOf = useAddress();
  const site = useSite();
  const { siteIds } = useSession();
  return (
    <div className="row-acts">
      {siteIds === null && (
        <Link className="button plain" to={addressOf('money/banks')}>
          {CLAIM.banks}
        </Link>
      )}
      {site !== null && <SiteReminders siteId={site.id} name={site.name} />}
    </div>
  );
}

/** Whether a site reminds, and the dialog of its terms. */
export function SiteReminders({ siteId, name }: { siteId: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['reminders', 'terms', siteId],
    queryFn: () => readTerms(siteId),
  });
  if (data === undefined) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        {REMINDER.title}: {data.isOn ? REMINDER.on : REMINDER.off}
      </Button>
      {isOpen && (
        <ReminderTermsDialog siteId={siteId} name={name} terms={data} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
