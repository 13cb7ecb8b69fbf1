import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eraser, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { EditDialog, type Edited, type TextRow } from '../../ui/edit-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  changeQuota,
  deleteQuota,
  QUOTA_QUERIES,
  type Quota,
  type QuotaEdit,
  type QuotaWithActions,
  readQuota,
  resetQuota,
  useCustomerName,
} from './quota-api.ts';
import { QUOTA } from './quota-words.ts';

export function QuotaPage() {
  const id = useId();
  const { data, error, refetch } = useQuery({ queryKey: ['quota', id], queryFn: () => readQuota(id) });
  if (data) return <ShownQuota quota={data.body} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
}

function ShownQuota({ quota }: { quota: QuotaWithActions }) {
  const { id, name, total, free } = quota;
  const toasts = useToasts();
  const reload = useReload();
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const customer = useCustomerName(quota.customerId);
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  useShortcut('e', COMMON.edit, quota.actions.includes('edit') ? () => setOpen('edit') : null);
  const reset = useSubmit((_: null, headers) => resetQuota(id, headers), {
    invalidates: QUOTA_QUERIES,
    onDone: () =>
      toasts.done(QUOTA.resetDone({ name }), async () => {
        await changeQuota(id, { quantity: total });
        reload(QUOTA_QUERIES);
      }),
  });
  return (
    <Page
      title={name}
      isWide={false}
      actions={
        <>
          {quota.actions.includes('reset') && (
            <Button
              isPending={reset.isPending}
              onPress={() => reset.mutate(null, { onError: toasts.failed })}
            >
              <Eraser size={14} aria-hidden="true" /> {QUOTA.resetOf({ units: free })}
            </Button>
          )}
          {quota.actions.includes('delete') && (
            <Button onPress={() => setOpen('delete')}>
              <Trash2 size={14} aria-hidden="true" /> {COMMON.delete}
            </Button>
          )}
          {quota.actions.includes('edit') && (
            <Button look="primary" onPress={() => setOpen('edit')}>
              <Pencil size={14} aria-hidden="true" /> {COMMON.edit}
            </Button>
          )}
        </>
      }
    >
      <section className="card">
        <Details
          rows={[
            [
              QUOTA.customer,
              <Link key="customer" to={addressOf(`customers/${quota.customerId}`)}>
                {customer}
              </Link>,
            ],
            [QUOTA.free, free],
            [QUOTA.used, quota.used],
            [QUOTA.total, total],
            [QUOTA.hours, `${quota.config.startTime} – ${quota.config.endTime}`],
            [QUOTA.created, <Moment key="created" at={quota.createdOn} timeZone={timeZone} isExact />],
          ]}
        />
      </section>
      <h2>{QUOTA.visits}</h2>
      <CurrentVisits quota={quota} />
      <nav className="page-actions">
        <BackLink to={addressOf('quotas')}>{QUOTA.back}</BackLink>
      </nav>
      {open === 'edit' && <EditQuota quota={quota} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteQuota quota={quota} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function CurrentVisits({ quota: { currentVisits } }: { quota: Quota }) {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  if (currentVisits.length === 0) return <Empty title={QUOTA.noVisits} />;
  return (
    <DataTable
      label={QUOTA.visits}
      rows={currentVisits}
      idOf={({ visitId }) => visitId}
      linkOf={({ visitId }) => ({ to: addressOf(`visits/${visitId}`) })}
      columns={[
        { id: 'plate', title: QUOTA.plate, cell: ({ plate }) => <PlateSign plate={plate} /> },
        { id: 'units', title: QUOTA.units, isNumber: true, cell: ({ units }) => units },
        {
          id: 'since',
          title: QUOTA.since,
          cell: ({ visit }) => <Moment at={visit.startedOn} timeZone={timeZone} />,
        },
      ]}
    />
  );
}

/** A quota while it is edited. */
interface QuotaDraft {
  name: string;
  quantity: number;
  startTime: string;
  endTime: string;
}

function draftOf({ name, total, config }: Quota): QuotaDraft {
  const { startTime, endTime } = config;
  return { name, quantity: total, startTime, endTime };
}

function editOf({ startTime, endTime, ...fields }: Partial<QuotaDraft>): QuotaEdit {
  const config = {
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
  };
  return { ...fields, ...(Object.keys(config).length > 0 && { config }) };
}

function rowsOf({ name, quantity, startTime, endTime }: QuotaDraft): TextRow[] {
  return [
    [QUOTA.name, name],
    [QUOTA.quantity, String(quantity)],
    [QUOTA.startTime, startTime],
    [QUOTA.endTime, endTime],
  ];
}

function EditQuota({ quota: { id, name }, onClose }: { quota: Quota; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const read = async () => {
    const { body, etag } = await readQuota(id);
    return { body: draftOf(body), etag };
  };
  const edit = useEdit(
    ['quota', id, 'edit'],
    read,
    ({ changes }: Edited<QuotaDraft>, headers) => changeQuota(id, editOf(changes), headers),
    {
      invalidates: QUOTA_QUERIES,
      onDone: (_, { undo }) => {
        onClose();
        toasts.done(QUOTA.saved({ name }), async () => {
          await changeQuota(id, editOf(undo));
          reload(QUOTA_QUERIES);
        });
      },
    },
  );
  return (
    <EditDialog
      title={QUOTA.edit}
      edit={edit}
      draftOf={(draft) => draft}
      rowsOf={rowsOf}
      isComplete={(draft) => draft.name.trim() !== '' && draft.quantity > 0}
      onClose={onClose}
    >
      {(draft, set) => (
        <>
          <TextField
            label={QUOTA.name}
            value={draft.name}
            onChange={(text) => set({ name: text })}
            autoFocus
          />
          <NumberField
            label={QUOTA.quantity}
            name="quantity"
            minValue={1}
            value={draft.quantity}
            onChange={(quantity) => set({ quantity })}
          />
          <div className="row">
            <TimeField
              label={QUOTA.startTime}
              value={draft.startTime}
              onChange={(startTime) => set({ startTime })}
            />
            <TimeField label={QUOTA.endTime} value={draft.endTime} onChange={(endTime) => set({ endTime })} />
          </div>
        </>
      )}
    </EditDialog>
  );
}

function DeleteQuota({ quota: { id, name }, onClose }: { quota: Quota; onClose: () => void }) {
  const go = useGo();
  return (
    <FinalDialog
      title={QUOTA.delete({ name })}
      submit={QUOTA.delete({ name })}
      send={(headers) => deleteQuota(id, headers)}
      invalidates={[['quotas']]}
      done={QUOTA.deleted({ name })}
      onDone={() => go('quotas')}
      onClose={onClose}
    >
      <p>{QUOTA.deleteWhy}</p>
    </FinalDialog>
  );
}
