import { useState } from 'react';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { isSettlementComplete, SettleFields, type Settlement } from '../../ui/settle-fields.tsx';
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
  const [settlement, setSettlement] = useState<Settlement>({ paymentStatus: 'kiosk', reason: '' });
  return (
    <FormDialog
      title={UNPAID.settle(count)}
      submit={UNPAID.settleAmount(count, sums)}
      error={null}
      isBusy={false}
      isReady={isSettlementComplete(settlement)}
      isFinal
      onSubmit={() => onChosen({ ...settlement, reason: settlement.reason.trim() })}
      onClose={onClose}
    >
      <SettleFields value={settlement} onChange={setSettlement} />
    </FormDialog>
  );
}
