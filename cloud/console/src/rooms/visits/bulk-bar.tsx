import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BulkDialog } from '../../ui/bulk-dialog.tsx';
import { everyPage, onePage } from '../../ui/bulk-run.ts';
import { Button } from '../../ui/button.tsx';
import { CountField, isTypedCount } from '../../ui/count-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import {
  isGivenUp,
  isSettlementComplete,
  SettleFields,
  type Settlement,
  settlementEdit,
  UNSETTLED,
} from '../../ui/settle-fields.tsx';
import type { List } from '../../ui/use-list.ts';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  countVisits,
  editVisit,
  listVisits,
  moneyOf,
  reviewVisit,
  VISIT_QUERIES,
  type Visit,
  type VisitQuery,
} from './visit-api.ts';
import { plateText } from './visit-shown.tsx';
import { ACT, VISIT } from './visit-words.ts';

type Kind = 'settle' | 'void' | 'reviewed';

interface Run {
  kind: Kind;
  act: (visit: Visit) => Promise<unknown>;
}

/** The acts for the chosen visits, or for all that the filters find. */
export function BulkBar({
  list,
  query,
  chosen,
  onChosen,
}: {
  list: List<Visit>;
  query: VisitQuery;
  chosen: ReadonlySet<string>;
  onChosen: (ids: ReadonlySet<string>) => void;
}) {
  const reload = useReload();
  const [isWhole, setWhole] = useState(false);
  const [asking, setAsking] = useState<'settle' | 'void' | null>(null);
  const [run, setRun] = useState<Run | null>(null);
  const rows = list.rows.filter(({ id }) => chosen.has(id));
  // The list counts up to a limit; what is changed is counted to the last one.
  const whole = useQuery({
    queryKey: ['visits', 'counts', query],
    queryFn: () => countVisits(query),
    enabled: isWhole,
  });
  const all = whole.data
    ? String(whole.data.count)
    : list.isTotalExact
      ? String(list.total)
      : COMMON.atLeast({ count: list.total });
  const total = isWhole ? (whole.data?.count ?? null) : rows.length;
  const count = isWhole ? all : String(rows.length);
  const isUncounted = total === null;
  const close = () => {
    setRun(null);
    onChosen(new Set());
    reload(VISIT_QUERIES);
  };
  return (
    <div className="row-acts bulk-bar">
      <span>{isWhole ? VISIT.allChosen({ count: all }) : VISIT.chosen({ count: rows.length })}</span>
      {!isWhole && (list.hasMore || rows.length < list.total) && (
        <Button look="quiet" onPress={() => setWhole(true)}>
          {VISIT.chooseAll({ count: all })}
        </Button>
      )}
      <Button onPress={() => setAsking('settle')} isDisabled={isUncounted}>
        {VISIT.settleMany}
      </Button>
      <Button onPress={() => setAsking('void')} isDisabled={isUncounted}>
        {VISIT.voidMany}
      </Button>
      <Button onPress={() => setRun({ kind: 'reviewed', act: ({ id }) => reviewVisit(id) })}>
        {ACT.review}
      </Button>
      <Button look="quiet" onPress={() => onChosen(new Set())}>
        {VISIT.chooseNone}
      </Button>
      {asking !== null && total !== null && (
        <AskDialog
          kind={asking}
          title={VISIT.bulk[asking]({ count })}
          count={total}
          sums={isWhole ? sumsOf(whole.data) : sumsText(rows)}
          onClose={() => setAsking(null)}
          onChosen={(settlement) => {
            setAsking(null);
            const edit = settlementEdit(settlement);
            setRun({ kind: asking, act: ({ id }) => editVisit(id, edit) });
          }}
        />
      )}
      {run !== null && (
        <BulkDialog
          title={VISIT.bulk[run.kind]({ count })}
          pages={() => (isWhole ? everyPage((next) => listVisits(query, next)) : onePage(rows))}
          total={total}
          act={run.act}
          nameOf={plateText}
          onClose={close}
        />
      )}
    </div>
  );
}

function AskDialog({
  kind,
  title,
  count,
  sums,
  onChosen,
  onClose,
}: {
  kind: 'settle' | 'void';
  title: string;
  count: number;
  sums: string;
  onChosen: (settlement: Settlement) => void;
  onClose: () => void;
}) {
  const first = kind === 'void' ? ('void' as const) : UNSETTLED.paymentStatus;
  const [value, setValue] = useState<Settlement>({ ...UNSETTLED, paymentStatus: first });
  const [typed, setTyped] = useState('');
  const needsConfirmation = isGivenUp(value) && count > 1;
  return (
    <FormDialog
      title={title}
      submit={sums === '' ? title : `${title}, ${sums}`}
      error={null}
      isBusy={false}
      isReady={isSettlementComplete(value) && (!needsConfirmation || isTypedCount(typed, count))}
      isFinal
      onSubmit={() => onChosen(value)}
      onClose={onClose}
    >
      {kind === 'settle' ? (
        <SettleFields value={value} onChange={setValue} />
      ) : (
        <TextField
          label={COMMON.reason}
          hint={ACT.voidHint}
          isRequired
          autoFocus
          value={value.reason}
          onChange={(reason) => setValue({ ...value, reason })}
        />
      )}
      {needsConfirmation && <CountField count={count} value={typed} onChange={setTyped} />}
    </FormDialog>
  );
}

/** The amount due of all that the filters find; at least, where it is not of all of them. */
function sumsOf(counts: Awaited<ReturnType<typeof countVisits>> | undefined): string {
  if (counts === undefined) return '';
  const sums = Object.entries(counts.due).map(([currency, amount]) =>
    moneyText(moneyOf({ amount, currency })),
  );
  const text = sums.join(' + ');
  return text === '' || counts.summed >= counts.count ? text : VISIT.atLeastAmount({ amount: text });
}

/** Amounts due by currency, which are never added together. */
function sumsText(visits: readonly Visit[]): string {
  const sums = new Map<string, number>();
  for (const { due } of visits) {
    if (due) sums.set(due.currency, (sums.get(due.currency) ?? 0) + due.amount);
  }
  return [...sums].map(([currency, amount]) => moneyText(moneyOf({ amount, currency }))).join(' + ');
}
