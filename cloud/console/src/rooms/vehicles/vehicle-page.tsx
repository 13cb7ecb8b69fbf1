import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useId } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import { CustodyDialog } from './custody-dialog.tsx';
import {
  type Custody,
  giveCustody,
  readCustodies,
  readOverrides,
  readVehicle,
  releaseCustody,
  VEHICLE_QUERIES,
  type Vehicle,
} from './vehicle-api.ts';
import { VEHICLE } from './vehicle-words.ts';
import { makeText } from './vehicles-page.tsx';

export function VehiclePage() {
  const plate = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['vehicle', plate],
    queryFn: () => readVehicle(plate),
  });
  if (data) return <ShownVehicle vehicle={data} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
}

function ShownVehicle({ vehicle }: { vehicle: Vehicle }) {
  const session = useSession();
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const name = vehicle.regno ?? vehicle.id;
  return (
    <Page
      title={VEHICLE.one({ plate: name })}
      actions={
        <>
          <Link className="button plain" to={addressOf(`visits?plate=${name}`)}>
            {VEHICLE.visits}
          </Link>
          <Link className="button plain" to={addressOf(`permits?plate=${name}`)}>
            {VEHICLE.permits}
          </Link>
        </>
      }
    >
      <p>
        <PlateSign plate={vehicle.regno} country={vehicle.country} large />
      </p>
      <div className="cards">
        <section className="card">
          <h2>{VEHICLE.register}</h2>
          <Details
            rows={[
              [VEHICLE.make, makeText(vehicle)],
              [VEHICLE.color, vehicle.color],
              [VEHICLE.category, vehicle.category && VEHICLE.categories[vehicle.category]],
              [VEHICLE.permno, vehicle.permno],
              [VEHICLE.vin, vehicle.vin],
              [VEHICLE.massladen, vehicle.massladen],
              [VEHICLE.massinro, vehicle.massinro],
              [VEHICLE.seats, vehicle.seats],
              [VEHICLE.registeredOn, vehicle.registeredOn],
              [VEHICLE.country, vehicle.country],
              [VEHICLE.operator, holderText(vehicle.operator)],
              [VEHICLE.owner, holderText(vehicle.owner)],
              [VEHICLE.source, vehicle.source],
              [
                VEHICLE.synced,
                vehicle.syncedOn ? (
                  <Moment key="synced" at={vehicle.syncedOn} timeZone={timeZone} />
                ) : (
                  VEHICLE.never
                ),
              ],
            ]}
          />
        </section>
        {isOperator(session) && <OverridesCard plate={name} />}
      </div>
      {can(session, 'see-custodies') && <CustodyCard vehicle={vehicle} />}
    </Page>
  );
}

function holderText(holder: Vehicle['owner']): string | null {
  return holder && [holder.name, holder.ssn].filter(Boolean).join(', ');
}

/** The overrides of the register. */
function OverridesCard({ plate }: { plate: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['vehicle', plate, 'override'],
    queryFn: () => readOverrides(plate),
  });
  const rows = Object.entries(data?.values ?? {});
  return (
    <section className="card form">
      <h2>{VEHICLE.overrides}</h2>
      <p className="hint">{VEHICLE.overridesHint}</p>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {data && rows.length === 0 && <p>{VEHICLE.noOverrides}</p>}
      <Details
        rows={rows.map(([name, { value, original }]) => [
          fieldName(name),
          `${valueText(value)} (${VEHICLE.saysRegister({ value: valueText(original) })})`,
        ])}
      />
      {data?.actions.includes('correct') && (
        <Button onPress={() => setOpen(true)}>
          <Pencil size={14} aria-hidden="true" /> {VEHICLE.correct}
        </Button>
      )}
      {isOpen && data && <CorrectDialog plate={plate} before={data} onClose={() => setOpen(false)} />}
    </section>
  );
}

function fieldName(name: string): string {
  const known = VEHICLE as unknown as Record<string, unknown>;
  const text = known[name];
  return typeof text === 'string' ? text : name;
}

function valueText(value: string | number | { name: string | null; ssn: string | null } | null): string {
  if (value === null) return '–';
  if (typeof value === 'object') return value.name ?? value.ssn ?? '–';
  if (value === 'light' || value === 'heavy') return VEHICLE.categories[value];
  return String(value);
}

/** The present and past custodians of the vehicle. */
function CustodyCard({ vehicle }: { vehicle: Vehicle }) {
  const session = useSession();
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const reload = useReload();
  const [isOpen, setOpen] = useState(false);
  const plate = vehicle.regno ?? vehicle.id;
  const { data, error, refetch } = useQuery({
    queryKey: ['custodians', { vehicle: vehicle.id }],
    queryFn: () => readCustodies(vehicle.id),
  });
  const release = useSubmit(({ id }: Custody, headers) => releaseCustody(id, headers), {
    invalidates: VEHICLE_QUERIES,
    onDone: (_, { customerId, accountId, dateTo }) =>
      toasts.done(VEHICLE.released({ plate }), async () => {
        const whose = isOperator(session) ? { customerId, ...(accountId !== null && { accountId }) } : {};
        await giveCustody({ plate, ...whose, dateTo });
        reload(VEHICLE_QUERIES);
      }),
  });
  return (
    <section className="card form">
      <h2>{VEHICLE.custody}</h2>
      <p className="hint">{VEHICLE.custodyHint}</p>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {data && data.length === 0 && <p>{VEHICLE.noCustody}</p>}
      {data && data.length > 0 && (
        <DataTable
          label={VEHICLE.custody}
          rows={data}
          idOf={({ id }) => id}
          columns={[
            { id: 'who', title: VEHICLE.customer, isWide: true, cell: custodianName },
            { id: 'person', title: VEHICLE.account, cell: ({ account }) => account?.name },
            {
              id: 'state',
              title: VEHICLE.custody,
              cell: ({ status }) => (
                <Badge tone={status === 'active' ? 'positive' : 'neutral'}>{VEHICLE[status]}</Badge>
              ),
            },
            {
              id: 'from',
              title: VEHICLE.from,
              cell: ({ dateFrom }) => <Moment at={dateFrom} timeZone={timeZone} />,
            },
            {
              id: 'until',
              title: VEHICLE.until,
              cell: ({ dateTo }) => (dateTo ? <Moment at={dateTo} timeZone={timeZone} /> : VEHICLE.openEnd),
            },
            {
              id: 'act',
              title: COMMON.actions,
              cell: (one) =>
                one.actions.includes('release') && (
                  <Button
                    look="quiet"
                    aria-label={VEHICLE.releaseOf({ name: custodianName(one) })}
                    isDisabled={release.isPending}
                    onPress={() => release.mutate(one, { onError: toasts.failed })}
                  >
                    {VEHICLE.release}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {can(session, 'new-custody') && isOperator(session) && vehicle.regno !== null && (
        <div className="page-actions">
          <Button onPress={() => setOpen(true)}>
            <Plus size={14} aria-hidden="true" /> {VEHICLE.give}
          </Button>
        </div>
      )}
      {isOpen && <CustodyDialog plate={plate} onClose={() => setOpen(false)} />}
    </section>
  );
}

function custodianName({ customer, customerId }: Custody): string {
  return customer?.name ?? customer?.ssn ?? customerId;
}
