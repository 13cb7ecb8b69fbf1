import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import type { PaySite } from '@hlid/protocol/pages/pay-api';
import { PROOF_TOLERANCE_MINUTES } from '@hlid/protocol/pages/pay-paths';
import { dateText } from '@hlid/protocol/site-link/site-wall';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useState } from 'react';
import { readLastPaid } from '../paid-record.ts';
import { usePay } from '../pay-context.ts';
import { dayOf, dayText, momentText } from '../site-clock.ts';
import { MAX_PLATE, MIN_PLATE, type StepAt } from '../state/pay-state.ts';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { EntryPicture, Hint, Sign } from '../ui/parts.tsx';
import { TextField } from '../ui/text-field.tsx';

export function LoadingScreen() {
  const { words } = usePay();
  return (
    <Frame title={words.loading} className="verdict">
      <span className="spinner" />
    </Frame>
  );
}

export function SitesScreen({ step }: { step: StepAt<'sites'> }) {
  const { words } = usePay();
  if (step.sites === null) return <LoadingScreen />;
  return (
    <Frame title={words.sites.title} lead={step.sites.length === 0 ? words.sites.none : undefined}>
      <ul className="choices">
        {step.sites.map(({ code, name }) => (
          <li key={code}>
            <a className="button choice" href={`/pay/${encodeURIComponent(code)}`}>
              <strong>{name}</strong>
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

export function NoSiteScreen({ step }: { step: StepAt<'no-site'> }) {
  const { words } = usePay();
  const isWrong = step.fault === 'not-found' || step.fault === 'expired' || step.fault === 'bad-input';
  return (
    <Frame
      title={isWrong ? words.sites.wrong : words.notices.failed}
      lead={isWrong ? words.sites.wrongLead : undefined}
      className="verdict"
      actions={
        <a className="button primary" href={isWrong ? '/pay/' : location.pathname}>
          {isWrong ? words.sites.all : words.again}
        </a>
      }
    >
      <Sign icon="alert" tone="doubt" />
    </Frame>
  );
}

export function PlateScreen({ step }: { step: StepAt<'plate'> }) {
  const { words, language, site, dispatch } = usePay();
  const [isShort, setShort] = useState(false);
  const [lastPaid] = useState(readLastPaid);
  const last = lastPaid?.siteCode === site?.code ? lastPaid : null;
  const find = () => {
    setShort(step.typed.length < MIN_PLATE);
    dispatch({ type: 'find' });
  };
  return (
    <Frame
      title={words.plate.title}
      notice={step.notice}
      onSubmit={find}
      actions={
        <>
          <button type="submit" className="button primary" disabled={step.sending}>
            {step.sending ? words.loading : words.plate.find}
          </button>
          {last !== null && (
            <button
              type="button"
              className="button quiet"
              onClick={() => dispatch({ type: 'show-paid', payment: last.payment })}
            >
              <Icon name="invoice" />
              {words.paid.last}
            </button>
          )}
        </>
      }
    >
      <TextField
        className="plate-field"
        label={words.plate.field}
        value={step.typed}
        maxLength={2 * MAX_PLATE}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        mistake={isShort && step.typed.length < MIN_PLATE ? words.plate.short : undefined}
        onText={(text) => dispatch({ type: 'typed', text })}
      />
      <ul className="prices" translate="no">
        {site?.prices?.[language]?.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Frame>
  );
}

export function ChooseScreen({ step }: { step: StepAt<'choose'> }) {
  const { words, site, language, dispatch } = usePay();
  return (
    <Frame title={words.choose.title}>
      <ul className="choices">
        {step.stays.map((stay) => (
          <li key={stay.key}>
            <button type="button" className="button choice" onClick={() => dispatch({ type: 'pick', stay })}>
              <span>
                <PlateSign plate={stay.plate} />
                <small>{stay.ended ? words.choose.left : words.choose.inside}</small>
                {stay.startedAt !== null && site !== null && (
                  <small>
                    {words.choose.since({
                      when: momentText(stay.startedAt, new Date(), site.timeZone, language),
                    })}
                  </small>
                )}
              </span>
              <Icon name="next" />
            </button>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

export function QuestionScreen({ step }: { step: StepAt<'question'> }) {
  const { words, dispatch } = usePay();
  const { stay, sending } = step;
  return (
    <Frame
      title={words.question.title}
      lead={stay.doubtful ? words.question.doubtful : words.question.lead}
      notice={step.notice}
      className="question"
      actions={
        <>
          <button
            type="button"
            className="button primary"
            disabled={sending}
            onClick={() => dispatch({ type: 'pick', stay })}
          >
            {words.question.yes}
          </button>
          <button
            type="button"
            className="button"
            disabled={sending}
            onClick={() => dispatch({ type: 'not-mine' })}
          >
            {sending ? words.question.sending : words.question.no}
          </button>
        </>
      }
    >
      <EntryPicture stay={stay} />
      <p className="big-plate" translate="no">
        <PlateSign plate={stay.plate} />
      </p>
    </Frame>
  );
}

export function ExitOpensScreen() {
  const { words } = usePay();
  return (
    <Frame title={words.question.opens} lead={words.question.opensLead} className="verdict">
      <Sign icon="gate" tone="good" />
    </Frame>
  );
}

export function NotFoundScreen({ step }: { step: StepAt<'not-found'> }) {
  const { words, site, language } = usePay();
  return (
    <Frame
      title={words.notFound.title({ plate: step.plate })}
      keep={step.plate}
      lead={words.notFound.lead}
      className="verdict"
      actions={
        <button type="button" className="button primary" onClick={() => history.back()}>
          {words.notFound.change}
        </button>
      }
    >
      <Sign icon="car" tone="plain" />
      {site !== null && site.payAfterDays > 0 && (
        <Hint icon="info" text={words.notFound.later({ day: lastDayToPay(site, language) })} />
      )}
    </Frame>
  );
}

/** The last day on which a car that leaves now can be paid for here. */
function lastDayToPay({ payAfterDays, timeZone }: PaySite, language: Language): string {
  const last = new Date(Date.now() + payAfterDays * DAY_MS);
  return dateText(dayOf(last, timeZone), language);
}

/** Days, today included, that can be chosen; a longer stay is found by its link. */
const PROOF_DAYS = 14;

export function ProofScreen({ step }: { step: StepAt<'proof'> }) {
  const { words, site, language, dispatch } = usePay();
  const today = dayOf(new Date(), site?.timeZone ?? 'UTC');
  const days = Array.from({ length: PROOF_DAYS }, (_, back) =>
    new Date(Date.parse(today) - back * DAY_MS).toISOString().slice(0, 10),
  );
  return (
    <Frame
      title={words.proof.title}
      lead={words.proof.lead({ minutes: PROOF_TOLERANCE_MINUTES })}
      notice={step.notice}
      onSubmit={() => dispatch({ type: 'send' })}
      actions={
        <button type="submit" className="button primary" disabled={step.sending || step.time === ''}>
          {step.sending ? words.loading : words.proof.show}
        </button>
      }
    >
      <div className="fields">
        <div className="field">
          <label htmlFor="entry-day">{words.proof.day}</label>
          <span className="input">
            <select
              id="entry-day"
              value={step.day}
              onChange={({ target }) => dispatch({ type: 'entry-time', day: target.value, time: step.time })}
            >
              {days.map((day) => (
                <option key={day} value={day}>
                  {dayText(day, today, language)}
                </option>
              ))}
            </select>
          </span>
        </div>
        <TextField
          label={words.proof.time}
          type="time"
          value={step.time}
          onText={(time) => dispatch({ type: 'entry-time', day: step.day, time })}
        />
      </div>
    </Frame>
  );
}
