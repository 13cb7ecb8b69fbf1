import { useState } from 'react';
import { answered } from '../../../calls/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FinalDialog } from '../../../ui/final-dialog.tsx';
import { dayText } from '../../../ui/wall-text.ts';
import { productApi } from '../products-page.tsx';
import { VERSION } from './version-words.ts';

const OLD = [['products']] as const;

/** Withdraws a planned version, after a question. */
export function WithdrawButton({
  productId,
  version,
  validFrom,
  onWithdrawn,
}: {
  productId: string;
  version: number;
  validFrom: string | null;
  onWithdrawn: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const param = { id: productId, version: String(version) };
  return (
    <>
      <Button onPress={() => setAsking(true)}>{VERSION.withdraw}</Button>
      {isAsking && (
        <FinalDialog
          title={VERSION.withdraw}
          submit={VERSION.withdrawNow({ version })}
          send={(headers) =>
            answered(productApi.products[':id'].versions[':version'].$delete({ param }, { headers }))
          }
          invalidates={OLD}
          done={VERSION.isWithdrawn({ version })}
          onDone={() => {
            setAsking(false);
            onWithdrawn();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{VERSION.withdrawHint({ day: validFrom === null ? '' : dayText(validFrom) })}</p>
        </FinalDialog>
      )}
    </>
  );
}
