import { useState } from 'react';
import { CountField, isTypedCount } from '../../ui/count-field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  isGivenUp,
  isSettlementComplete,
  SettleFields,
  type Settlement,
  UNSETTLED,
} from '../../ui/settle-fields.tsx';
import { UNPAID } from './unpaid-words.ts';

/** How visits are settled. What is begun here cannot be taken back, so the button names the number and the amount. */
export function SettleDialog({
  count,
  sums,
  onChosen,
  onClose,
}: {
  count: number;
  sums: string;
  onChosen: (settlement: Settlement) => void;
  onClose: () => void;
}) {
  const [settlement, setSettlement] = useState<Settlement>(UNSETTLED);
  const [typed, setTyped] = useState('');
  const isCounted = !isGivenUp(settlement) || count === 1 || isTypedCount(typed, count);
  return (
    <FormDialog
      title={UNPAID.settle({ count })}
      submit={UNPAID.settleAmount({ count, sums })}
      error={null}
      isBusy={false}
      isReady={isSettlementComplete(settlement) && isCounted}
      isFinal
      onSubmit={() => onChosen({ ...settlement, reason: settlement.reason.trim() })}
      onClose={onClose}
    >
      <SettleFields value={settlement} onChange={setSettlement} />
      {isGivenUp(settlement) && count > 1 && <CountField count={count} value={typed} onChange={setTyped} />}
    </FormDialog>
  );
}
