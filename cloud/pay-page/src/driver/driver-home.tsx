import { formatMoney } from '@hlid/protocol/base/money';
import type { Driver } from '@hlid/protocol/pages/driver-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { every } from '@hlid/ui/every';
import { PlateSign } from '@hlid/ui/plate-sign';
import { type ReactNode, useEffect, useState } from 'react';
import { usePage } from '../pay-context.ts';
import { Frame } from '../ui/frame.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { ChargesPart, ChargesProps } from './charges/charges-part.tsx';
import { type DriverScreenProps, problemText } from './driver-screens.tsx';
import type { DriverAction, DriverStepAt } from './driver-state.ts';

const RETRY_MS = 5000;

type HomeProps = DriverScreenProps<DriverStepAt<'home'>>;

/** Card, cars and caps of a driver, and whether they pay. */
export function DriverHome(props: HomeProps) {
  const { words } = usePage();
  const { driver, notice } = props.step;
  const { isBusy, dispatch } = props;
  return (
    <Frame
      title={words.driver.title}
      lead={`${words.driver.account} ${driver.email}`}
      problem={problemText(notice, words)}
      className="driver"
    >
      <Standing {...props} />
      <CardPart {...props} />
      <VehiclesPart {...props} />
      <CapsPart {...props} />
      {props.identity && (
        <props.identity.screens.IdentityPart
          {...{ driver, notice, isBusy, dispatch }}
          hasRegister={props.identity.offered.register}
        />
      )}
      <LazyCharges token={props.token} isChecking={driver.checking} />
      <p className="leave-account">
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => dispatch({ type: 'call', call: { do: 'logout' } })}
        >
          {words.driver.logOut}
        </button>
        <button
          type="button"
          className="button quiet"
          disabled={isBusy}
          onClick={() => dispatch({ type: 'confirm', what: { do: 'erase' } })}
        >
          {words.driver.erase}
        </button>
      </p>
    </Frame>
  );
}

/** They load after the page itself. */
function LazyCharges(props: ChargesProps) {
  const [loaded, setLoaded] = useState<{ ChargesPart: typeof ChargesPart } | null>(null);
  useEffect(() => {
    const stop = every(RETRY_MS, async (signal) => {
      const part = await import('./charges/charges-part.tsx').catch(() => null);
      if (part === null || signal.aborted) return;
      stop();
      setLoaded(part);
    });
    return stop;
  }, []);
  return loaded && <loaded.ChargesPart {...props} />;
}

type Standings = 'active' | 'paused' | 'declined' | 'incomplete' | 'checking';

function standingOf({ checking, pausedFor, card, caps, vehicles }: Driver): Standings {
  if (checking) return 'checking';
  if (pausedFor !== null) return pausedFor === 'declined' ? 'declined' : 'paused';
  return card === null || caps === null || vehicles.length === 0 ? 'incomplete' : 'active';
}

const STANDINGS: Record<Standings, { icon: IconName; tone: 'good' | 'doubt' | 'plain' }> = {
  active: { icon: 'tick', tone: 'good' },
  paused: { icon: 'info', tone: 'plain' },
  declined: { icon: 'alert', tone: 'doubt' },
  incomplete: { icon: 'info', tone: 'plain' },
  checking: { icon: 'clock', tone: 'doubt' },
};

function Standing({ step: { driver }, isBusy, dispatch }: HomeProps) {
  const { words } = usePage();
  const standing = standingOf(driver);
  const { icon, tone } = STANDINGS[standing];
  const isPaused = driver.state === 'paused';
  const state = isPaused ? 'active' : 'paused';
  const resume = driver.pausedFor === 'declined' ? words.driver.tryAgain : words.driver.resume;
  // Without a card there is nothing to turn on.
  const canSwitch = driver.card !== null && (isPaused || standing === 'active');
  return (
    <section className="part">
      <div className="notice" data-tone={tone} role="status">
        <Icon name={icon} />
        <p>
          {words.driver[standing]}
          <small>{words.driver[`${standing}Lead`]}</small>
        </p>
      </div>
      {canSwitch && (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => dispatch({ type: 'call', call: { do: 'settings', settings: { state } } })}
        >
          {isPaused ? resume : words.driver.pause}
        </button>
      )}
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part bill">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function CardPart({ step: { driver }, isBusy, dispatch }: HomeProps) {
  const { words } = usePage();
  const { card } = driver;
  if (card === null) {
    return (
      <Part title={words.driver.card}>
        <p>{words.driver.noCard}</p>
        <a className="button" href={PAY_PATHS.page}>
          {words.title}
        </a>
      </Part>
    );
  }
  return (
    <Part title={words.driver.card}>
      <p className="stored-card">
        <strong>{cardText(card)}</strong>
        {card.expires !== null && (
          <small>{words.driver.validUntil({ date: expiryText(card.expires) })}</small>
        )}
      </p>
      <ConfirmButton what={{ do: 'delete-card' }} text={words.driver.deleteCard} {...{ isBusy, dispatch }} />
    </Part>
  );
}

function VehiclesPart({ step: { driver }, isBusy, dispatch }: HomeProps) {
  const { words } = usePage();
  return (
    <Part title={words.driver.vehicles}>
      {driver.vehicles.length === 0 && <p>{words.driver.noVehicles}</p>}
      {driver.vehicles.map(({ plate }) => (
        <div key={plate} className="stay-head">
          <PlateSign plate={plate} />
          <ConfirmButton
            what={{ do: 'remove', plate }}
            text={words.driver.remove({ plate })}
            {...{ isBusy, dispatch }}
          />
        </div>
      ))}
    </Part>
  );
}

function CapsPart({ step: { driver }, isBusy, dispatch }: HomeProps) {
  const { words, language } = usePage();
  const { caps } = driver;
  if (caps === null) {
    return (
      <Part title={words.driver.limits}>
        <p>{words.driver.noLimits}</p>
      </Part>
    );
  }
  const { currency, stayMinor, dayMinor } = caps;
  return (
    <Part title={words.driver.limits}>
      <dl className="facts">
        <dt>{words.driver.perStay({ currency })}</dt>
        <dd>{formatMoney({ amountMinor: stayMinor, currency }, language)}</dd>
        <dt>{words.driver.perDay({ currency })}</dt>
        <dd>{formatMoney({ amountMinor: dayMinor, currency }, language)}</dd>
      </dl>
      <button
        type="button"
        className="button quiet link"
        disabled={isBusy}
        onClick={() => dispatch({ type: 'edit-caps' })}
      >
        {words.driver.edit}
      </button>
    </Part>
  );
}

function ConfirmButton({
  what,
  text,
  isBusy,
  dispatch,
}: {
  what: Extract<DriverAction, { type: 'confirm' }>['what'];
  text: string;
  isBusy: boolean;
  dispatch: (action: DriverAction) => void;
}) {
  return (
    <button
      type="button"
      className="button quiet link"
      disabled={isBusy}
      onClick={() => dispatch({ type: 'confirm', what })}
    >
      {text}
    </button>
  );
}

function cardText({ type, lastFour }: NonNullable<Driver['card']>): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1)} •••• ${lastFour}`;
}

/** `2030-12` as cards show it. */
function expiryText(expires: string): string {
  return expires.replace(/^\d\d(\d\d)-(\d\d)$/, '$2/$1');
}
