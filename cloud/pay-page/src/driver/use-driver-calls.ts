import type { Driver } from '@hlid/protocol/pages/driver-api';
import { every } from '@hlid/ui/every';
import { useEffect } from 'react';
import type { DriverAnswer, DriverCloud } from '../driver-cloud.ts';
import { readCardToStore, writeCardToStore } from '../driver-storage.ts';
import type { DriverAction, DriverCall, DriverState } from './driver-state.ts';
import { storeCard } from './store-card.ts';

const RETRY_MS = 3000;
/** The interval of reading while a charge is being checked. */
const CHECKING_EVERY_MS = 5000;

interface CallContext {
  cloud: DriverCloud;
  state: DriverState;
  dispatch: (action: DriverAction) => void;
}

/** Calls the cloud for what the state asks. */
export function useDriverCalls({ cloud, state, dispatch }: CallContext): void {
  const { call, token, step, language } = state;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a call keeps the language and token that it began with.
  useEffect(() => {
    if (call === null) return;
    const stop = every(RETRY_MS, async (signal) => {
      const answer = await make(call, { cloud, token: token ?? '', language }, signal);
      if (signal.aborted) return;
      dispatch({ type: 'online', online: answer.kind !== 'lost' });
      if (answer.kind === 'lost') return;
      stop();
      dispatch(actionOf(answer));
    });
    return stop;
  }, [cloud, call, dispatch]);

  const isChecking = step.at === 'home' && step.driver.checking && call === null;
  useEffect(() => {
    if (!isChecking) return;
    const timer = setTimeout(() => dispatch({ type: 'call', call: { do: 'me' } }), CHECKING_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isChecking, dispatch]);
}

type Tools = { cloud: DriverCloud; token: string; language: DriverState['language'] };

async function make(
  call: DriverCall,
  { cloud, token, language }: Tools,
  signal: AbortSignal,
): Promise<DriverAnswer<DriverAction>> {
  const driverAction = (driver: Driver): DriverAction => ({ type: 'driver', driver });
  switch (call.do) {
    case 'open':
      return as(await cloud.open(call.link, signal), (session) => ({
        type: 'opened',
        session,
        card: readCardToStore(),
      }));
    case 'enter': {
      const answer = await cloud.me(call.token, signal);
      return as(answer, (driver) => ({
        type: 'opened',
        session: { token: call.token, driver },
        card: readCardToStore(),
      }));
    }
    case 'disconnect':
      return as(await cloud.disconnectElectronicId(token, signal), driverAction);
    case 'add':
      return as(await cloud.addVehicle({ plate: call.plate }, token, signal), driverAction);
    case 'me':
      return as(await cloud.me(token, signal), driverAction);
    case 'login':
      return as(await cloud.login({ email: call.email, language }, signal), () => ({ type: 'sent' }));
    case 'settings':
      return as(await cloud.change(call.settings, token, signal), driverAction);
    case 'store': {
      const answer = await storeCard(cloud, call.card, token, signal);
      if (answer.kind === 'ok' && !signal.aborted) writeCardToStore(null);
      return as(answer, ({ driver, fault }) => ({ type: 'driver', driver, ...(fault && { notice: fault }) }));
    }
    case 'delete-card':
      return as(await cloud.deleteCard(token, signal), driverAction);
    case 'remove':
      return as(await cloud.removeVehicle(call.plate, token, signal), driverAction);
    case 'erase':
      return as(await cloud.erase(token, signal), () => ({ type: 'erased' }));
    case 'logout':
      return as(await cloud.logout(token, signal), () => ({ type: 'logged-out', notice: null }));
    default:
      return call satisfies never;
  }
}

function as<T>(answer: DriverAnswer<T>, actionOf: (value: T) => DriverAction): DriverAnswer<DriverAction> {
  return answer.kind === 'ok' ? { kind: 'ok', value: actionOf(answer.value) } : answer;
}

function actionOf(answer: Exclude<DriverAnswer<DriverAction>, { kind: 'lost' }>): DriverAction {
  switch (answer.kind) {
    case 'ok':
      return answer.value;
    case 'refused':
      return { type: 'refused', fault: answer.fault };
    case 'logged-out':
      return { type: 'logged-out', notice: 'logged-out' };
    default:
      return answer satisfies never;
  }
}
