import { useState } from 'react';
import { BulkDialog } from '../../ui/bulk-dialog.tsx';
import { everyPage, onePage } from '../../ui/bulk-run.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { isSettlementComplete, SettleFields, type Settlement } from '../../ui/settle-fields.tsx';
import type { List } from '../../ui/use-list.ts';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  editVisit,
  listVisits,
  moneyOf,
  OLD_VISITS,
  reviewVisit,
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

/** What can be done with the chosen visits, or with all that the filters find. */
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
  const total = isWhole ? (list.isTotalExact ? list.total : null) : rows.length;
  const all = list.isTotalExact ? String(list.total) : COMMON.atLeast(list.total);
  const count = isWhole ? all : String(rows.length);
  const close = () => {
    setRun(null);
    onChosen(new Set());
    reload(OLD_VISITS);
  };
  return (
    <div className="row-acts bulk-bar">
      <span>{isWhole ? VISIT.allChosen(all) : VISIT.chosen(rows.length)}</span>
      {!isWhole && (list.hasMore || rows.length < list.total) && (
        <Button look="quiet" onPress={() => setWhole(true)}>
          {VISIT.chooseAll(all)}
        </Button>
      )}
      <Button onPress={() => setAsking('settle')}>{VISIT.settleMany}</Button>
      <Button onPress={() => setAsking('void')}>{VISIT.voidMany}</Button>
      <Button onPress={() => setRun({ kind: 'reviewed', act: ({ id }) => reviewVisit(id) })}>
        {ACT.reviewed}
      </Button>
      <Button look="quiet" onPress={() => onChosen(new Set())}>
        {VISIT.chooseNone}
      </Button>
      {asking !== null && (
        <AskDialog
          kind={asking}
          title={VISIT.bulk[asking](count)}
          sums={isWhole ? '' : sumsText(rows)}
          onClose={() => setAsking(null)}
          onChosen={({ paymentStatus, reason }) => {
            setAsking(null);
            const edit = { paymentStatus, ...(reason.trim() !== '' && { reason }) };
            setRun({ kind: asking, act: ({ id }) => editVisit(id, edit) });
          }}
        />
      )}
      {run !== null && (
        <BulkDialog
          title={VISIT.bulk[run.kind](count)}
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
  sums,
  onChosen,
  onClose,
}: {
  kind: 'settle' | 'void';
  title: string;
  sums: string;
  onChosen: (settlement: Settlement) => void;
  onClose: () => void;
}) {
  const first = kind === 'void' ? ('void' as const) : ('kiosk' as const);
  const [value, setValue] = useState<Settlement>({ paymentStatus: first, reason: '' });
  return (
    <FormDialog
      title={title}
      submit={sums === '' ? title : `${title}, ${sums}`}
      error={null}
      isBusy={false}
      isReady={isSettlementComplete(value)}
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
    </FormDialog>
  );
}

/** Amounts due by currency, which are never added together. */
function sumsText(visits: readonly Visit[]): string {
  const sums = new Map<string, number>();
  for (const { due } of visits) {
    if (due) sums.set(due.currency, (sums.get(due.currency) ?? 0) + due.amount);
  }
  return [...sums].map(([currency, amount]) => moneyText(moneyOf({ amount, currency }))).join(' + ');
}
