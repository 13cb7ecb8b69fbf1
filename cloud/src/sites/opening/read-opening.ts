import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { vatOf } from '@hlid/protocol/base/vat';
import { siteVatAt, vatOfFee } from '@hlid/protocol/base/vat-schema';
import type { DeviceKind } from '@hlid/protocol/records/device';
import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { productAt } from '@hlid/protocol/tariff/product-at';
import { productsSoldAt } from '../../money/products/find-products.ts';
import { siteProduct } from '../../money/products/product.ts';
import { callerNames } from '../../people/auth/caller-names.ts';
import type { Queries } from '../../platform/db/db.ts';
import { listCameras } from '../../records/cameras/find-cameras.ts';
import { type DeviceRow, listDevices } from '../../records/devices/device-store.ts';
import type { ProductRow } from '../../records/products/product-table.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import type { SiteWithLink } from '../../records/sites/site-store.ts';
import { postingCamera } from '../devices/device.ts';
import type { Opening } from './opening.ts';
import { type OpeningFacts, openingSteps } from './opening-rule.ts';
import {
  carsThatLeft,
  countZones,
  lastReadOf,
  listAnswers,
  newestCodeOf,
  newestOpenings,
  type StepAnswerRow,
  testVisitOf,
} from './opening-store.ts';

/** A site is in use once this number of cars has left it. */
const CARS_OF_A_SITE_IN_USE = 20;

/**
 * How far the opening of a site is.
 *
 * @param board what happens at its lanes now; null: the site is away, or does not answer
 */
export async function readOpening(
  q: Queries,
  siteId: string,
  board: SiteBoard | null,
  now: UtcTime,
): Promise<Opening | null> {
  const found = await findSite(q, siteId);
  if (found === null) return null;
  const answers = await listAnswers(q, siteId);
  const devices = await listDevices(q, siteId);
  const ofKind = (kind: DeviceKind) => devices.filter((device) => device.kind === kind);
  const hasEdge = hasSpoken(found);
  const cameras = hasEdge ? await edgeCameras(q, found, devices) : await postingCameras(q, found, devices);
  const lanes = await lanesOf(q, siteId, ofKind('gate'), board);
  const products = await productsSoldAt(q, siteId);
  const test = answers.find(({ step }) => step === 'test-car');
  const visit = test?.visitId == null ? null : await testVisitOf(q, test.visitId);
  const shown = {
    connected: found.presence?.connected ?? false,
    zones: await countZones(q, siteId),
    code: await newestCodeOf(q, siteId),
    cameras,
    lanes,
    terminals: ofKind('terminal').map(deviceOf),
    kiosks: ofKind('kiosk').map(deviceOf),
    products: products.map((row) => shownProduct(row, found.site, now)),
    testVisit: visit && shownVisit(visit),
  };
  const facts = {
    ...factsOf(found, answers, now),
    ...shown,
    edge: hasEdge ? { connected: shown.connected } : null,
    products: products.length,
    isVatOpen: shown.products.some(({ vatCategory, isFeeVatOpen }) => vatCategory === null || isFeeVatOpen),
    isInUse: (await carsThatLeft(q, siteId, CARS_OF_A_SITE_IN_USE, test?.visitId)) >= CARS_OF_A_SITE_IN_USE,
  } satisfies OpeningFacts;
  const names = await callerNames(
    q,
    answers.map(({ by }) => by),
  );
  return {
    siteId,
    steps: openingSteps(facts).map((outcome) => {
      const row = answers.find(({ step }) => step === outcome.step);
      return { ...outcome, answered: row === undefined ? null : answeredOf(row, names) };
    }),
    facts: shown,
  };
}

function factsOf({ site }: SiteWithLink, answers: readonly StepAnswerRow[], now: UtcTime) {
  const { address, openingHours, capacity, permitsOnly, seller } = site.settings;
  return {
    now,
    address: address ?? null,
    openingHours: openingHours ?? null,
    capacity,
    permitsOnly,
    seller: seller === undefined ? null : { vatNumber: seller.vatNumber ?? null },
    answers: new Map(answers.map(({ step, answer }) => [step, answer])),
  };
}

function shownProduct(row: ProductRow, { settings, timeZone }: SiteWithLink['site'], now: UtcTime) {
  const { id, name, config, ...product } = productAt(siteProduct(row), now, timeZone, settings.vat);
  const vat = vatOf(product);
  const ofFees = vatOfFee(siteVatAt(settings.vat, now, timeZone).fees, vat);
  const { lateFee, serviceFees } = config.tariff ?? {};
  const hasFees =
    (settings.chargesLateFees === true && lateFee !== undefined) ||
    (settings.chargesServiceFees === true && serviceFees?.kiosk !== undefined);
  return {
    id,
    name,
    vatRate: vat.rate,
    vatCategory: vat.category,
    vatReason: vat.reason,
    isFeeVatOpen: hasFees && ofFees.category === null,
    isOwn: row.siteId !== null,
  };
}

/** Whether an edge daemon has ever been connected. */
function hasSpoken({ presence }: SiteWithLink): boolean {
  return presence !== null;
}

function deviceOf({ deviceId: id, name, state }: DeviceRow) {
  return { id, name, state };
}

/** The cameras of the site's own configuration, with what people call them here. */
async function edgeCameras(q: Queries, { site }: SiteWithLink, devices: readonly DeviceRow[]) {
  const registered = await listCameras(q, { siteId: site.id });
  const own = devices.filter(({ kind, deviceId }) => kind === 'camera' && !deviceId.includes(':'));
  const ids = new Set([
    ...own.map(({ deviceId }) => deviceId),
    ...registered.map(({ remoteId }) => remoteId),
  ]);
  const cameras = [...ids].toSorted().map(async (id) => {
    const camera = registered.find(({ remoteId }) => remoteId === id);
    const state = own.find(({ deviceId }) => deviceId === id)?.state ?? null;
    return await cameraOf(q, site.id, { id, state, camera });
  });
  return await Promise.all(cameras);
}

/** The cameras that post to the cloud. */
async function postingCameras(q: Queries, { site }: SiteWithLink, devices: readonly DeviceRow[]) {
  const cameras = (await listCameras(q, { siteId: site.id })).toReversed().map(async (camera) => {
    const { deviceId } = postingCamera(camera.id);
    const state = devices.find((one) => one.kind === 'camera' && one.deviceId === deviceId)?.state ?? null;
    return await cameraOf(q, site.id, { id: camera.remoteId, state, camera });
  });
  return await Promise.all(cameras);
}

async function cameraOf(
  q: Queries,
  siteId: string,
  {
    id,
    state,
    camera,
  }: {
    id: string;
    state: DeviceRow['state'] | null;
    camera: Awaited<ReturnType<typeof listCameras>>[number] | undefined;
  },
) {
  const read = await lastReadOf(q, siteId, id);
  return {
    id,
    cameraId: camera?.id ?? null,
    name: camera?.name ?? null,
    location: camera?.location ?? null,
    state,
    lastReadOn: read?.receivedAt ?? null,
  };
}

/** The lanes by their gates, and by what the site shows now: a lane without a gate is known by that alone. */
async function lanesOf(
  q: Queries,
  siteId: string,
  gates: readonly DeviceRow[],
  board: SiteBoard | null,
): Promise<Opening['facts']['lanes']> {
  const tried = await newestOpenings(q, siteId);
  const ids = new Set([
    ...gates.map(({ deviceId }) => deviceId),
    ...(board?.lanes ?? []).map(({ id }) => id),
  ]);
  return [...ids].toSorted().map((id) => {
    const lane = board?.lanes.find((one) => one.id === id);
    return {
      id,
      name: lane?.name ?? null,
      direction: lane?.direction ?? null,
      hasGate: lane === undefined || lane.gate.state !== 'none',
      gate: gates.find(({ deviceId }) => deviceId === id)?.state ?? null,
      triedOn: tried.get(id) ?? null,
    };
  });
}

function shownVisit({ siteId: _, ...visit }: NonNullable<Awaited<ReturnType<typeof testVisitOf>>>) {
  return visit;
}

function answeredOf({ answer, by, at }: StepAnswerRow, names: ReadonlyMap<string, string>) {
  return { answer, by, byName: names.get(by) ?? null, on: at };
}
