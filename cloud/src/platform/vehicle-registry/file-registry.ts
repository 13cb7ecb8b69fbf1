import { readFile, stat } from 'node:fs/promises';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { inputWords } from '@hlid/protocol/base/mistakes/input-words';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { z } from 'zod';
import type { RegisteredVehicle, VehicleRegistry } from './vehicle-registry.ts';

const text = z.string().min(1).nullable().default(null);
const number = z.int().min(0).nullable().default(null);
const day = z.iso.date().nullable().default(null);
const HolderSchema = z
  .strictObject({ ssn: text, name: text, insuranceCode: text, registrationDate: day, purchaseDate: day })
  .nullable()
  .default(null);

/** A list of vehicles, each with the fields of `RegisteredVehicle`; all but `regno` may be left out. */
const FileSchema = z.array(
  z.strictObject({
    regno: z.string().refine((plate) => normalisePlate(plate) !== '', 'a plate has a letter or a digit'),
    permno: text,
    vin: text,
    seats: number,
    passengers: number,
    vehicleCategory: text,
    vehicleGroup: text,
    useGroup: text,
    make: text,
    model: text,
    modelYear: number,
    color: text,
    massinro: number,
    massladen: number,
    taxGroup: text,
    registeredOn: day,
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .default(null),
    operator: HolderSchema,
    owner: HolderSchema,
  }),
);

interface Read {
  /** Inode, time and size of the file. */
  version: string;
  byPlate: Map<string, RegisteredVehicle>;
  byId: Map<string, RegisteredVehicle>;
}

/** A register in a JSON file, for a demo, for tests, and for a company that keeps its own; read again when changed. */
export class FileRegistry implements VehicleRegistry {
  readonly source = 'file';
  readonly #path: string;
  #read: Read | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async find(by: { plate: string } | { id: string }): Promise<RegisteredVehicle | null> {
    const { byPlate, byId } = await this.#vehicles();
    return ('plate' in by ? byPlate.get(normalisePlate(by.plate)) : byId.get(by.id)) ?? null;
  }

  async #vehicles(): Promise<Read> {
    try {
      const { mtimeMs, size, ino } = await stat(this.#path);
      const version = `${ino} ${mtimeMs} ${size}`;
      if (this.#read?.version === version) return this.#read;
      const json: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      const vehicles = FileSchema.parse(json);
      this.#read = {
        version,
        byPlate: new Map(vehicles.map((vehicle) => [normalisePlate(vehicle.regno), vehicle])),
        byId: new Map(
          vehicles.flatMap((vehicle) => (vehicle.permno === null ? [] : [[vehicle.permno, vehicle]])),
        ),
      };
      return this.#read;
    } catch (cause) {
      throw new Fault('peer-misbehaved', `The file of vehicles cannot be read: ${whatIsWrong(cause)}`, {
        cause,
      });
    }
  }
}

/**
 * The fault without the content of the file: that has plates and people in it, and this goes into the log.
 */
function whatIsWrong(cause: unknown): string {
  if (cause instanceof SyntaxError) return 'it is not JSON';
  if (!(cause instanceof z.ZodError)) return messageOf(cause);
  return cause.issues
    .map((issue) => `${issue.path.join('.') || 'the file'}: ${inputWords(issue)}`)
    .join('; ');
}
