import type { Permission } from '../../shell/session.ts';

/** Kinds of work at a car park, with the permissions that each needs. Null: everything. */
const DUTIES = {
  everything: null,
  lanes: ['lanes', 'visits'],
  office: ['visits', 'money', 'people'],
  money: ['money'],
  devices: ['lanes', 'devices'],
} as const satisfies Record<string, readonly Permission[] | null>;

export type Duty = keyof typeof DUTIES;
export const DUTY_NAMES = Object.keys(DUTIES).filter((name): name is Duty => name in DUTIES);

export function permissionsOf(duty: Duty): readonly Permission[] | null {
  return DUTIES[duty];
}

/** The kind of work with just these permissions; null: they are chosen one by one. */
export function dutyOf(permissions: readonly Permission[] | null): Duty | null {
  return DUTY_NAMES.find((name) => isSame(DUTIES[name], permissions)) ?? null;
}

function isSame(one: readonly Permission[] | null, other: readonly Permission[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((permission) => other.includes(permission));
}
