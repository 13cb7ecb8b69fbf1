import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { useLaneName } from '../../shell/lanes.ts';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
import { roomsOf } from '../../shell/rooms.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSiteNames, useTimeZones } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { COMMON } from '../../words/common.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { DisputeCard } from '../disputes/dispute-card.tsx';
import { VisitActs } from './visit-acts.tsx';
import { listVisits, moneyOf, readVisit, type Visit, type VisitWithHistory } from './visit-api.ts';
import { Stay, vehicleText } from './visit-columns.tsx';
import { VisitPrice } from './visit-price.tsx';
import { filtersOf, listKey, queryOf } from './visit-query.ts';
import { FlagBadges, plateText, StatusBadges } from './visit-shown.tsx';
import { VisitHistory, VisitTimeline } from './visit-timeline.tsx';
import { VISIT } from './visit-words.ts';
import './visits.css';
import { STATUS } from '../../words/codes.ts';

export function VisitPage() {
  const id = useId();
  const query = useQuery({ queryKey: ['visit', id], queryFn: () => readVisit(id) });
  return (
    <QueryView query={query} lines={8}>
      {({ body }) => <ShownVisit key={id} visit={body} />}
    </QueryView>
  );
}

function ShownVisit({ visit }: { visit: VisitWithHistory }) {
  const session = useSession();
  const { filters } = useFilters();
  const addressOf = useAddress();
  const plate = plateText(visit);
  return (
    <Page title={VISIT.one({ plate })} actions={<VisitActs visit={visit} />}>
      <div className="visit-head">
        <BackLink to={addressOf('visits')} search={filtersOf(filters)}>
          {VISIT.back}
        </BackLink>
        <Neighbours id={visit.id} />
        <PlateSign plate={visit.plate} country={visit.vehicle?.country} unread={VISIT.noPlate} large />
        <StatusBadges {...visit} />
        <FlagBadges {...visit} />
      </div>
      <div className="visit-columns">
        <div>
          <Pictures visit={visit} />
          {isOperator(session) ? <VisitTimeline visit={visit} /> : <VisitHistory visit={visit} />}
        </div>
        <div>
          <DisputeCard about={{ visitId: visit.id }} />
          <ApprovalCard about={{ visitId: visit.id }} />
          <VisitPrice visit={visit} />
          <Facts visit={visit} />
        </div>
      </div>
    </Page>
  );
}

/** The visits before and after it in the list that it was opened from: the address has the filters of that list. */
function Neighbours({ id }: { id: string }) {
  const go = useGo();
  const { filters } = useFilters();
  const query = queryOf(filters, useSiteFilter());
  const list = useList<Visit>(
    listKey(query),
    (row) => row.id,
    (next) => listVisits(query, next),
  );
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const place = rows.findIndex((row) => row.id === id);
  const isAtEnd = place >= 0 && place >= rows.length - 2 && hasMore && !isLoadingMore;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page is loaded once the end comes near
  useEffect(() => {
    if (isAtEnd) loadMore();
  }, [isAtEnd]);
  const opens = (row: Visit | undefined) =>
    row === undefined || place < 0 ? null : () => go(`visits/${row.id}`, filtersOf(filters));
  const previous = opens(rows[place - 1]);
  const next = opens(rows[place + 1]);
  useShortcut('k', VISIT.previous, previous);
  useShortcut('j', VISIT.next, next);
  if (place < 0) return null;
  return (
    <span className="row-acts">
      <IconButton label={VISIT.previous} isDisabled={previous === null} onPress={() => previous?.()}>
        <ChevronLeft size={16} />
      </IconButton>
      <IconButton label={VISIT.next} isDisabled={next === null} onPress={() => next?.()}>
        <ChevronRight size={16} />
      </IconButton>
    </span>
  );
}

function Pictures({ visit }: { visit: Visit }) {
  const timeZone = useTimeZones()(visit.siteId);
  const plate = plateText(visit);
  const shown = [
    { title: VISIT.entry, name: VISIT.atEntry({ plate }), photo: visit.entrancePhoto },
    { title: VISIT.exit, name: VISIT.atExit({ plate }), photo: visit.exitPhoto },
  ];
  return (
    <section className="visit-pictures" aria-label={VISIT.pictures}>
      {shown.map(({ title, name, photo }) => (
        <figure key={title}>
          <PhotoPicture photoId={photo?.url ? photo.id : null} name={name} />
          <figcaption>
            {title}
            {photo && (
              <>
                {' · '}
                {photo.plate} <Moment at={photo.capturedOn} timeZone={timeZone} isExact />
              </>
            )}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}

function Facts({ visit }: { visit: Visit }) {
  const session = useSession();
  const addressOf = useAddress();
  const nameOf = useSiteNames();
  const laneName = useLaneName(visit.siteId);
  const timeZone = useTimeZones()(visit.siteId);
  const { startedOn, endedOn, paidUntil, noticeOn, customer, invoice, plate } = visit;
  const isOffice = isOperator(session);
  const mayEnter = (room: string) => roomsOf(session).some(({ key }) => key === room);
  const at = (moment: string | null) => moment && <Moment at={moment} timeZone={timeZone} isExact />;
  return (
    <section className="card" aria-label={VISIT.facts}>
      <h2>{VISIT.facts}</h2>
      <Details
        rows={[
          [COMMON.site, isOffice ? nameOf(visit.siteId) : null],
          [VISIT.started, at(startedOn)],
          [VISIT.ended, endedOn === null ? VISIT.inside : at(endedOn)],
          [VISIT.stay, <Stay key="stay" {...visit} />],
          [VISIT.entryLane, visit.entryLaneId && laneName(visit.entryLaneId)],
          [VISIT.exitLane, visit.exitLaneId && laneName(visit.exitLaneId)],
          [VISIT.foundBy, visit.exitFoundBy && VISIT.foundByWords[visit.exitFoundBy]],
          [VISIT.vehicle, vehicleText(visit.vehicle)],
          [
            VISIT.customer,
            customer && mayEnter('customers') ? (
              <Link key="customer" to={addressOf(`customers/${customer.id}`)}>
                {customer.name ?? customer.id}
              </Link>
            ) : (
              customer?.name
            ),
          ],
          [
            VISIT.invoice,
            invoice && <InvoiceLine key="invoice" invoice={invoice} isLink={mayEnter('money')} />,
          ],
          [VISIT.paidUntil, at(paidUntil)],
          [VISIT.noticeOn, at(noticeOn)],
        ]}
      />
      {plate !== null && (
        <nav className="page-actions" aria-label={plate}>
          <Link to={addressOf('visits')} search={{ near: plate }}>
            {VISIT.similar}
          </Link>
          {mayEnter('permits') && (
            <Link to={addressOf('permits')} search={{ plate }}>
              {VISIT.permits}
            </Link>
          )}
          {mayEnter('audit') && (
            <Link to={addressOf('audit')} search={{ subject: 'visit', subjectId: visit.id }}>
              {VISIT.audit}
            </Link>
          )}
        </nav>
      )}
    </section>
  );
}

function InvoiceLine({ invoice, isLink }: { invoice: NonNullable<Visit['invoice']>; isLink: boolean }) {
  const addressOf = useAddress();
  const content = (
    <>
      {VISIT.invoiceNumber({ number: invoice.number })} · {STATUS.invoice[invoice.status]} ·{' '}
      <Money {...moneyOf(invoice)} />
    </>
  );
  return isLink ? <Link to={addressOf(`money/invoices/${invoice.id}`)}>{content}</Link> : content;
}
