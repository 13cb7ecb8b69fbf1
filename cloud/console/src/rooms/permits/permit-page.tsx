import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { EditPermitDialog } from './edit-permit-dialog.tsx';
import { type Permit, readPermit } from './permit-api.ts';
import { PermitBadge, turnOf, usePermitRows, usePermitStatus } from './permit-shown.tsx';
import { PERMIT } from './permit-words.ts';
import './permits.css';

export function PermitPage() {
  const id = useId();
  const { data, error, refetch } = useQuery({ queryKey: ['permit', id], queryFn: () => readPermit(id) });
  if (data) return <ShownPermit permit={data.body} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
}

function ShownPermit({ permit }: { permit: Permit }) {
  const addressOf = useAddress();
  const timeZone = useTimeZone(permit.siteId);
  const rowsOf = usePermitRows(timeZone);
  const status = usePermitStatus();
  const [isEdited, setEdited] = useState(false);
  const can = (action: Permit['actions'][number]) => permit.actions.includes(action);
  const turn = turnOf(permit);
  // A deleted permit is restored before it is edited.
  const isEditable = can('edit') && permit.status !== 'deleted';
  const pause = turn && (() => status.change(permit, turn.to));
  useShortcut('e', COMMON.edit, isEditable ? () => setEdited(true) : null);
  useShortcut('p', turn?.name ?? PERMIT.pause, pause);

  const [, ...rows] = rowsOf(permit);
  return (
    <Page
      title={PERMIT.one({ plate: permit.plate })}
      isWide={false}
      actions={
        <>
          {can('restore') && (
            <Button onPress={() => status.change(permit, 'active')} isPending={status.isBusy}>
              {PERMIT.restore}
            </Button>
          )}
          {turn && pause && (
            <Button onPress={pause} isPending={status.isBusy}>
              <turn.Icon size={14} aria-hidden="true" /> {turn.name}
            </Button>
          )}
          {can('delete') && (
            <Button onPress={() => status.change(permit, 'deleted')} isPending={status.isBusy}>
              <Trash2 size={14} aria-hidden="true" /> {COMMON.delete}
            </Button>
          )}
          {isEditable && (
            <Button look="primary" onPress={() => setEdited(true)}>
              <Pencil size={14} aria-hidden="true" /> {COMMON.edit}
            </Button>
          )}
        </>
      }
    >
      <p className="permit-head">
        <PlateSign plate={permit.plate} large /> <PermitBadge permit={permit} />
      </p>
      <section className="card">
        <Details
          rows={[
            ...rows.map(([name, value]): [string, ReactNode] => [name, value]),
            [PERMIT.arrivalsOnly, beforeText(permit)],
            [PERMIT.created, <Moment key="created" at={permit.createdOn} timeZone={timeZone} isExact />],
          ]}
        />
      </section>
      <nav className="page-actions">
        <BackLink to={addressOf('permits')}>{PERMIT.back}</BackLink>
        {permit.visitId !== null && <Link to={addressOf(`visits/${permit.visitId}`)}>{PERMIT.visit}</Link>}
        <Link to={addressOf(`visits?plate=${permit.plate}`)}>{PERMIT.visits}</Link>
        <Link to={addressOf(`vehicles/${permit.plate}`)}>{PERMIT.vehicle}</Link>
      </nav>
      {isEdited && <EditPermitDialog permit={permit} onClose={() => setEdited(false)} />}
    </Page>
  );
}

function beforeText({ arrivalsOnly, parkedMinutes }: Permit): string | null {
  if (arrivalsOnly) return PERMIT.notCovered;
  return parkedMinutes > 0 ? PERMIT.parked({ minutes: parkedMinutes }) : null;
}
