import { useQuery } from '@tanstack/react-query';
import { type ReviewSummary, reviewSummaryQuery } from '../../shell/badges.ts';
import { useSiteFilter, useSiteNames } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Disagreements } from './disagreements.tsx';
import { HoursChart, rateOf } from './hours-chart.tsx';
import { numberText, percentText } from './review-numbers.ts';
import { QUALITY } from './review-words.ts';

/** How often cameras misread, how often people agree, and where they do not. */
export function QualityTab() {
  const query = useQuery(reviewSummaryQuery(useSiteFilter()));
  return (
    <QueryView query={query} lines={8}>
      {({ cameras, reviewers, disagreements }) => (
        <>
          <Disagreements disagreements={disagreements} reviewers={reviewers} />
          <Cameras cameras={cameras} />
          <Reviewers reviewers={reviewers} />
        </>
      )}
    </QueryView>
  );
}

type Camera = ReviewSummary['cameras'][number];

const keyOf = ({ siteId, remoteId }: Camera) => `${siteId} ${remoteId}`;

function Cameras({ cameras }: { cameras: readonly Camera[] }) {
  const nameOfSite = useSiteNames();
  const { filters, setFilters } = useFilters();
  const [worst] = cameras;
  if (worst === undefined) return <Empty title={QUALITY.noCameras} />;
  const shown = cameras.find((camera) => keyOf(camera) === filters['camera']) ?? worst;
  const nameOf = ({ name, remoteId }: Camera) => name ?? QUALITY.unknown({ id: remoteId });
  return (
    <section className="form">
      <h2>{QUALITY.cameras}</h2>
      <p className="quiet-text">{QUALITY.camerasHint}</p>
      <DataTable
        label={QUALITY.cameras}
        rows={cameras}
        idOf={keyOf}
        onOpen={(camera) => setFilters({ camera: keyOf(camera) })}
        columns={[
          { id: 'name', title: QUALITY.camera, isWide: true, cell: nameOf },
          { id: 'site', title: QUALITY.site, cell: ({ siteId }) => nameOfSite(siteId) },
          { id: 'rate', title: QUALITY.rate, isNumber: true, cell: (one) => percentText(rateOf(one)) },
          { id: 'misread', title: QUALITY.misread, isNumber: true, cell: ({ misread }) => misread },
          {
            id: 'unreadable',
            title: QUALITY.unreadable,
            isNumber: true,
            cell: ({ unreadable }) => unreadable,
          },
          { id: 'reviewed', title: QUALITY.reviewed, isNumber: true, cell: ({ reviewed }) => reviewed },
        ]}
      />
      <HoursChart title={QUALITY.hours({ camera: nameOf(shown) })} hours={shown.hours} />
    </section>
  );
}

function Reviewers({ reviewers }: Pick<ReviewSummary, 'reviewers'>) {
  return (
    <section className="form">
      <h2>{QUALITY.reviewers}</h2>
      {reviewers.length === 0 ? (
        <p className="quiet-text">{QUALITY.noReviewers}</p>
      ) : (
        <DataTable
          label={QUALITY.reviewers}
          rows={reviewers}
          idOf={({ accountId }) => accountId}
          columns={[
            { id: 'name', title: QUALITY.name, isWide: true, cell: ({ name }) => name },
            { id: 'today', title: QUALITY.today, isNumber: true, cell: ({ today }) => today },
            {
              id: 'speed',
              title: QUALITY.perMinute,
              isNumber: true,
              cell: ({ perMinute }) => numberText(perMinute),
            },
            { id: 'compared', title: QUALITY.compared, isNumber: true, cell: ({ compared }) => compared },
            {
              id: 'agreed',
              title: QUALITY.agreed,
              isNumber: true,
              cell: ({ compared, agreed }) => (compared === 0 ? '–' : percentText(agreed / compared)),
            },
          ]}
        />
      )}
    </section>
  );
}
