import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { newPlate } from '../sim/plates.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';

const PlatesSchema = z.array(z.string());

/** The plates of the demo that are more than a passer-by's. */
export const FleetSchema = z.object({
  /** The cars of a company that is billed each month; the last one is a truck. */
  company: PlatesSchema,
  /** The cars of a company that has paid for a number of days in advance. */
  prepaid: PlatesSchema,
  /** Permits by weekday and hour: one is for the day, the other for the night and the weekend. */
  dayShift: PlatesSchema,
  nightShift: PlatesSchema,
  /** Trucks without a customer; they pay the price of heavy vehicles. */
  trucks: PlatesSchema,
  /** The cars of a driver with a stored card that pays at the exit. */
  storedCard: PlatesSchema,
});
export type Fleet = z.infer<typeof FleetSchema>;

/** The names of these cars' journeys, for a manager. */
export function journeysOf({
  company,
  prepaid,
  dayShift,
  nightShift,
  trucks,
  storedCard,
}: Fleet): ReadonlyMap<string, string> {
  const named = (name: string, plates: readonly string[]) => plates.map((plate) => [plate, name] as const);
  return new Map([
    ...named('company car', company),
    ...named('prepaid car', prepaid),
    ...named('day shift', dayShift),
    ...named('night shift', nightShift),
    ...named('truck', trucks),
    ...named('stored card', storedCard),
  ]);
}

/** @param taken plates that are already in use */
export function newFleet(random: SeededRandom, taken: readonly string[]): Fleet {
  const used = new Set(taken);
  const plates = (count: number) => Array.from({ length: count }, () => unusedPlate(random, used));
  return {
    company: plates(4),
    prepaid: plates(4),
    dayShift: plates(2),
    nightShift: plates(2),
    trucks: plates(3),
    storedCard: plates(1),
  };
}

function unusedPlate(random: SeededRandom, used: Set<string>): string {
  let plate = newPlate(random);
  while (used.has(plate)) plate = newPlate(random);
  used.add(plate);
  return plate;
}

const SAMPLES = new URL('../fixtures/vehicles/registry.json', import.meta.url);
const SampleVehiclesSchema = z.array(
  z.looseObject({ regno: z.string(), vehicleCategory: z.string(), massladen: z.int() }),
);
const HEAVY_OVER_KG = 3500;
/** A person with a simulated phone, who may log in by it: to an office, and as a driver with her own car. */
export const DEMO_DRIVER = {
  ssn: '1201603389',
  phone: '6123456',
  name: 'Anna Jónsdóttir',
  email: 'anna@example.is',
  plate: 'ANNA1',
} as const;

const CLOUD_COMMENT = `# Written by the first \`npm start\` in this folder, and yours from then on. deploy/cloud.yaml has all that can stand here.
`;
const CLOUD_YAML = `${CLOUD_COMMENT}
# A register of vehicles in a file: who is heavy pays as such.
vehicleRegistry: { file: vehicles.json }

# Simulated phones for logging in by electronic identity: the first one accepts, the second one refuses.
testElectronicId: true
electronicId:
  kind: testing
  people:
    - { ssn: "${DEMO_DRIVER.ssn}", phone: "${DEMO_DRIVER.phone}", name: ${DEMO_DRIVER.name} }
    - { ssn: "1201743399", phone: "7123456", name: Jón Jónsson, does: cancel }

# So that a webhook can lead to a program on this machine.
allowInternalWebhooks: true

# The payment page takes cards, and no money moves. The last four digits of a card decide how its payment ends; with
# testing, every card pays.
testGateways: true
cardGateways:
  - kind: testing2
  - kind: testing
cardGateway: testing2
`;

/** The cloud's configuration and its register of vehicles, where the data folder has none. */
export function writeCloudFiles(folder: string, fleet: Fleet): void {
  writeNew(join(folder, 'vehicles.json'), `${JSON.stringify(registerOf(fleet), null, 2)}\n`);
  writeNew(join(folder, 'cloud.yaml'), CLOUD_YAML);
}

function writeNew(path: string, text: string): void {
  if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600 });
}

/** The vehicles of the fixtures, and the fleet's like them. */
function registerOf({ company, prepaid, dayShift, nightShift, trucks, storedCard }: Fleet): object[] {
  const json: unknown = JSON.parse(readFileSync(SAMPLES, 'utf8'));
  const samples = SampleVehiclesSchema.parse(json);
  const car = samples.find(({ massladen }) => massladen <= HEAVY_OVER_KG);
  const truck = samples.find(({ massladen }) => massladen > HEAVY_OVER_KG);
  const like = (plates: readonly string[], sample: object | undefined) =>
    plates.map((regno) => ({ ...sample, regno, permno: null, vin: null }));
  const owner = { ssn: DEMO_DRIVER.ssn, name: DEMO_DRIVER.name };
  return [
    ...samples,
    ...like([DEMO_DRIVER.plate], { ...car, owner }),
    ...like([...company.slice(0, -1), ...prepaid, ...dayShift, ...nightShift, ...storedCard], car),
    ...like([...company.slice(-1), ...trucks], truck),
  ];
}
