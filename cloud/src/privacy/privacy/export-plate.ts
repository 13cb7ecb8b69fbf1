import type { Queries } from '../../platform/db/db.ts';
import type { PlateExport } from './plate-export.ts';
import { plateRows } from './plate-rows.ts';

/** Everything about one plate, for the person who owns it. */
export async function exportPlate(q: Queries, plate: string): Promise<PlateExport> {
  const rows = await plateRows(q, plate);
  return {
    plate,
    visits: rows.visits.map((visit) => ({
      id: visit.id,
      siteId: visit.siteId,
      startedOn: visit.startedAt,
      endedOn: visit.endedAt,
      status: visit.status,
      paymentStatus: visit.paymentStatus,
      amount: visit.amountMinor,
      currency: visit.currency,
      flags: visit.flags,
    })),
    photos: rows.photos.map(
      ({ id, siteId, cameraId, plate: read, score, country, capturedAt, receivedAt, url }) => ({
        id,
        siteId,
        cameraId,
        plate: read,
        score,
        country,
        capturedOn: capturedAt ?? receivedAt,
        picture: url === null ? null : `/photo/${id}/picture`,
      }),
    ),
    passages: rows.decisions.map(({ siteId, laneId, direction, open, reason, at }) => ({
      siteId,
      laneId,
      direction,
      open,
      reason,
      on: at,
    })),
    alerts: rows.alerts.map(({ siteId, laneId, alert, at }) => ({ siteId, laneId, alert, on: at })),
    whitelist: rows.whitelist.map(({ id, reason, effect, status, activeFrom, expireAt, createdAt }) => ({
      id,
      reason,
      objectType: effect,
      status,
      activeFrom,
      expireOn: expireAt,
      createdOn: createdAt,
    })),
    vehicles: rows.vehicles.map(({ id, make, model, modelYear, color, category, country, source }) => ({
      id,
      make,
      model,
      modelYear,
      color,
      category,
      country,
      source,
    })),
    custody: rows.custody.map(({ id, customerId, dateFrom, dateTo, status }) => ({
      id,
      customerId,
      dateFrom,
      dateTo,
      status,
    })),
    automaticPayments: rows.drivers.map(({ proof, provedAt }) => ({ proof, since: provedAt })),
    payments: rows.payments.map(({ id, state, amountMinor, currency, transaction, createdAt }) => ({
      id,
      state,
      amount: amountMinor,
      currency,
      card: transaction?.card ?? null,
      createdOn: createdAt,
    })),
    invoices: rows.invoices.map(({ id, number, status, amountMinor, currency, createdAt }) => ({
      id,
      number,
      status,
      amount: amountMinor,
      currency,
      createdOn: createdAt,
    })),
  };
}
