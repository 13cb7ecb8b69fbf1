import type {
  Driver,
  DriverCharges,
  DriverChargesPage,
  DriverFault,
  DriverLogin,
  DriverOptions,
  DriverSession,
  DriverSettings,
} from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { isObject, request } from './pay-cloud.ts';

/**
 * The result of a call; `logged-out`: the token is no longer valid; `lost`: it is unknown if the call
 * arrived.
 */
export type DriverAnswer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; fault: DriverFault | 'failed' }
  | { kind: 'logged-out' }
  | { kind: 'lost' };

type Check<T> = (value: unknown) => value is T;

/** The cloud's API for drivers' accounts. Nothing here throws. */
export class DriverCloud {
  login(body: DriverLogin, signal: AbortSignal): Promise<DriverAnswer<object>> {
    return call(DRIVER_PATHS.login, isObject, { signal, body });
  }

  options(signal: AbortSignal): Promise<DriverAnswer<DriverOptions>> {
    return call(DRIVER_PATHS.options, isOptions, { signal });
  }

  open(link: string, signal: AbortSignal): Promise<DriverAnswer<DriverSession>> {
    return call(DRIVER_PATHS.open, isSession, { signal, body: { link } });
  }

  me(token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.me, isDriver, { signal, token });
  }

  change(body: DriverSettings, token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.settings, isDriver, { signal, token, body });
  }

  addVehicle(
    proof: { payment: string } | { plate: string },
    token: string,
    signal: AbortSignal,
  ): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.addVehicle, isDriver, { signal, token, body: proof });
  }

  disconnectElectronicId(token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.disconnectElectronicId, isDriver, { signal, token, body: {} });
  }

  removeVehicle(plate: string, token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.removeVehicle, isDriver, { signal, token, body: { plate } });
  }

  storeCard(payment: string, token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.storeCard, isDriver, { signal, token, body: { payment } });
  }

  deleteCard(token: string, signal: AbortSignal): Promise<DriverAnswer<Driver>> {
    return call(DRIVER_PATHS.deleteCard, isDriver, { signal, token, body: {} });
  }

  charges(body: DriverChargesPage, token: string, signal: AbortSignal): Promise<DriverAnswer<DriverCharges>> {
    return call(DRIVER_PATHS.charges, isCharges, { signal, token, body });
  }

  logout(token: string, signal: AbortSignal): Promise<DriverAnswer<object>> {
    return call(DRIVER_PATHS.logout, isObject, { signal, token, body: {} });
  }

  erase(token: string, signal: AbortSignal): Promise<DriverAnswer<object>> {
    return call(DRIVER_PATHS.erase, isObject, { signal, token, body: {} });
  }
}

async function call<T>(
  path: string,
  check: Check<T>,
  options: { signal: AbortSignal; body?: object; token?: string },
): Promise<DriverAnswer<T>> {
  const reply = await request(path, options);
  if (reply === null) return { kind: 'lost' };
  const { ok, status, content } = reply;
  if (ok) return check(content) ? { kind: 'ok', value: content } : { kind: 'refused', fault: 'failed' };
  if (options.token !== undefined && (status === 401 || status === 403)) return { kind: 'logged-out' };
  // A proxy's own page has no information about the call.
  return isRefusal(content) ? { kind: 'refused', fault: content.code } : { kind: 'lost' };
}

function isDriver(value: unknown): value is Driver {
  return isObject(value) && typeof value['email'] === 'string' && Array.isArray(value['vehicles']);
}

function isOptions(value: unknown): value is DriverOptions {
  return isObject(value) && typeof value['electronicId'] === 'boolean';
}

function isCharges(value: unknown): value is DriverCharges {
  return isObject(value) && Array.isArray(value['charges']);
}

function isSession(value: unknown): value is DriverSession {
  return isObject(value) && typeof value['token'] === 'string' && isDriver(value['driver']);
}

function isRefusal(value: unknown): value is { code: DriverFault } {
  return isObject(value) && typeof value['code'] === 'string';
}
