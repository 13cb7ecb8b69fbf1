/** A person or company that a registry names for a vehicle. */
export interface RegisteredHolder {
  ssn: string | null;
  name: string | null;
  insuranceCode: string | null;
  /** `YYYY-MM-DD`. */
  registrationDate: string | null;
  purchaseDate: string | null;
}

/** A vehicle as a registry describes it; null: not given. Masses in kg, dates `YYYY-MM-DD`. */
export interface RegisteredVehicle {
  regno: string;
  /** Stays with the vehicle, whatever its plate. */
  permno: string | null;
  vin: string | null;
  seats: number | null;
  passengers: number | null;
  vehicleCategory: string | null;
  vehicleGroup: string | null;
  useGroup: string | null;
  make: string | null;
  model: string | null;
  modelYear: number | null;
  color: string | null;
  massinro: number | null;
  massladen: number | null;
  taxGroup: string | null;
  registeredOn: string | null;
  /** Two letters. */
  country: string | null;
  operator: RegisteredHolder | null;
  owner: RegisteredHolder | null;
}

/** A register of vehicles that can be asked. Throws Fault `link-lost` or `peer-misbehaved` where it cannot answer. */
export interface VehicleRegistry {
  /** Its name in the `source` of a vehicle. */
  readonly source: string;
  /** @returns null where there is no such vehicle */
  find(by: { plate: string } | { id: string }, signal: AbortSignal): Promise<RegisteredVehicle | null>;
}
