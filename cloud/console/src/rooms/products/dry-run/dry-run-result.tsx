import { read } from '../../../calls/api.ts';
import { useAddress } from '../../../shell/room-address.ts';
import { useSiteNames } from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Empty, RefusedNotice } from '../../../ui/states.tsx';
import { useList } from '../../../ui/use-list.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { dayText } from '../../../ui/wall-text.ts';
import { PRODUCT } from '../product-words.ts';
import { DRY_RUN } from './dry-run-words.ts';
import { isUnderWay, RUNS, type Run, runApi } from './runs.ts';

/** A dry run: how far it is, and what it has found so far. */
export function DryRunResult({ run }: { run: Run }) {
  const nameOf = useSiteNames();
  const { siteId, from, to, progress, result } = run;
  const { currency, visits, before, after, more, less, same } = result;
  const money = (amountMinor: number) => <Money amountMinor={amountMinor} currency={currency} />;
  return (
    <>
      {isUnderWay(run) ? <Progress run={run} /> : <p role="status">{endOf(run)}</p>}
      <Details
        rows={[
          [DRY_RUN.period, `${dayText(from)}–${dayText(to)}`],
          [PRODUCT.site, siteId === null ? PRODUCT.everySite : nameOf(siteId)],
          [DRY_RUN.visits, `${visits} / ${progress.done}`],
          [DRY_RUN.before, money(before)],
          [DRY_RUN.after, money(after)],
          [DRY_RUN.difference, money(after - before)],
          [DRY_RUN.more, more],
          [DRY_RUN.less, less],
          [DRY_RUN.same, same],
        ]}
      />
      {!isUnderWay(run) && (
        <>
          <Differences run={run} direction="more" />
          <Differences run={run} direction="less" />
        </>
      )}
    </>
  );
}

function endOf({ state, error }: Run): string {
  if (state === 'failed') return DRY_RUN.failed({ reason: error ?? '' });
  return state === 'cancelled' ? DRY_RUN.isCancelled : DRY_RUN.isDone;
}

function Progress({ run: { id, progress } }: { run: Run }) {
  const cancel = useSubmit(
    (_: null, headers) => read(runApi.runs[':id'].cancel.$post({ param: { id } }, { headers })),
    { invalidates: RUNS },
  );
  const { done, total } = progress;
  return (
    <>
      <p>{total === null ? DRY_RUN.counting : DRY_RUN.progress({ done, total })}</p>
      <div className="row">
        <progress
          max={total ?? undefined}
          value={total === null ? undefined : done}
          aria-label={DRY_RUN.title}
        />
        <Button onPress={() => cancel.mutate(null)} isPending={cancel.isPending}>
          {DRY_RUN.cancel}
        </Button>
      </div>
      <RefusedNotice error={cancel.error} />
    </>
  );
}

function Differences({ run: { id, result }, direction }: { run: Run; direction: 'more' | 'less' }) {
  const addressOf = useAddress();
  const { currency } = result;
  const list = useList(
    ['runs', id, direction],
    ({ visitId }) => visitId,
    async (next: string | undefined) => {
      const query = { direction, ...(next !== undefined && { next }) };
      return await read(runApi.runs[':id'].visits.$get({ param: { id }, query }));
    },
  );
  const amount = (amountMinor: number) => <Money amountMinor={amountMinor} currency={currency} />;
  return (
    <>
      <h3>{DRY_RUN.lists[direction]}</h3>
      <ListView
        list={list}
        label={DRY_RUN.lists[direction]}
        idOf={({ visitId }) => visitId}
        linkOf={({ visitId }) => ({ to: addressOf(`visits/${visitId}`) })}
        columns={[
          { id: 'visit', title: DRY_RUN.visit, isWide: true, cell: ({ visitId }) => visitId },
          { id: 'before', title: DRY_RUN.before, isNumber: true, cell: ({ before }) => amount(before) },
          { id: 'after', title: DRY_RUN.after, isNumber: true, cell: ({ after }) => amount(after) },
          {
            id: 'difference',
            title: DRY_RUN.difference,
            isNumber: true,
            cell: ({ difference }) => amount(difference),
          },
        ]}
        empty={<Empty title={DRY_RUN.none} />}
      />
    </>
  );
}
