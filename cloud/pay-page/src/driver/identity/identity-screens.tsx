import type { Driver } from '@hlid/protocol/pages/driver-api';
import { electronicIdText } from '@hlid/protocol/words/electronic-id-words';
import { type Dispatch, useState } from 'react';
import { usePage } from '../../pay-context.ts';
import { Frame } from '../../ui/frame.tsx';
import { Sign } from '../../ui/parts.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { DriverAction, DriverNotice } from '../driver-state.ts';
import {
  chosenMethod,
  type IdentityAction,
  type IdentityPurpose,
  type IdentityState,
} from './identity-state.ts';
import { useIdentity } from './use-identity.ts';
import './identity.css';

interface ScreenProps {
  purpose: IdentityPurpose;
  token: string | null;
  dispatch: Dispatch<DriverAction>;
}

/** Logs in by electronic identity, or connects one with the account of a driver who is logged in. */
export function IdentityScreen({ purpose, token, dispatch: drive }: ScreenProps) {
  const { state, dispatch } = useIdentity({
    purpose,
    token,
    onOnline: (online) => drive({ type: 'online', online }),
    onDone: (issued) => drive({ type: 'identified', token: issued }),
    onLoggedOut: () => drive({ type: 'logged-out', notice: 'logged-out' }),
  });
  const props = { state, dispatch, purpose };
  if (state.ringing !== null) return <RingingScreen code={state.ringing.code} />;
  return state.ended === null ? <FormScreen {...props} /> : <EndedScreen {...props} />;
}

interface StepProps {
  state: IdentityState;
  dispatch: Dispatch<IdentityAction>;
  purpose: IdentityPurpose;
}

function FormScreen({ state, dispatch, purpose }: StepProps) {
  const { words, language } = usePage();
  const own = words.identity;
  const { begun, notice, isSending } = state;
  const method = chosenMethod(state);
  const [input] = method?.inputs ?? [];
  const problem = notice !== null && notice.is !== 'bad-input' ? noticeText(notice) : undefined;
  function noticeText(shown: Exclude<NonNullable<typeof notice>, { is: 'bad-input' }>) {
    return shown.is === 'failed'
      ? words.notices.failed
      : own.tooMany({ minutes: Math.ceil(shown.seconds / 60) });
  }
  return (
    <Frame
      title={purpose === 'connect' ? own.connectTitle : own.logIn}
      problem={problem}
      onSubmit={() => dispatch({ type: 'send' })}
      actions={
        input && (
          <button type="submit" className="button primary" disabled={isSending}>
            {isSending ? words.loading : own.next}
          </button>
        )
      }
    >
      {input === undefined || method === null ? (
        problem === undefined && <p role="status">{words.loading}</p>
      ) : (
        <div className="fields">
          <fieldset className="methods">
            <legend>{own.method}</legend>
            {begun?.methods.map(({ id, label }) => (
              <label key={id} className="check">
                <input
                  type="radio"
                  name="method"
                  value={id}
                  checked={id === method.id}
                  onChange={() => dispatch({ type: 'method', method: id })}
                />
                {label[language]}
              </label>
            ))}
          </fieldset>
          <TextField
            key={input.name}
            label={input.label[language]}
            name={input.name}
            type={input.type}
            inputMode={input.inputMode}
            maxLength={input.maxLength}
            autoComplete={input.name === 'phone' ? 'tel' : 'off'}
            value={state.typed}
            mistake={notice?.is === 'bad-input' ? own.wrong[input.name] : undefined}
            onText={(typed) => dispatch({ type: 'typed', typed })}
          />
        </div>
      )}
    </Frame>
  );
}

function RingingScreen({ code }: { code: string }) {
  const { words } = usePage();
  const own = words.identity;
  return (
    <Frame
      title={own.confirm}
      lead={words.electronicId.states.pending}
      className="verdict"
      actions={
        <button type="button" className="button" onClick={() => history.back()}>
          {words.pay.cancel}
        </button>
      }
    >
      <p className="login-code">
        <small>{own.code}</small>
        <strong>{code}</strong>
      </p>
      <span className="spinner" />
    </Frame>
  );
}

function EndedScreen({ state, dispatch, purpose }: StepProps) {
  const { words } = usePage();
  const own = words.identity;
  const { ended } = state;
  if (ended === null) return null;
  const text = electronicIdText(ended, purpose, words.electronicId);
  if (ended === 'success') {
    return (
      <Frame title={text} className="verdict">
        <Sign icon="tick" tone="good" />
      </Frame>
    );
  }
  return (
    <Frame
      title={own.notConfirmed}
      lead={text}
      className="verdict"
      actions={
        <>
          <button type="button" className="button primary" onClick={() => dispatch({ type: 'again' })}>
            {words.again}
          </button>
          {purpose === 'driver' && (
            <button type="button" className="button" onClick={() => history.back()}>
              {own.byMail}
            </button>
          )}
        </>
      }
    >
      <Sign icon="alert" tone="doubt" />
    </Frame>
  );
}

/** The way to the login by electronic identity, beside the one by mail. */
export function IdentityLogin({ isBusy, dispatch }: { isBusy: boolean; dispatch: Dispatch<DriverAction> }) {
  const { words } = usePage();
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => dispatch({ type: 'identify' })}>
      {words.identity.logIn}
    </button>
  );
}

interface PartProps {
  driver: Driver;
  notice: DriverNotice | null;
  hasRegister: boolean;
  isBusy: boolean;
  dispatch: Dispatch<DriverAction>;
}

/** A driver's electronic identity, and the cars that the register of vehicles has in their name. */
export function IdentityPart({ driver, notice, hasRegister, isBusy, dispatch }: PartProps) {
  const { words } = usePage();
  const own = words.identity;
  const [isLeaving, setLeaving] = useState(false);
  const { electronicId } = driver;
  const button = (text: string, onClick: () => void, kind = 'quiet link') => (
    <button type="button" className={`button ${kind}`} disabled={isBusy} onClick={onClick}>
      {text}
    </button>
  );
  return (
    <>
      <section className="part bill">
        <h2>{own.part}</h2>
        <p>{electronicId ? own.connected : own.unconnected}</p>
        {!electronicId && button(own.connect, () => dispatch({ type: 'identify' }), '')}
        {electronicId && !isLeaving && button(own.disconnect, () => setLeaving(true))}
        {electronicId && isLeaving && (
          <>
            <p>{own.disconnectLead}</p>
            {button(own.disconnect, () => dispatch({ type: 'call', call: { do: 'disconnect' } }), '')}
            {button(words.pay.cancel, () => setLeaving(false))}
          </>
        )}
      </section>
      {electronicId && hasRegister && (
        <OwnCarPart key={driver.vehicles.length} {...{ notice, isBusy, dispatch }} />
      )}
    </>
  );
}

function OwnCarPart({ notice, isBusy, dispatch }: Omit<PartProps, 'hasRegister' | 'driver'>) {
  const { words } = usePage();
  const own = words.identity;
  const [plate, setPlate] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const faults: Partial<Record<DriverNotice, string>> = {
    'not-registered': own.notRegistered,
    'no-register': own.noRegister,
    'wrong-proof': own.others,
  };
  const isEmpty = asked === '';
  const fault = asked === null || notice === null ? undefined : faults[notice];
  return (
    <section className="part bill">
      <h2>{own.ownCar}</h2>
      <p>{own.ownCarLead}</p>
      <form
        className="mail"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const typed = plate.trim();
          setAsked(typed);
          if (typed !== '') dispatch({ type: 'call', call: { do: 'add', plate: typed } });
        }}
      >
        <TextField
          label={words.plate.field}
          name="plate"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={plate}
          mistake={isEmpty ? words.plate.short : fault}
          onText={(text) => {
            setPlate(text);
            setAsked(null);
          }}
        />
        <button type="submit" className="button" disabled={isBusy}>
          {own.add}
        </button>
      </form>
    </section>
  );
}
