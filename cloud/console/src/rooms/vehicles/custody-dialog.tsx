import { useState } from 'react';
import { AccountPicker, CustomerPicker, type Picked } from '../../shell/pickers.tsx';
import { isOperator, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { giveCustody, type NewCustody, releaseCustody, VEHICLE_QUERIES } from './vehicle-api.ts';
import { VEHICLE } from './vehicle-words.ts';

/**
 * Gives a vehicle into custody: operators to whom they choose, customers to themselves.
 * @param plate null: it is typed
 */
export function CustodyDialog({
  plate: known,
  onAdded,
  onClose,
}: {
  plate: string | null;
  onAdded?: () => void;
  onClose: () => void;
}) {
  const session = useSession();
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const reload = useReload();
  const [plate, setPlate] = useState(known ?? '');
  const [customer, setCustomer] = useState<Picked | null>(null);
  const [account, setAccount] = useState<Picked | null>(null);
  const [dateFrom, setFrom] = useState<string | null>(null);
  const [dateTo, setTo] = useState<string | null>(null);
  const [autoRelease, setAutoRelease] = useState(false);
  const isOffice = isOperator(session);
  const give = useSubmit((json: NewCustody, headers) => giveCustody(json, headers), {
    invalidates: VEHICLE_QUERIES,
    onDone: ({ id }) => {
      onAdded?.();
      onClose();
      toasts.done(VEHICLE.given({ plate: shown }), async () => {
        await releaseCustody(id);
        reload(VEHICLE_QUERIES);
      });
    },
  });
  const shown = plate.trim().toUpperCase();
  const submit = () =>
    give.mutate({
      plate: plate.trim(),
      ...(customer && { customerId: customer.id }),
      ...(account && { accountId: account.id }),
      ...(dateFrom !== null && { dateFrom }),
      ...(dateTo !== null && { dateTo }),
      ...(autoRelease && { autoRelease }),
    });
  return (
    <FormDialog
      title={known === null ? VEHICLE.takeTitle : VEHICLE.give}
      submit={
        known === null
          ? VEHICLE.takePlate({ plate: shown })
          : VEHICLE.giveTo({ name: customer?.name ?? account?.name ?? '' })
      }
      error={give.error}
      isBusy={give.isPending}
      isReady={shown !== '' && (!isOffice || customer !== null || account !== null)}
      onSubmit={submit}
      onClose={onClose}
    >
      {known === null && (
        <TextField
          label={VEHICLE.plate}
          name="plate"
          value={plate}
          onChange={setPlate}
          autoComplete="off"
          isRequired
          autoFocus
        />
      )}
      {isOffice && (
        <>
          <CustomerPicker label={VEHICLE.customer} value={customer} onChange={setCustomer} />
          <AccountPicker
            label={VEHICLE.account}
            hint={VEHICLE.accountHint}
            value={account}
            onChange={setAccount}
          />
        </>
      )}
      <div className="row">
        <MomentField
          label={VEHICLE.from}
          name="dateFrom"
          hint={VEHICLE.fromHint}
          value={dateFrom}
          timeZone={timeZone}
          onChange={setFrom}
        />
        <MomentField
          label={VEHICLE.until}
          name="dateTo"
          hint={VEHICLE.untilHint}
          value={dateTo}
          timeZone={timeZone}
          onChange={setTo}
        />
      </div>
      {isOffice && (
        <CheckField label={VEHICLE.autoRelease} isSelected={autoRelease} onChange={setAutoRelease} />
      )}
    </FormDialog>
  );
}
