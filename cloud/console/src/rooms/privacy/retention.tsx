import type { retentionRoutes } from '@hlid/cloud/privacy/retention/retention-routes';
import { useQuery } from '@tanstack/react-query';
import { answered, apiOf, read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty, RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { WORDS } from './privacy-words.ts';

const api = apiOf<typeof retentionRoutes>();

function readRetention(next?: string) {
  return read(api.retention.$get({ query: next ? { next } : {} }));
}

/** How long what is kept, what was erased, and the run that erases. */
export function Retention() {
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const query = useQuery({ queryKey: ['retention', 'clocks'], queryFn: () => readRetention() });
  const list = useList(
    ['retention', 'log'],
    ({ id }) => id,
    (next: string | undefined) => readRetention(next),
  );
  const run = useSubmit((_: null) => answered(api.retention.runs.$post()), {
    invalidates: [['retention']],
    onDone: () => toasts.done(WORDS.ran),
  });
  return (
    <>
      <section className="card form">
        <h2>{WORDS.clocks}</h2>
        <QueryView query={query}>
          {({ clocks: { pictureDays, looseReadDays, visitDays, invoiceYears, auditDays, mailDays } }) => (
            <Details
              rows={[
                [WORDS.clock.pictureDays, WORDS.days({ count: pictureDays })],
                [WORDS.clock.looseReadDays, WORDS.days({ count: looseReadDays })],
                [WORDS.clock.visitDays, WORDS.days({ count: visitDays })],
                [WORDS.clock.invoiceYears, WORDS.years({ count: invoiceYears })],
                [WORDS.clock.auditDays, WORDS.days({ count: auditDays })],
                [WORDS.clock.mailDays, WORDS.days({ count: mailDays })],
              ]}
            />
          )}
        </QueryView>
        <p className="hint">{WORDS.clocksHint}</p>
        <RefusedNotice error={run.error} />
        <span className="row-acts">
          <Button onPress={() => run.mutate(null)} isPending={run.isPending}>
            {WORDS.run}
          </Button>
          <span className="hint">{WORDS.runHint}</span>
        </span>
      </section>
      <h2>{WORDS.log}</h2>
      <ListView
        list={list}
        label={WORDS.log}
        idOf={({ id }) => id}
        columns={[
          { id: 'kind', title: WORDS.kind, isWide: true, cell: ({ kind }) => WORDS.kinds[kind] },
          { id: 'rows', title: WORDS.rows, isNumber: true, cell: ({ rows }) => rows },
          {
            id: 'before',
            title: WORDS.before,
            cell: ({ before }) => <Moment at={before} timeZone={timeZone} isExact />,
          },
          { id: 'on', title: WORDS.when, cell: ({ on }) => <Moment at={on} timeZone={timeZone} /> },
          {
            id: 'by',
            title: WORDS.by,
            cell: ({ by }) => (by.startsWith('cloud:') ? WORDS.byItself : WORDS.byPerson),
          },
        ]}
        empty={<Empty title={WORDS.noLog} />}
      />
    </>
  );
}
