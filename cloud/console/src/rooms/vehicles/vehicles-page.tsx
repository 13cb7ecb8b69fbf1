import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { type Filters, useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { CustodyDialog } from './custody-dialog.tsx';
import { listVehicles, type Vehicle, type VehicleQuery } from './vehicle-api.ts';
import { VEHICLE } from './vehicle-words.ts';

const ORDERS = ['newest', 'plate', '-plate'] as const;

function queryOf({ plate, show, ...filters }: Filters): VehicleQuery {
  const order = ORDERS.find((one) => one === filters['order']);
  return {
    ...(order !== undefined && { order }),
    ...(plate && { plate }),
    ...((show === 'custody' || show === 'heavy') && { collection: show }),
    ...(show === 'overridden' && { overridden: 'true' as const }),
  };
}

export function VehiclesPage() {
  const session = useSession();
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const { filters, setFilters, clear } = useFilters();
  const query = queryOf(filters);
  const [isAdding, setAdding] = useState(false);
  const isOffice = isOperator(session);
  const mayGive = can(session, 'new-custody');
  useShortcut('n', VEHICLE.take, mayGive ? () => setAdding(true) : null);
  const list = useList<Vehicle>(
    ['vehicles', query],
    ({ id }) => id,
    (next) => listVehicles({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <Page
      title={VEHICLE.title}
      actions={
        mayGive && (
          <Button look="primary" onPress={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" /> {VEHICLE.take}
          </Button>
        )
      }
      filters={
        <>
          <FilterText
            label={VEHICLE.plate}
            value={filters['plate']}
            onChange={(plate) => setFilters({ plate })}
          />
          {isOffice && (
            <ChoiceField
              label={VEHICLE.which}
              value={filters['show'] ?? ''}
              choices={[
                ['', VEHICLE.collections.latest],
                ['custody', VEHICLE.collections.custody],
                ['heavy', VEHICLE.collections.heavy],
                ['overridden', VEHICLE.collections.overridden],
              ]}
              onChange={(show) => setFilters({ show })}
            />
          )}
          <ClearFilters isAny={Object.keys(filters).length > 0} onClear={clear} />
        </>
      }
    >
      <ListView
        list={list}
        label={VEHICLE.title}
        keptAs="vehicles"
        order={{ value: filters['order'] ?? '', onChange: (order) => setFilters({ order }) }}
        idOf={({ id }) => id}
        linkOf={({ regno, id }) => ({ to: addressOf(`vehicles/${encodeURIComponent(regno ?? id)}`) })}
        columns={[
          {
            id: 'plate',
            title: VEHICLE.plate,
            orders: { ascending: 'plate', descending: '-plate' },
            cell: ({ regno, country }) => <PlateSign plate={regno} country={country} />,
          },
          { id: 'make', title: VEHICLE.make, isWide: true, cell: makeText },
          { id: 'color', title: VEHICLE.color, cell: ({ color }) => color },
          {
            id: 'category',
            title: VEHICLE.category,
            cell: ({ category }) => category && VEHICLE.categories[category],
          },
          {
            id: 'holder',
            title: VEHICLE.operator,
            isHidden: true,
            cell: ({ operator, owner }) => operator?.name ?? owner?.name,
          },
          {
            id: 'synced',
            title: VEHICLE.register,
            cell: ({ syncedOn, syncedStatus }) =>
              syncedOn === null ? (
                VEHICLE.never
              ) : (
                <>
                  <Moment at={syncedOn} timeZone={timeZone} />{' '}
                  {syncedStatus === 'stale' && <Badge>{VEHICLE.stale}</Badge>}
                </>
              ),
          },
        ]}
        empty={
          <Empty title={VEHICLE.empty}>
            <p>{VEHICLE.emptyHint}</p>
          </Empty>
        }
      />
      {isAdding && <CustodyDialog plate={null} onAdded={list.showNext} onClose={() => setAdding(false)} />}
    </Page>
  );
}

export function makeText({ make, model, modelYear }: Vehicle): string {
  return [make, model, modelYear].filter((part) => part !== null).join(' ');
}
