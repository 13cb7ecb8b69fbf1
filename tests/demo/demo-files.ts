import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LessonRunSchema } from '@hlid/cloud/platform/trainer';
import { z } from 'zod';
import { newSecret } from '../harness/new-secret.ts';
import { newPlate } from '../sim/plates.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import type { MemoryKeeper, ZvtEntry } from '../sim/zvt-book.ts';
import { FleetSchema, newFleet } from './demo-fleet.ts';
import type { LessonRuns } from './trainer.ts';

/** The state of the demo between its runs, beside the programs' own data. */
const DemoStateSchema = z.object({
  apiKey: z.string(),
  operator: z.object({ id: z.string(), password: z.string() }),
  /** The push tokens by camera. */
  tokens: z.record(z.string(), z.string()),
  permitPlates: z.array(z.string()),
  fleet: FleetSchema,
  /** Null until the site is made in the cloud. */
  site: z.object({ siteId: z.string(), secret: z.string() }).nullable(),
  /** Products, cameras, permits and the zone are there. */
  seeded: z.boolean(),
  /** The customers of the fleet and its permits are there. */
  hasCustomers: z.boolean(),
  /** The driver with the simulated phone has an account. */
  hasDriver: z.boolean().default(false),
  /** A driver of the demo has stored a card. */
  hasStoredCard: z.boolean(),
  /** Counts the runs: each has its own chance. */
  run: z.int(),
});
export type DemoState = z.infer<typeof DemoStateSchema>;

const CardSchema = z.object({
  number: z.string(),
  name: z.string(),
  aid: z.string(),
  type: z.number(),
  answer: z.number(),
});
const EntrySchema = z.object({
  receipt: z.int(),
  trace: z.int(),
  amountMinor: z.int(),
  card: CardSchema.nullable(),
  at: z.string(),
  originalTrace: z.int().nullable(),
});
const TerminalSchema = z.object({
  receipt: z.int(),
  trace: z.int(),
  newest: EntrySchema.nullable(),
  turnover: z.array(EntrySchema),
});

const RunsSchema = z.record(z.string(), z.array(LessonRunSchema));

const CarsSchema = z.array(
  z.object({
    plate: z.string(),
    kind: z.enum(['permit', 'regular', 'visitor', 'turns-round', 'pays-first']),
    leavesAt: z.number(),
    refused: z.int(),
  }),
);
export type ParkedCars = z.infer<typeof CarsSchema>;

/** The facts that a script needs, in `demo.json`. */
export interface DemoDescription {
  cloudUrl: string;
  edgeUrl: string;
  kioskUrl: string;
  /** The payment page of the site, for drivers. */
  payUrl: string;
  /** The driver's login: by electronic identity with a simulated phone, which accepts. */
  driver: { url: string; phone: string; kennitala: string; email: string; plate: string };
  consoleUrl: string;
  mqttUrl: string;
  apiKey: string;
  operator: { id: string; password: string };
  /** `{format}` in a push URL is replaced by the maker's format. */
  cameras: { id: string; lane: string; direction: 'entry' | 'exit'; pushUrl: string }[];
  terminal: { id: string };
  /**
   * The driver with a card that pays at the exit: mails to `email` are files in `mailFolder`, the login link
   * too.
   */
  storedCard: { plate: string; email: string; driverUrl: string; mailFolder: string };
}

const PERMITS = 12;

/** The demo's own files in its data folder. They hold secrets, so only their owner may read them. */
export function demoFiles(folder: string) {
  const path = {
    description: join(folder, 'demo.json'),
    state: join(folder, 'demo-state.json'),
    cars: join(folder, 'demo-cars.json'),
    terminal: join(folder, 'demo-terminal.json'),
    lessons: join(folder, 'demo-lessons.json'),
    nextCard: join(folder, 'next-card'),
    mail: join(folder, 'mail'),
  };
  /** The memory of the simulated card terminal; no whole card number is on a disk, not even a made-up one. */
  const terminal: MemoryKeeper = {
    read: () => readJson(path.terminal, TerminalSchema),
    write: ({ newest, turnover, ...counts }) =>
      writeJson(path.terminal, {
        ...counts,
        newest: newest && masked(newest),
        turnover: turnover.map(masked),
      }),
  };
  return {
    path,
    /**
     * The state that the last run left, or a new one. The operator's login in `demo.json` wins: people change
     * passwords.
     */
    readState(): DemoState {
      const state = readJson(path.state, DemoStateSchema) ?? newState();
      const description = readJson(path.description, DemoStateSchema.pick({ apiKey: true, operator: true }));
      return { ...state, ...description };
    },
    writeState: (state: DemoState) => writeJson(path.state, state),
    writeDescription: (description: DemoDescription) => writeJson(path.description, description),
    readCars: () => readJson(path.cars, CarsSchema) ?? [],
    writeCars: (cars: readonly ParkedCars[number][]) => writeJson(path.cars, cars),
    readRuns: (): LessonRuns => readJson(path.lessons, RunsSchema) ?? {},
    writeRuns: (runs: LessonRuns) => writeJson(path.lessons, runs),
    terminal,
  };
}

function newState(): DemoState {
  const random = seededRandom(Date.now());
  const permitPlates = Array.from({ length: PERMITS }, () => newPlate(random));
  return {
    apiKey: newSecret(),
    operator: { id: 'operator', password: newSecret() },
    tokens: {},
    permitPlates,
    fleet: newFleet(random, permitPlates),
    site: null,
    seeded: false,
    hasCustomers: false,
    hasDriver: false,
    hasStoredCard: false,
    run: 0,
  };
}

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | null {
  if (!existsSync(path)) return null;
  const parsed = schema.safeParse(parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} is not as the demo wrote it: ${z.prettifyError(parsed.error)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function masked({ card, ...entry }: ZvtEntry) {
  if (!card) return { ...entry, card };
  const { number, name, aid, type, answer } = card;
  const shown = number.slice(-4).padStart(number.length, '*');
  return { ...entry, card: { number: shown, name, aid, type, answer } };
}

/** Writes the file in one move, so that a power cut leaves the old file or the new one. */
function writeJson(path: string, content: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
