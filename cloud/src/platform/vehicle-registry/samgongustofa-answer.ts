import { normalisePlate } from '@hlid/protocol/plate/plate';
import { z } from 'zod';
import type { RegisteredHolder, RegisteredVehicle } from './vehicle-registry.ts';

/** A missing, null or empty value counts as not given, whatever its type. */
function perhaps<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' || value === undefined ? null : value), schema.nullable());
}

const text = perhaps(z.union([z.string().trim(), z.number().transform(String)]));
const number = perhaps(z.coerce.number().int().min(0).max(1_000_000));
/** `2018-04-11`, or the same with a time behind it. */
const day = perhaps(
  z
    .string()
    .transform((value) => value.slice(0, 'YYYY-MM-DD'.length))
    .pipe(z.iso.date()),
);
const yes = z.union([z.boolean(), z.literal([0, 1, '0', '1']).transform((value) => Number(value) === 1)]);
const list = <Schema extends z.ZodType>(schema: Schema) =>
  perhaps(z.array(schema)).transform((rows) => rows ?? []);

const holder = { current: yes, persidno: text, fullname: text };

/** A vehicle in the spelling of the Icelandic Transport Authority. Of its hundred fields, those that we use. */
const SamgongustofaAnswerSchema = z.object({
  permno: text,
  // Empty where it has no plate; absent where this is no vehicle.
  regno: z.string().nullable(),
  vin: text,
  make: text,
  vehcom: text,
  color: text,
  modelyear: number,
  firstregdate: day,
  usegroup: text,
  taxgroup: text,
  eucategory: text,
  // The misspelling is theirs; newer answers may have mended it.
  techincal: z.unknown().optional(),
  technical: z.unknown().optional(),
  owners: list(z.object({ ...holder, purchasedate: day, ownregdate: day, ownerinsurancecode: text })),
  operators: list(z.object({ ...holder, mainoperator: yes.nullish(), startdate: day })),
});

const TechnicalSchema = z
  .object({
    vehgroup: text,
    pass: number,
    seatno: number,
    mass: z.object({ massinro: number, massladen: number }).nullish(),
  })
  .nullish();

/** `Fólksbifreið (M1)`: the category of the EU stands in brackets. */
const EU_CATEGORY = /\(([A-Z]\d[A-Z]?)\)/;

/**
 * The vehicle of such an answer; null if it has no plate, or is empty. Throws ZodError if it is something else than a
 * vehicle.
 */
export function readSamgongustofaAnswer(answer: unknown): RegisteredVehicle | null {
  if (isEmpty(answer)) return null;
  const record = SamgongustofaAnswerSchema.parse(answer);
  const regno = normalisePlate(record.regno ?? '');
  if (regno === '') return null;
  const technical = TechnicalSchema.parse(record.techincal ?? record.technical);
  const vehicleGroup = technical?.vehgroup ?? null;
  const owner = record.owners.find(({ current }) => current);
  const operators = record.operators.filter(({ current }) => current);
  const operator = operators.find(({ mainoperator }) => mainoperator) ?? operators[0];
  return {
    regno,
    permno: record.permno,
    vin: record.vin,
    seats: technical?.seatno ?? null,
    passengers: technical?.pass ?? null,
    vehicleCategory: record.eucategory ?? EU_CATEGORY.exec(vehicleGroup ?? '')?.[1] ?? null,
    vehicleGroup,
    useGroup: record.usegroup,
    make: record.make,
    model: record.vehcom,
    modelYear: record.modelyear,
    color: record.color,
    massinro: technical?.mass?.massinro ?? null,
    massladen: technical?.mass?.massladen ?? null,
    taxGroup: record.taxgroup,
    registeredOn: record.firstregdate,
    // Its own `country` is the one where the vehicle was made.
    country: 'IS',
    operator: operator === undefined ? null : holderFrom(operator, { registrationDate: operator.startdate }),
    owner:
      owner === undefined
        ? null
        : holderFrom(owner, {
            insuranceCode: owner.ownerinsurancecode,
            registrationDate: owner.ownregdate,
            purchaseDate: owner.purchasedate,
          }),
  };
}

function isEmpty(answer: unknown): boolean {
  return answer === null || (typeof answer === 'object' && Object.keys(answer).length === 0);
}

function holderFrom(
  { persidno, fullname }: { persidno: string | null; fullname: string | null },
  more: Partial<RegisteredHolder>,
): RegisteredHolder {
  return {
    ssn: persidno,
    name: fullname,
    insuranceCode: null,
    registrationDate: null,
    purchaseDate: null,
    ...more,
  };
}
