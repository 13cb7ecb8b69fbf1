import type { ReviewFlag } from '@hlid/protocol/records/visit';
import { useState } from 'react';
import { useLanes } from '../../shell/lanes.ts';
import { CustomerPicker } from '../../shell/pickers.tsx';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useSite, useSiteId, useSites, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { amountText, parseAmount } from '../../ui/amount.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { DateField, PeriodField } from '../../ui/period-field.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import { LANGUAGE } from '../../words/words.ts';
import { filtersOf, PLATE_WAYS, type PlateWay, plateFilterOf } from './visit-query.ts';
import { VISIT } from './visit-words.ts';

/** Filters that are shown only on request, or while they are set. */
const RARE = ['ended.from', 'ended.to', 'insideAt', 'flag', 'laneId', 'customerId', 'amount.min', 'order'];

export function VisitFilterBar() {
  const { filters, setFilters, clear } = useFilters();
  const timeZone = useTimeZone();
  const [isWide, setWide] = useState(false);
  const isAnyRare = RARE.some((name) => filters[name]);
  return (
    <>
      <PlateFilter />
      <StatusFilter />
      <ChoiceField
        label={VISIT.payment}
        value={filters['payment.status'] ?? ''}
        choices={[['', VISIT.anything], ...Object.entries(STATUS.settlement)]}
        onChange={(status) => setFilters({ 'payment.status': status })}
      />
      <PeriodField
        from={filters['date.from'] ?? ''}
        to={filters['date.to'] ?? ''}
        timeZone={timeZone}
        onChange={({ from, to }) => setFilters({ 'date.from': from, 'date.to': to })}
      />
      {isWide || isAnyRare ? (
        <RareFilters />
      ) : (
        <Button look="quiet" onPress={() => setWide(true)}>
          {VISIT.moreFilters}
        </Button>
      )}
      <ClearFilters isAny={Object.keys(filtersOf(filters)).length > 0} onClear={clear} />
    </>
  );
}

/** One text, and how plates are compared with it. */
function PlateFilter() {
  const { filters, setFilters } = useFilters();
  const { way, plate } = plateFilterOf(filters);
  const [wanted, setWanted] = useState<PlateWay>('plate');
  const shown = way ?? wanted;
  const set = (to: PlateWay, text: string) =>
    setFilters({ plate: null, near: null, prefix: null, [to]: text });
  return (
    <>
      <FilterText label={VISIT.plate} value={plate} onChange={(text) => set(shown, text)} />
      <ChoiceField
        label={VISIT.plateWay}
        value={shown}
        choices={PLATE_WAYS.map((one) => [one, VISIT.plateWays[one]] as const)}
        onChange={(to) => {
          setWanted(to);
          if (plate !== '') set(to, plate);
        }}
      />
    </>
  );
}

/** Unpaid visits are a collection of the cloud; the other choices are states. */
function StatusFilter() {
  const { filters, setFilters } = useFilters();
  const { open, closed, review, unpaid } = VISIT.statusFilters;
  const { 'need-plate': needPlate, 'need-payment': needPayment, completed } = STATUS.visit;
  return (
    <ChoiceField
      label={VISIT.status}
      value={filters['collection'] === 'unpaid' ? 'unpaid' : (filters['status'] ?? '')}
      choices={[
        ['', VISIT.anything],
        ['open', open],
        ['closed', closed],
        ['unpaid', unpaid],
        ['review', review],
        ['need-payment', needPayment],
        ['need-plate', needPlate],
        ['completed', completed],
      ]}
      onChange={(status) =>
        setFilters(status === 'unpaid' ? { status: null, collection: status } : { status, collection: null })
      }
    />
  );
}

function RareFilters() {
  const { filters, setFilters } = useFilters();
  const session = useSession();
  const timeZone = useTimeZone();
  const mayPick = isOperator(session) && can(session, 'see-customers');
  return (
    <>
      <DateField
        label={VISIT.endedFrom}
        value={filters['ended.from'] ?? ''}
        max={filters['ended.to']}
        onChange={(day) => setFilters({ 'ended.from': day })}
      />
      <DateField
        label={VISIT.endedTo}
        value={filters['ended.to'] ?? ''}
        min={filters['ended.from']}
        onChange={(day) => setFilters({ 'ended.to': day })}
      />
      <MomentField
        key={filters['insideAt'] === undefined ? 'none' : 'set'}
        label={VISIT.insideAt}
        value={filters['insideAt'] ?? null}
        timeZone={timeZone}
        onChange={(moment) => setFilters({ insideAt: moment })}
      />
      <ChoiceField
        label={VISIT.flag}
        value={filters['flag'] ?? ''}
        choices={[['', VISIT.anything], ...flagChoices()]}
        onChange={(flag) => setFilters({ flag })}
      />
      {isOperator(session) && <LaneFilter />}
      <AmountFilter />
      {mayPick && <CustomerFilter />}
      <ChoiceField
        label={VISIT.order}
        value={filters['order'] ?? ''}
        choices={[
          ['', VISIT.orders.newest],
          ...OTHER_ORDERS.map((order) => [order, VISIT.orders[order]] as const),
        ]}
        onChange={(order) => setFilters({ order })}
      />
    </>
  );
}

const OTHER_ORDERS = ['oldest', '-ended', 'ended', '-stay', 'stay', 'plate', '-plate'] as const;

function flagChoices(): [ReviewFlag, string][] {
  return Object.entries(CODES.flag) as [ReviewFlag, string][];
}

/** Lanes by their names. */
function LaneFilter() {
  const { filters, setFilters } = useFilters();
  const siteId = useSiteId();
  const sites = useSites().filter(({ id }) => siteId === null || id === siteId);
  const known = useLanes(sites.map(({ id }) => id));
  const chosen = filters['laneId'] ?? '';
  const lanes = new Map<string, string>(chosen === '' ? [] : [[chosen, chosen]]);
  for (const { id: site } of sites) {
    for (const { id, name } of known.get(site) ?? []) lanes.set(id, name);
  }
  return (
    <ChoiceField
      label={VISIT.lane}
      value={chosen}
      choices={[['', VISIT.anything], ...lanes]}
      onChange={(laneId) => setFilters({ laneId })}
    />
  );
}

/** The filter by amount. The address has the currency's smallest unit, the field the usual notation. */
function AmountFilter() {
  const { filters, setFilters } = useFilters();
  const currency = useSite()?.currency ?? 'ISK';
  const min = Number(filters['amount.min']);
  return (
    <FilterText
      label={`${VISIT.amountMin} (${currency})`}
      value={min > 0 ? amountText(min, currency, LANGUAGE) : ''}
      onChange={(text) => {
        const amount = parseAmount(text, currency, LANGUAGE);
        setFilters({ 'amount.min': amount === null || amount === 0 ? null : String(amount) });
      }}
    />
  );
}

/** The filter by customer. The address has the customer's id; the name is known once one has been picked. */
function CustomerFilter() {
  const { filters, setFilters } = useFilters();
  const [picked, setPicked] = useState<{ id: string; name: string } | null>(null);
  const id = filters['customerId'];
  const value = id === undefined ? null : picked?.id === id ? picked : { id, name: id };
  return (
    <CustomerPicker
      label={VISIT.customer}
      value={value}
      onChange={(customer) => {
        setPicked(customer);
        setFilters({ customerId: customer?.id ?? null });
      }}
    />
  );
}
