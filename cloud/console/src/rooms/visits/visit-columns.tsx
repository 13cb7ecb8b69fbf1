import { PlateSign } from '@hlid/ui/plate-sign';
import { useSites, useTimeZones } from '../../shell/site.ts';
import type { TableColumn } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { durationText, Moment, useNow } from '../../ui/time.tsx';
import { STATUS } from '../../words/codes.ts';
import { COMMON } from '../../words/common.ts';
import { moneyOf, type Visit } from './visit-api.ts';
import { FlagBadges, plateText, StatusBadges } from './visit-shown.tsx';
import { VISIT } from './visit-words.ts';

/** The columns of the file that correspond to a column of the table. */
export const FILE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  plate: ['plate'],
  site: ['site'],
  started: ['startedOn'],
  ended: ['endedOn'],
  stay: ['stay'],
  status: ['status', 'paymentStatus'],
  due: ['due', 'currency'],
  price: ['stayPrice', 'currency'],
  vehicle: ['category'],
  customer: ['customer'],
  invoice: ['invoiceNumber', 'invoiceStatus'],
  flags: ['flags'],
};

export function useVisitColumns(): TableColumn<Visit>[] {
  const sites = useSites();
  const zoneOf = useTimeZones();
  const site: TableColumn<Visit> = {
    id: 'site',
    title: COMMON.site,
    cell: ({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? siteId,
  };
  return [
    {
      id: 'plate',
      title: VISIT.plate,
      orders: { ascending: 'plate', descending: '-plate' },
      cell: ({ plate, vehicle }) => (
        <PlateSign plate={plate} country={vehicle?.country} unread={VISIT.noPlate} />
      ),
    },
    {
      id: 'status',
      title: VISIT.status,
      cell: (visit) => <StatusBadges {...visit} />,
      sortBy: ({ status }) => STATUS.visit[status],
    },
    {
      id: 'started',
      title: VISIT.started,
      orders: { ascending: 'oldest', descending: 'newest' },
      cell: ({ startedOn, siteId }) => <Moment at={startedOn} timeZone={zoneOf(siteId)} />,
    },
    {
      id: 'ended',
      title: VISIT.ended,
      orders: { ascending: 'ended', descending: '-ended' },
      cell: ({ endedOn, siteId }) => endedOn !== null && <Moment at={endedOn} timeZone={zoneOf(siteId)} />,
    },
    {
      id: 'stay',
      title: VISIT.stay,
      isNumber: true,
      orders: { ascending: 'stay', descending: '-stay' },
      cell: (visit) => <Stay {...visit} />,
    },
    { id: 'due', title: VISIT.due, isNumber: true, cell: ({ due }) => due && <Money {...moneyOf(due)} /> },
    {
      id: 'price',
      title: VISIT.price,
      isNumber: true,
      isHidden: true,
      cell: ({ price }) => price && <Money {...moneyOf(price)} />,
    },
    ...(sites.length > 1 ? [site] : []),
    {
      id: 'vehicle',
      title: VISIT.vehicle,
      cell: ({ vehicle }) => vehicleText(vehicle),
    },
    { id: 'customer', title: VISIT.customer, cell: ({ customer }) => customer?.name },
    {
      id: 'invoice',
      title: VISIT.invoice,
      isHidden: true,
      cell: ({ invoice }) => invoice && VISIT.invoiceNumber({ number: invoice.number }),
    },
    {
      id: 'picture',
      title: VISIT.pictures,
      isHidden: true,
      cell: (visit) => {
        const photo = visit.entrancePhoto?.url ? visit.entrancePhoto : visit.exitPhoto;
        return (
          <PhotoPicture
            size="small"
            photoId={photo?.url ? photo.id : null}
            name={VISIT.atEntry({ plate: plateText(visit) })}
          />
        );
      },
    },
    { id: 'flags', title: VISIT.flags, isWide: true, cell: (visit) => <FlagBadges {...visit} /> },
  ];
}

export function vehicleText(vehicle: Visit['vehicle']): string {
  return [vehicle?.make, vehicle?.model, vehicle?.color].filter(Boolean).join(' ');
}

export function Stay({ startedOn, endedOn }: Pick<Visit, 'startedOn' | 'endedOn'>) {
  const now = useNow();
  return durationText((endedOn === null ? now : Date.parse(endedOn)) - Date.parse(startedOn));
}
