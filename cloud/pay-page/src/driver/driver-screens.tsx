import { isMailAddress } from '@hlid/protocol/base/mail-address';
import { useState } from 'react';
import { usePage } from '../pay-context.ts';
import { CapsFields, readCaps, typeCaps } from '../ui/caps-fields.tsx';
import { Frame } from '../ui/frame.tsx';
import { Sign } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { Words } from '../words/en.ts';
import { DriverHome } from './driver-home.tsx';
import type { DriverAction, DriverNotice, DriverState, DriverStepAt, ToConfirm } from './driver-state.ts';
import type { IdentityParts } from './use-identity-parts.ts';

export interface DriverScreenProps<Step> {
  step: Step;
  /** The cloud is asked for something. */
  isBusy: boolean;
  dispatch: (action: DriverAction) => void;
  /** Null: there is nothing of electronic identities to show. */
  identity: IdentityParts | null;
  token: string | null;
}

export function DriverScreen({
  state,
  dispatch,
  identity,
}: {
  state: DriverState;
  dispatch: (action: DriverAction) => void;
  identity: IdentityParts | null;
}) {
  const { step, token } = state;
  const props = { isBusy: state.call !== null, dispatch, identity, token };
  switch (step.at) {
    case 'loading':
      return <WaitScreen />;
    case 'login':
      return <LoginScreen step={step} {...props} />;
    case 'sent':
      return <SentScreen step={step} {...props} />;
    case 'enter':
      return <EnterScreen step={step} {...props} />;
    case 'identity': {
      const Screen = identity?.screens.IdentityScreen;
      return Screen ? <Screen purpose={step.purpose} token={token} dispatch={dispatch} /> : <WaitScreen />;
    }
    case 'home':
      return <DriverHome step={step} {...props} />;
    case 'caps':
      return <CapsScreen step={step} {...props} />;
    case 'confirm':
      return <ConfirmScreen step={step} {...props} />;
    case 'erased':
      return <ErasedScreen />;
    default:
      return step satisfies never;
  }
}

/** Null: nothing went wrong. */
export function problemText(notice: DriverNotice | null, { driver, notices }: Words): string | undefined {
  switch (notice) {
    case null:
      return undefined;
    case 'expired':
      return driver.linkOld;
    case 'logged-out':
      return driver.loggedOut;
    case 'no-card':
      return driver.notStored;
    case 'wrong-proof':
      return driver.noVehicle;
    case 'too-many-vehicles':
      return driver.tooManyVehicles;
    // The screens of electronic identities show these beside the plate.
    case 'not-registered':
    case 'no-register':
      return undefined;
    case 'too-many-requests':
      return notices['too-many'];
    case 'bad-input':
    case 'failed':
      return notices.failed;
    default:
      return notice satisfies never;
  }
}

function WaitScreen() {
  const { words } = usePage();
  return (
    <Frame title={words.loading} className="verdict">
      <span className="spinner" />
    </Frame>
  );
}

function LoginScreen({ step, isBusy, dispatch, identity }: DriverScreenProps<DriverStepAt<'login'>>) {
  const { words } = usePage();
  const [isWrong, setWrong] = useState(false);
  const send = () => {
    const email = step.email.trim();
    setWrong(!isMailAddress(email));
    if (isMailAddress(email)) dispatch({ type: 'call', call: { do: 'login', email } });
  };
  return (
    <Frame
      title={words.driver.login}
      lead={words.driver.loginLead}
      problem={problemText(step.notice, words)}
      onSubmit={send}
      actions={
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? words.loading : words.driver.sendLink}
        </button>
      }
    >
      <TextField
        label={words.paid.email}
        type="email"
        value={step.email}
        autoComplete="email"
        inputMode="email"
        mistake={isWrong ? words.paid.wrong : undefined}
        onText={(email) => {
          setWrong(false);
          dispatch({ type: 'typed', email });
        }}
      />
      {identity && <identity.screens.IdentityLogin isBusy={isBusy} dispatch={dispatch} />}
    </Frame>
  );
}

function SentScreen({ step, dispatch }: DriverScreenProps<DriverStepAt<'sent'>>) {
  const { words } = usePage();
  return (
    <Frame
      title={words.driver.checkMail}
      lead={words.driver.sentLead({ email: step.email })}
      className="verdict"
      actions={
        <button type="button" className="button" onClick={() => dispatch({ type: 'back' })}>
          {words.driver.other}
        </button>
      }
    >
      <Sign icon="mail" tone="plain" />
    </Frame>
  );
}

function EnterScreen({ step, isBusy, dispatch }: DriverScreenProps<DriverStepAt<'enter'>>) {
  const { words } = usePage();
  const { link } = step;
  return (
    <Frame
      title={words.driver.title}
      className="verdict"
      actions={
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => dispatch({ type: 'call', call: { do: 'open', link } })}
        >
          {isBusy ? words.loading : words.driver.enter}
        </button>
      }
    >
      <Sign icon="lock" tone="plain" />
    </Frame>
  );
}

function CapsScreen({ step, isBusy, dispatch }: DriverScreenProps<DriverStepAt<'caps'>>) {
  const { words } = usePage();
  const [caps, setCaps] = useState(() => typeCaps(step.caps));
  const [isSent, setSent] = useState(false);
  const save = () => {
    const read = readCaps(caps, step.caps.currency);
    setSent(true);
    if (read !== null) dispatch({ type: 'call', call: { do: 'settings', settings: { caps: read } } });
  };
  return (
    <Frame
      title={words.driver.limits}
      problem={problemText(step.notice, words)}
      onSubmit={save}
      actions={
        <button type="submit" className="button primary" disabled={isBusy}>
          {words.driver.save}
        </button>
      }
    >
      <div className="fields">
        <CapsFields caps={caps} currency={step.caps.currency} showMistakes={isSent} onCaps={setCaps} />
      </div>
    </Frame>
  );
}

function questionOf(what: ToConfirm, { driver }: Words): { title: string; lead: string; yes: string } {
  switch (what.do) {
    case 'delete-card':
      return { title: driver.confirmCard, lead: driver.confirmCardLead, yes: driver.deleteCard };
    case 'remove':
      return {
        title: driver.confirmVehicle({ plate: what.plate }),
        lead: driver.confirmVehicleLead,
        yes: driver.remove({ plate: what.plate }),
      };
    case 'erase':
      return { title: driver.confirmErase, lead: driver.confirmEraseLead, yes: driver.erase };
    default:
      return what satisfies never;
  }
}

function ConfirmScreen({ step, isBusy, dispatch }: DriverScreenProps<DriverStepAt<'confirm'>>) {
  const { words } = usePage();
  const { title, lead, yes } = questionOf(step.what, words);
  return (
    <Frame
      title={title}
      lead={lead}
      problem={problemText(step.notice, words)}
      className="verdict"
      actions={
        <>
          <button
            type="button"
            className="button primary"
            disabled={isBusy}
            onClick={() => dispatch({ type: 'call', call: step.what })}
          >
            {yes}
          </button>
          <button type="button" className="button" disabled={isBusy} onClick={() => history.back()}>
            {words.pay.cancel}
          </button>
        </>
      }
    >
      <Sign icon="alert" tone="doubt" />
    </Frame>
  );
}

function ErasedScreen() {
  const { words } = usePage();
  return (
    <Frame title={words.driver.erased} lead={words.driver.erasedLead} className="verdict">
      <Sign icon="tick" tone="good" />
    </Frame>
  );
}
